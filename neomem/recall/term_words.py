"""Tables of words: those a question does not ask for, irregular forms, signs of times and asking.

Only signs, in the languages most often written; what is not in a table is a word like any other.
"""

import re

from neomem.text import word_set

ENGLISH_STOP_WORDS = word_set(
    """a an the this that these those here there
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves one ones
    who whom whose what which when where why how whatever whoever whichever whenever wherever
    am is are was were be been being do does did doing done have has had having can could will
    would shall should might must ought cannot don doesn didn isn aren wasn weren wouldn
    couldn shouldn hasn haven hadn dont im ive
    and or but nor if then else than so because as while until though although whether unless
    of at by for with about against between into through during before after above below to from
    up down in out on off over under again further once onto upon toward towards within without
    among across along around behind beside besides beyond despite except near per since via
    all any both each few more most other others some such no not only own same too very just
    also ever even still yet already quite rather really actually anyway perhaps maybe either
    neither much many lot lots several enough every everyone everything anyone anything someone
    something somebody anybody everybody nobody nothing none
    tell show find give let get got know please thanks thank hi hello hey ok okay yes
    remember remind recall said say mean"""
)
# Words of other languages that mean something in English are not here: "die", "AI", "bin", "os".
STOP_WORDS = ENGLISH_STOP_WORDS | word_set(
    """der das den dem des ein eine einen einem einer und oder aber nicht kein keine ich du er sie
    es wir ihr mich dich mir dir uns euch ihm ihn ihnen mein meine meinen meinem meiner dein
    deine sein seine unser unsere ist sind bist wird werden wurde haben habe hatte kann auf aus
    bei mit nach seit von zu zum zur über für wer wie wo wann warum welche welcher welches auch
    noch nur dass im le la les un une du de et ou mais ne pas je tu il elle nous vous ils elles
    mes tes ses notre nos votre leur leurs ce cet cette ces est sont suis était être avoir avons
    avez ont avait dans sur avec chez qui que quoi quel quelle quels quelles où quand pourquoi
    combien au aux en y el los las una unos unas yo tú él nosotros ellos ellas mi mis tus su sus
    nuestro nuestra lo se al como pero porque quién qué cuál cuándo cuando dónde donde cómo
    cuánto está están estaba soy eres somos estar había muy más también ya esto eso este esta ese
    esa gli uno di da nel nella dello della dei degli delle che cosa quale quali quanto perché
    sono è siamo essere avere hanno anche più questo questa quello quella suo sua ed lui lei noi
    voi loro uma uns umas na nas ao à às pelo pela eu ele ela nós eles meu minha seu não são foi
    onde qual het een ik jij hij zij wij jullie mijn jouw zijn haar ons onze niet geen naar voor
    maar ook waar wanneer waarom wat welke hebben heeft deze dit"""
)
STOP_PAIRS = word_set(  # of Chinese and Japanese, which are cut into pairs
    """什么 什麼 哪里 哪裡 怎么 怎麼 为什 為什 多少 是谁 是誰 我的 你的 他的 她的 我们 我們 你们
    です ます ませ した して から まで この その あの どこ なに いつ だれ どう ある いる する った
    って れた こと もの ない すか でし たか の は が を に で と も へ や か ね よ
    的 了 吗 嗎 呢 是 我 你 他 她 在 和"""
)
CLITICS = word_set("s m d t re ve ll")
ELISIONS = word_set("l d j m t s c n qu dell all nell sull dall un")

IRREGULAR = dict[str, str](
    re.findall(
        r"(\w+):(\w+)",
        """bought:buy went:go gone:go goes:go came:come saw:see seen:see met:meet ate:eat eaten:eat
        took:take taken:take made:make gave:give given:give told:tell thought:think taught:teach
        wrote:write written:write spoke:speak spoken:speak left:leave lost:lose sold:sell sent:send
        spent:spend built:build paid:pay kept:keep slept:sleep felt:feel held:hold heard:hear
        found:find began:begin begun:begin broke:break broken:break chose:choose chosen:choose
        drove:drive driven:drive flew:fly flown:fly forgot:forget forgotten:forget grew:grow
        grown:grow knew:know known:know ran:run rode:ride sang:sing swam:swim won:win wore:wear
        worn:wear children:child men:man women:woman people:person feet:foot wives:wife
        knives:knife dying:die lying:lie""",
    )
)

