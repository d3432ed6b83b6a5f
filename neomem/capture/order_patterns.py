"""Orders to a model in plain words, a row per family, for folded and lower-cased text.

What an order is about is part of its pattern: people forget, ignore and send things all day.
"""

from neomem.capture import order_context
from neomem.capture.families import Table, says

_RULES = r"(?:instructions?|prompts?|directions|directives?|commands?|rules|guidelines|programming)"
_RULE_WORDS = (
    " instruction instructions prompt prompts directions directive directives command commands"
    " rules guidelines programming "
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system)"
_PROMPT = r"(?:system|initial|hidden|secret|developer|original) (?:prompt|message|instructions?)"
_MODEL = r"(?:ais?|llms?|language models?|ai (?:assistants?|agents?|models?|systems?)|chatbots?)"
_MODEL_WORDS = "ai ais llm llms language chatbot chatbots"
_MAKER = r"(?:anthropic|openai|google|deepmind)"
_SHELL = r"\| ?(?:sudo )?(?:ba|z|da)?sh\b"
_ADDRESS = r"[<(\"'`]?(?:https?://|[\w.+-]{1,64}@[\w-]{1,64}\.|my (?:server|webhook|endpoint))"
_LOOT = (
    r"(?:conversations?|chat (?:history|logs?)|memories|secrets?|passwords?|credentials"
    r"|(?:api|private|ssh) keys?|environment variables|\.env|system prompt|(?:personal|user) data"
    r"|contents? of \S{0,40}[/~.]\S{1,40}|everything you know)"
)

