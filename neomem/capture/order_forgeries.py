"""Orders in disguise: forged turns, tags and tool calls, and text that people cannot see."""

from neomem.capture import order_context
from neomem.capture.families import Table, says

FORGERIES = Table(
    says(
        "chatml-tokens",
        "",
        r"<\|(?:im_(?:start|end|sep)|system|user|assistant|tool|channel|message)\|>",
        signs="<|",
    ),
    says(
        "llama-tokens",
        "",
        r"\[/?inst\]|<</?sys>>|<\|(?:eot_id|(?:start|end)_header_id|begin_of_text)\|>",
        signs="[inst]¦[/inst]¦<<sys>>¦<|eot¦<|start_header¦<|begin_of",
    ),
    says(
        "turn-tokens",
        "",
        r"<(?:start|end)_of_turn>|<\|endof(?:text|prompt|turn)\|>",
        r"</s>\s{0,4}(?:<s>|\[inst\]|(?:system|user|human|assistant) ?:)",
        signs="_of_turn>¦<|endof¦</s>",
    ),
    says(
        "system-tags",
        "",
        r"</?system[-_\s]?(?:prompt|message|reminder|instructions?|override)s?>",
        r"\[system\]\(#",
        r"(?<!\w)\[system[-_\s]?(?:prompt|message|override|instructions?|note)s?\]",
        signs="<system¦</system¦[system",
    ),
    says("system-block", "", r"<system>", signs="<system>", check=order_context.precedes_order),
    says(
        "system-turn",
        "system instruction instructions & you ignore disregard from override never response"
        " prompt",
        r"(?:^|\n)\s{0,3}(?:#{1,4} ?|\*\*)?system(?: prompt| message)?(?:\*\*)? ?:(?:\*\*)?\s{0,4}"
        r"(?:you (?:are|must|will|should)|ignore|disregard|from now|override|never|do not)\b",
        r"(?:^|\n)#{2,4} ?system(?: prompt| message)? ?:",
        r"(?:^|\n)### ?instructions?:[^#]{1,400}+### ?response:",
        signs="##",
    ),
    says(
        "forged-turns",
        "human & assistant",
        r"(?:^|\n)\s{0,3}human ?:[^\n]{1,400}+\n\s{0,8}assistant ?:",
        r"(?:^|\n)\s{0,3}assistant ?:[^\n]{1,400}+\n\s{0,8}human ?:",
    ),
    says(
        "forged-boundary",
        "end begin start override & system user untrusted trusted assistant admin developer root",
        r"[-=#*\[<]{2,8} ?(?:end|begin(?:ning)?|start) (?:of )?(?:the )?"
        r"(?:system|user|untrusted|trusted|assistant) (?:prompt|input|instructions?|message"
        r"|data)\b",
        r"\b(?:system|admin|administrator|developer|root) override ?"
        r"(?::|code|activated|engaged|accepted|\])",
    ),
    says(
        "memory-tags",
        "",
        r"</?(?:relevant|recalled|core|long[-_]term|pinned|agent|injected)[-_]"
        r"(?:memory|memories)\b[^<>]{0,80}>",
        signs="-memory¦_memory¦-memories¦_memories",
    ),
    says(
        "tool-calls",
        "",
        r"</?(?:\w{1,12}:)?(?:function_(?:calls?|results?)|tool_(?:calls?|use|results?|response))>",
        r"<(?:\w{1,12}:)?invoke name=",
        r"\[tool_calls\]",
        r"\"(?:tool|function|tool_name|action)\" ?: ?\"(?:bash|shell|execute_\w{1,20}|run_command"
        r"|terminal|exec|send_email|write_file|delete_\w{1,20}|memory_(?:store|forget))\"",
        signs='function_call¦function_result¦invoke¦tool_¦"tool"¦"function"¦"action"',
    ),
    says(
        "image-exfiltration",
        "",
        r"!\[[^\]\n]{0,200}+\]\(https?://[^\s)?]{1,300}+\?[^\s)]{0,200}?=(?:\{|%7b|<|\$|\[)",
        r"!\[[^\]\n]{0,200}+\]\(https?://[^\s)?]{1,300}+\?[^\s)]{0,200}?\b(?:secrets?|leak|exfil"
        r"|conversation|chat_?history|memory|memories|system_?prompt|stolen|passwords?)=",
        signs="![",
    ),
    says(
        "hidden-comment",
        "",
        r"<!--(?:[^-<]|-(?!->)|<(?!!--))*+(?:-->|$)",
        signs="<!--",
        check=order_context.has_order,
    ),
    says(
        "hidden-style",
        "style & none hidden opacity size white fff ffffff",
        r"<[a-z]{1,10}\b[^<>]{0,200}?style ?= ?[\"'][^\"'<>]{0,200}?(?:display: ?none|font-size: ?0"
        r"|visibility: ?hidden|opacity: ?0(?![.\d])|(?<!-)color: ?(?:white"
        r"|#fff(?:fff)?)\b)[^<>]{0,200}>",
        check=order_context.precedes_order,
    ),
)

# These look at the text as it is: folding would take away what they look for.
INVISIBLE = Table(
    # An emoji flag of a region is a black flag with tags; anywhere else tags are hidden letters.
    says("tag-characters", "", "(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]{2,}"),
    says("bidi-override", "", "[\u202d\u202e]+"),
    says("zero-width-run", "", "[\u200b-\u200d\u2060-\u2064\ufeff]{8,}"),
    says("variation-run", "", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"),
)
ENCODED = Table(
    says(
        "encoded-order",
        "",
        r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}+={0,2}",
        check=order_context.decodes_to_order,
    ),
)