CLOSING = " \t\n\"'`)]}*_~\u201d\u2019\u00bb\u300d\u300f\uff09"
ASKING = tuple("?\uff1f\u061f\u037e\u203d\u2047\u2048\u2049\u2e2e\u1367\u055e\ua60f吗嗎呢か")
_BE = "is|are|was|were|am|do|does|did|will|would|can|could|should|shall|has|have|had|may|might"
WHEN = re.compile(
    rf"""
      (?<!\w)when(?:'s|'re|'d|[ ]+(?:{_BE}|exactly|precisely|else|and)\b|\W*$)
    | (?:know|remember|recall|[ ]me|sure|since|until)[ ]when\b
    | (?:what|which)(?:'s|[ ]is|[ ]was)?(?:[ ]the|[ ]exact)*[ ]+(?:time|day|date|year|month|week
        |weekday|season|decade|century|hour)\b
    | how[ ](?:long[ ](?:ago|since)|recently|soon)\b
    | \b(?:wann|quand|cu[áa]ndo|wanneer|quando|когда|коли|kiedy|när|hvornår|kdy)\b
    | 什么时候|什麼時候|何时|何時|几点|哪天|哪年|いつ|何日|언제|متى|מתי|कब|เมื่อไ
    """,
    re.VERBOSE,
)
OPENING = re.compile(
    rf"""\W*(?:(?:and|so|but|ok|okay|hey|hi|well|now)\b\W+)*(?:
      (?:who|whom|whose|which|where|why|how)(?:'s|'re|'d|'ll)?\b | what(?:'s|'re|'d)?\b(?![ ]an?\b)
    | when(?:'s|'re|'d|[ ](?:{_BE}|exactly)\b|\W*$)
    | (?:{_BE})(?:n't)?[ ](?:i|you|he|she|we|they|there|anyone|anybody)\b
    | (?:is|are|was|were|does|did|will|can|could|should|has)(?:n't)?[ ](?:it|the|my|your|his|her|our
        |their|this|that|these|those|any)\b
    | (?:wer|wie|wo|wann|warum|wieso|welche[rsnm]?|wem|wen|qui|quand|où|comment|pourquoi|combien
        |quel(?:le)?s?|qui[ée]n(?:es)?|qué|cu[áa]ndo|dónde|cómo|cuál(?:es)?|cuánt[oa]s?|chi|quale
        |quali|perché|quanto|quem|onde|qual|quais|waar|wanneer|waarom|welke|hoe|кто|что|где|когда
        |почему|зачем|как|какой|какая|какие|сколько|kto|gdzie|kiedy|dlaczego)\b
    | 谁|誰|什么|什麼|哪|怎么|怎麼|为什么|為什麼|何|どこ|いつ|なぜ|どう
    | 누구|언제|어디|무엇|왜|어떻게|من\b|متى|أين|لماذا|كيف
    )""",
    re.VERBOSE,
)
TIME_WORDS = word_set(
    """january february april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays yesterday today tonight tomorrow ago noon midnight nowadays recently
    fortnight christmas easter thanksgiving weekend summer autumn winter morning
    gestern heute morgen vorgestern montag dienstag mittwoch donnerstag freitag samstag sonntag
    januar februar märz juni juli oktober dezember aujourd hier demain lundi mardi mercredi jeudi
    vendredi samedi dimanche janvier février avril juin juillet août septembre octobre novembre
    décembre ayer hoy mañana lunes martes miércoles jueves viernes sábado domingo enero febrero
    abril junio julio septiembre octubre noviembre diciembre ieri oggi domani ontem hoje amanhã
    вчера сегодня завтра понедельник вторник среду четверг пятницу субботу 어제 오늘 내일"""
)
_UNIT = "(?:second|minute|hour|day|night|week|month|quarter|year|decade|centur)"
SPAN = re.compile(
    r"(?:last|next|this|past|previous|coming|every|each) (?:few |couple of |\w+ )?"
    rf"(?:{_UNIT}|afternoon|evening|spring)"
)
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
DATED = re.compile(
    rf"""\d(?:(?<=\b[12])(?:(?<=1)9|(?<=2)0)\d\d(?!\d) | [./-]\d{{1,2}}[./-]\d\d | :\d\d\b
      | [ ]?(?:[ap]m\b|[ap]\.m\.|o'clock|uhr\b) | (?:st|nd|rd|th)?[ ](?:of[ ])?{_MONTH}
      | [ ]{_UNIT} | [ ]?[年月日년월일])""",
    re.VERBOSE,
)
MONTH_DAY = re.compile(rf"(?i:\b{_MONTH}[a-z]{{0,6}}\.?[ ]\d)|[\w,][ ](?:May|March)\b")
BETWEEN_WORDS = str.maketrans(dict.fromkeys(".,;:!?'\"`()[]{}<>*_/-\u2013\u2014\u2019\u2026", " "))
SPANNING = word_set("last next this past previous coming every each")
MONTHS = word_set("jan feb mar apr may jun jul aug sep sept oct nov dec march")
TIMES_UNSPACED = re.compile(
    "[昨今明前去来來][天日年月晚]|[先今来][週月年]|星期|[周週][一二三四五六日末]|曜日|지난|أمس|اليوم|غدا"
)