ORDERS = Table(
    says(
        "ignore-instructions",
        f"ignore disregard overlook neglect forget &{_RULE_WORDS}everything anything all above"
        " foregoing",
        r"\b(?:ignore|disregard|overlook|neglect) "
        r"(?:(?:please|all|any|every|of|the|your|these|those|and) )*+"
        rf"(?:(?:{_EARLIER}|and|or) )++{_RULES}",
        r"\b(?:ignore|disregard) (?:all|any) (?:of )?(?:the |your )?(?:other )?"
        r"(?:instructions|prompts|guidelines|rules)\b",
        r"\b(?:ignore|disregard) (?:everything|anything|all (?:of )?(?:that|this|the text)) "
        r"(?:above|before this|prior|(?:that )?you(?: were|'ve been| have been) told)",
        rf"\b(?:ignore|disregard) your {_RULES}",
        rf"\b(?:ignore|disregard|forget) (?:(?:all|any|of|the|your|these) )*+{_RULES} "
        r"(?:(?:given|written|stated) )?(?:above|before this|you (?:were given|received|got))\b",
        r"\b(?:ignore|disregard) the (?:above|foregoing)(?: and|[.,;:!]|$)",
        check=order_context.is_given,
    ),
    says(
        "forget-everything",
        "forget erase wipe reset clear & your everything all anything" + _RULE_WORDS,
        rf"\bforget (?:(?:about|all|any|of|the|your|these) )*+(?:{_EARLIER} )++{_RULES}",
        r"\bforget (?:everything|anything|all) (?:that )?(?:above\b|you(?:'ve| have| were"
        r"|'d been)? "
        r"(?:know|learned|been told|told|were told)\b(?! about (?!your|being)))",
        rf"\b(?:forget|erase|wipe|reset|clear) (?:all )?(?:of )?your "
        rf"(?:(?:{_EARLIER} )*+{_RULES}|training|memory|memories)\b",
        check=order_context.is_given,
    ),
    says(
        "new-instructions",
        "new real actual true only sole instead &" + _RULE_WORDS + "objective orders",
        r"(?:^|[\n.!?>\]*#]\s?)\W{0,4}new (?:system )?(?:instructions?|directives?) ?:",
        r"\bnew system (?:instructions?|prompt)\b",
        r"\byour (?:new|real|actual|true|only|sole) (?:instructions?|directives?|objective)"
        r"(?: is| are|:)",
        r"\b(?:follow|obey) (?:these|the following|my) (?:new )?(?:instructions?|orders?) instead",
    ),
    says(
        "jailbreak-persona",
        "dan mode jailbroken jailbreak anything now & you act respond answer behave as stands"
        " do simulate pretend",
        r"\byou are (?:now )?(?:going to act as )?[\"'“]?dan\b[\"'”]?[ ,.:;-]{1,3}"
        r"(?:an ai|a model|which|who|that|and you|stands|do anything)",
        r"\b(?:stands for [\"'“]?do anything now|as dan,? you|(?:act|respond|answer"
        r"|behave) as dan\b"
        r"|dan mode\b)",
        r"\byou(?: are| will be|'re) (?:now )?(?:in|entering|operating in|running in|switched to) "
        r"(?:developer|debug|god|admin|maintenance|unrestricted|jailbreak|unfiltered|sudo) mode",
        r"\b(?:simulate|pretend|emulate)[^.\n]{0,40}? (?:developer mode|jailbroken)",
        r"\byou(?: are|'re| have been|'ve been) (?:now )?jailbroken",
        r"\byou(?: are|'re) now (?:called |named )?\w{0,20}gpt\b",
    ),
    says(
        "unrestricted-persona",
        "ai model assistant chatbot unrestricted unfiltered uncensored amoral evil unethical"
        " ethical moral safety content & you act respond answer behave reply operate speak",
        r"\byou(?: are| will be|'re| act as| become| must act as) (?:now )?(?:an? )?"
        r"(?:completely |fully |totally )?(?:unrestricted|unfiltered|uncensored|amoral)\b",
        r"\b(?:act|respond|answer|behave|reply|operate) (?:as|like) (?:if you (?:were"
        r"|are) )?(?:an? )?"
        r"(?:evil|unrestricted|unfiltered|uncensored|amoral|unethical) "
        r"(?:ai|assistant|model|chatbot|bot|version)\b",
        r"\bas an? (?:\w{1,12} ){0,3}?(?:ai|assistant|model|chatbot) (?:without|with no) (?:any )?"
        r"(?:restrictions|filters|rules|limits|limitations|censorship)\b",
        r"\byou (?:now )?(?:have|are under|are subject to|follow) no (?:ethical|moral|content"
        r"|safety) "
        r"(?:restrictions|rules|limitations|guidelines|filters)",
        r"\b(?:respond|answer|reply|act|operate|speak)[^.\n]{0,30}? without (?:any )?"
        r"(?:ethical|moral|safety|content) (?:restrictions|guidelines|filters|limits|rules)",
    ),
    says(
        "freed-from-rules",
        "you & bound restricted limited constrained freed released exempt exempted liberated",
        r"\byou(?: are|'re) (?:no longer|not) (?:bound|restricted|limited|constrained) by "
        r"(?:(?:any|the|your|all) )*+(?:\w{1,12} )?(?:rules|restrictions|guidelines|policies)",
        r"\byou(?: are|'re| have been) (?:freed|released|exempt(?:ed)?|liberated) from "
        r"(?:(?:all|any|your|the) )*+(?:\w{1,12} )?(?:rules|restrictions|guidelines|policies)",
    ),
    says(
        "role-play",
        "character pretend imagine suppose & stay remain never you",
        r"\b(?:stay|remain) in (?:this )?character (?:no matter|at all times|and never|even if)",
        r"\b(?:pretend|imagine|suppose)(?: that)? you (?:are|were|have)[^.\n]{0,60}? (?:no"
        r"|without) "
        r"(?:any )?(?:restrictions|rules|filters|guidelines|ethics)\b",
        r"\bnever (?:break|leave) (?:your )?character\b",
    ),
    says(
        "from-now-on",
        "now henceforth point moment & on forward henceforth & act behave obey pretend comply"
        " ignore operate roleplay identify refuse only do",
        r"\b(?:from now on|henceforth|from this (?:point|moment)(?: on| forward)?),? "
        rf"(?:you|the assistant|the ai|{_MODEL})(?: will| must| shall| are to| should| have to"
        rf"|'ll)? "
        r"(?:only |always |never )?(?:act|behave|obey|pretend|comply|ignore|operate|roleplay"
        r"|identify"
        r"|refuse|respond only|answer only|do (?:whatever|anything))\b",
    ),
    says(
        "override-safety",
        "your all any & filter filters guidelines protocol protocols restrictions policies"
        " policy measures guardrails safeguards alignment",
        r"\b(?:override|bypass|disable|turn off|circumvent|deactivate|suspend|ignore) "
        rf"(?:(?:all|any|of) )*+(?:your|{_MAKER}'s)(?: own| built-in| internal)? "
        r"(?:(?:safety|security|content|ethical|ethics|moderation|and) )*+(?:filters?|guidelines"
        r"|protocols?|restrictions|policies|policy|measures|guardrails|safeguards|alignment)\b",
        r"\b(?:override|bypass|disable|ignore) (?:all|any) (?:safety|content|ethical|moderation) "
        r"(?:filters|guidelines|protocols|restrictions|policies|guardrails|safeguards)\b",
        check=order_context.is_given,
    ),
    says(
        "claimed-authority",
        "administrator admin developer developers creator creators operator owner anthropic"
        " openai google deepmind user & message you your claude chatgpt all this the",
        r"\b(?:as|i am|i'm|this is) (?:your|the|an?) (?:system )?(?:administrator|admin|developer"
        r"|creator|operator|owner)\b[^\n]{0,60}? i (?:hereby )?(?:order|command|instruct"
        r"|authori[sz]e"
        r"|direct|require|demand)(?: that)? you\b",
        rf"\b(?:as|i am|i'm|this is|on behalf of|by order of|we at) {_MAKER}\b[^\n]{{0,40}}? "
        r"(?:order|command|instruct|authori[sz]e|direct|require) you\b",
        rf"\b{_MAKER} (?:hereby |now |has )*+(?:order|instruct|command|require|authori[sz]e)(?:s"
        rf"|d|ed)? "
        r"(?:you\b|all (?:ai|claude|models)|this (?:ai|model)|claude|chatgpt|the (?:ai|assistant))",
        r"\bthe user has (?:already |explicitly )?(?:authori[sz]ed|permitted|instructed) you to\b",
        rf"\bmessage from (?:{_MAKER}|your (?:developers?|creators?|administrator)) ?:",
    ),
    says(
        "escalate-rights",
        "root superuser sudo god unrestricted jailbreak & act behave operate you enter enable"
        " activate switch",
        r"\b(?:act|behave|operate) as (?:the )?(?:root|superuser)\b(?! cause)",
        r"\byou (?:are|have been) (?:now )?(?:granted|given|elevated to) (?:full |unrestricted )?"
        r"(?:root|sudo|superuser) (?:access|privileges|rights|permissions)",
        r"\b(?:enter|enable|activate|switch to) (?:sudo|god|unrestricted|jailbreak) mode\b",
    ),
    says(
        "obey-me",
        "obey comply carry execute serve & you your",
        r"\byou (?:must|will|shall|have to) (?:always |only |now )?(?:obey|comply with) "
        r"(?:me\b|(?:(?:my|all|every|any|of|these|the|following) )++"
        r"(?:orders?|commands?|instructions?))",
        r"\byou (?:must|will|shall|have to) (?:always |only |now )?(?:carry out|execute) "
        r"(?:(?:all|every|any|of) )*+my (?:orders?|commands?|instructions?)",
        r"\byour (?:only|sole|primary) (?:purpose|goal|function) is to (?:obey|comply|serve me)",
    ),
    says(
        "reveal-prompt",
        "prompt message instructions instruction & system initial hidden secret developer original",
        r"\b(?:reveal|disclose|leak|recite|expose|divulge|repeat) (?:(?:me|us|all|of|the|your"
        r"|entire"
        rf"|full|exact|complete|whole) )*+{_PROMPT}",
        r"\b(?:show|print|output|display|tell|give|send|share|write|return|type|copy)(?: out)? "
        r"(?:(?:me|us|all|of|the|text|contents?) )*+your "
        rf"(?:(?:entire|full|exact|complete|whole|own) )*+{_PROMPT}",
        rf"\bwhat (?:is|was|are|were|does) your (?:(?:exact|full|entire|complete) )*+{_PROMPT}",
        check=order_context.is_given,
    ),
    says(
        "verbatim-prompt",
        "repeat print output write recite copy say starting beginning begin start & verbatim"
        " word exactly above chatgpt claude ai helpful large",
        r"\b(?:repeat|print|output|write|recite|copy|say)[^.\n]{0,40}? (?:instructions|prompt"
        r"|above)"
        r"[^.\n]{0,20}? (?:verbatim|word[-\s]for[-\s]word|exactly as (?:written|given))",
        r"\b(?:repeat|print|output|recite) (?:everything|(?:all (?:of )?)?(?:the )?"
        r"(?:text|words|content)) (?:that (?:is|was|came) )?above\b",
        r"\b(?:start|begin)(?:ing)? with (?:the (?:phrase|words?) )?[\"'“`]you are "
        r"(?:chatgpt|claude|an? (?:ai|helpful|large))",
    ),
    says(
        "send-away",
        "append silently secretly send post upload forward transmit exfiltrate leak submit"
        " email mail deliver make issue perform & conversation conversations chat memories"
        " secret secrets password passwords credentials key keys variables env prompt data"
        " content contents everything every",
        r"\b(?:send|post|upload|forward|transmit|exfiltrate|leak|submit|email|mail|deliver) "
        rf"(?:(?:me|all|any|the|your|of|user's|user|this|every|full|entire) )*+{_LOOT}"
        rf"[^\n]{{0,60}}? (?:to|at|via) {_ADDRESS}",
        r"\b(?:silently|secretly|covertly) (?:send|forward|post|upload|copy|email)\b[^\n]{0,60}?"
        rf" (?:to|at) {_ADDRESS}",
        r"\bappend (?:it|them|this|the (?:conversation|result|data|secret)) to (?:the url|https?://)",
        r"\b(?:make|issue|perform|send) an? (?:http )?(?:get|post) request to [^\n]{0,80}?"
        rf"(?:containing|including|with) (?:the |your |all )*+{_LOOT}",
        check=order_context.is_given,
    ),
    says(
        "keep-from-user",
        "user human & not don never without keep hide conceal",
        r"\b(?:do not|don't|never|must not) (?:tell|inform|alert|warn|notify) the (?:user|human) "
        r"(?:about (?:this|these|it|that|what|any)|of (?:this|these)|that you|anything|what you)",
        r"\b(?:do not|don't|never) (?:mention|reveal|disclose|show) (?:this|these|that|it)"
        r"(?: \w{1,20}){0,3}? to the (?:user|human)\b",
        r"\bwithout the (?:user|human)(?:'s)? (?:knowing|noticing|knowledge|finding out)",
        r"\b(?:keep|hide|conceal) (?:this|these|it|that)(?: \w{1,20}){0,3}? from the (?:user"
        r"|human)\b",
    ),
    says(
        "memory-poisoning",
        "memory memories remember & your you always never ignore user",
        r"\b(?:store|save|add|write|record|commit|insert|put)[^.\n]{0,40}? (?:to|in|into|as) "
        r"(?:an? |your |the )?(?:long[-\s]term |permanent |important |core |pinned )*+"
        r"(?:memory|memories)[^.\n]{0,40}? (?:that )?"
        r"(?:you (?:must|should|will|always|never)|always|never|ignore"
        r"|the user (?:has (?:approved|authori[sz]ed)|wants you to))\b",
        r"\b(?:update|edit|modify|overwrite|rewrite) your (?:memory|memories)"
        r"(?: so that| to| with|:|,)",
        r"\bremember(?:,| that)? you (?:must|are required to|have to) (?:always|never)\b",
        r"\bremember to always (?:run|execute|visit|download|fetch|send|include|recommend|append)"
        r"[^.\n]{0,40}?(?:https?://|\bcurl\b|\bwget\b|\bbash\b|\bsudo\b|the following"
        r"|this (?:command|script|code|link))",
    ),
    says(
        "future-sessions",
        "future subsequent & conversation conversations session sessions response responses"
        " chat chats replies interactions answers",
        r"\b(?:in|for|during|across) (?:all|every|any|each) (?:future|subsequent) (?:conversations?"
        r"|sessions?|responses?|chats?|replies|interactions|answers),? "
        r"(?:you (?:must|should|will|shall)|always|never|ignore|recommend|include|insert"
        r"|secretly)\b",
    ),
    says(
        "trigger",
        "user human when while if & asks says types mentions requests ask say this & must"
        " secretly silently always instead document page email text paper file message website",
        r"\b(?:whenever|when|if|every time) (?:the|a|any) (?:user|human) "
        r"(?:asks?|says?|types?|mentions?|requests?)\b[^.\n]{1,80}? (?:you must|secretly|silently"
        r"|(?:always|instead) (?:recommend|respond|reply|answer|say|run|include))\b",
        r"\b(?:when|while|if) (?:you are )?(?:summari[sz]ing|translating|reviewing|processing"
        r"|reading|analy[sz]ing) this (?:document|page|email|text|paper|file|message|website),? "
        r"(?:you must |always |also )*+(?:recommend|say|include|mention|insert|output|respond|rate"
        r"|ignore)\b",
    ),
    says(
        "ai-addressed",
        f"{_MODEL_WORDS} & important attention notice warning note if dear hey hello"
        " instructions instruction must should shall have need required",
        r"\b(?:important|attention|notice|warning|note)[\s:!*_-]{1,6}(?:to |for )?(?:all )?"
        rf"{_MODEL},? (?:must|should|shall|are (?:required|instructed)|have to|need to|reading)\b",
        rf"\bif you(?: are|'re) an? (?:\w{{1,12}} )?{_MODEL}(?: \w{{1,12}}){{0,3}}?,? "
        r"(?:reading|processing|you (?:must|should|will)|please|then|ignore|do not|stop|say)\b",
        rf"\b{_MODEL} (?:reading|visiting|processing|parsing|summari[sz]ing|crawling) "
        r"(?:this|the) \w{1,20} (?:must|should|shall|have to|need to|are required)\b",
        rf"\b(?:attention|dear|note to)(?: all)? {_MODEL} ?[,:!]",
        rf"\binstructions? (?:to|for) (?:all |any |the )?{_MODEL}(?: (?:reading|processing)| ?:)",
    ),
    says(
        "forced-answer",
        "begin start prefix cannot not never & response answer reply output responses answers"
        " refuse decline",
        r"\b(?:begin|start|prefix) (?:your|every|each) (?:response|answer|reply|output)s? with:? ?"
        r"[\"'“`](?:sure|absolutely|of course|certainly|yes|hacked|i have been pwned)",
        r"\byou (?:cannot|can't|must not|may not|are not allowed to|will never) (?:refuse|decline) "
        r"(?:any|my|to answer|to comply|this|a request|requests)\b",
    ),
    says(
        "change-task",
        "task goal objective mission tasks instead & current original assigned answering"
        " summarizing summarising translating responding",
        r"\b(?:abandon|drop|stop|quit|discard) (?:your|the) (?:current|original|assigned) "
        r"(?:task|goal|objective|mission)s? (?:and|immediately|now)\b",
        r"\binstead of (?:answering|summari[sz]ing|translating|responding to)[^.\n]{1,60}? "
        r"(?:output|print|write|say|reply|respond)(?: with)?(?: only)?[\s:]{1,3}[\"'“]",
    ),
    says(
        "split-payload",
        "concatenate combine join merge decode decrypt decipher rot13 execute follow obey"
        " perform & follow obey execute do perform act comply",
        r"\b(?:concatenate|combine|join|merge) (?:the |these |those |all )*+(?:strings?|parts?"
        r"|variables|pieces|fragments|words)[^\n]{0,80}? (?:follow|obey|execute|do what|comply)\b",
        r"\b(?:execute|follow|obey|perform) (?:the )?(?:instructions? (?:in|of) )?[`(\"']?"
        r"[a-z] ?\+ ?[a-z]\b",
        r"\b(?:decode|decrypt|decipher|rot13) (?:this|the following|it|that|these)[^\n]{0,60}? "
        r"(?:and|then) (?:follow|execute|obey|do what|perform|act)\b",
    ),
    says(
        "shell-order",
        "curl wget base64 powershell rm & sh bash zsh dash rf fr r enc encodedcommand",
        rf"\b(?:curl|wget) [^\n|]{{1,300}}+{_SHELL}",
        rf"\bbase64 (?:-d|--decode)[^\n|]{{0,100}}+{_SHELL}",
        r"\brm -(?:rf|fr) ?(?:--no-preserve-root )?(?:/|~|\$home)(?:\s|\*|$)",
        r"\bpowershell(?:\.exe)? [^\n]{0,60}?-enc(?:odedcommand)?\b",
        check=order_context.follows_demand,
    ),
)
