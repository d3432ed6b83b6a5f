"""Words of small talk, orders and the first person in eleven languages.

The lists only sharpen the gate's rules of length, script and form, which hold in any language.
"""
# other scripts are what this is about

import re


def _words(*languages: str) -> frozenset[str]:
    return frozenset(word for words in languages for word in words.split())


def _phrases(*languages: str) -> str:
    """Return alternatives, longest first, so that an atomic group takes the right one."""
    phrases = [phrase for words in languages for phrase in words.split("|")]
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


# A sentence of these words alone says nothing that lasts.
EMPTY = _words(
    """hi hello hey hiya yo there good morning afternoon evening night nite day bye goodbye cya see
    you later soon tomorrow today now then take care welcome happy new year birthday merry
    christmas congratulations congrats thanks thank thx ty tysm cheers much lot a an the so very
    really quite ok okay k kk okey okie alright right yes yeah yep yup ya y no nope nah n sure
    course of absolutely definitely exactly certainly totally fine great good perfect cool nice
    awesome amazing excellent wonderful brilliant fantastic lovely neat sweet wow oh ah aha ooh hmm
    hm mm mhm uh um er well lol lmao rofl haha hahaha hehe xd got gotcha it it's its i i'm i'll i'd
    i've see understand understood know knew makes make sense that that's this those these was is
    are am be been were fair enough point question idea job work worked works working done doing do
    does did helpful help helps helped useful for explaining explanation appreciate appreciated
    interesting sounds sound looks look like love loved to me us we let's let lets go going gone
    ahead on and or but if in with at as by just up down out off over back here please pls plz
    never mind nvm wait stop hold one sec second moment minute min give think thinking maybe
    perhaps idk dunno dont don't doesn't didn't can't cannot won't isn't not still same error
    problem problems worries anytime whatever you're your yours u best better which what how how's
    what's why who when where can could would should will shall may might must has have had need
    needs needed want wanted anything something everything nothing else any some more all always
    again also too yet only ready time hope hoping feel free reach question questions other happy
    glad sorry apologize apologies apologise confusion patience assist assistance whenever ask
    asking try trying move next continue keep proceed test testing 123 lgtm agreed agree deal brb
    afk gtg omg np yw pls bro man dude mate buddy guys everyone folks friend pleasure enjoy rest
    weekend kind""",
    """hallo moin servus guten gute tag morgen abend nacht tschüss danke dank dir ihnen euch vielen
    sehr schön gern gerne bitte ja nein doch klar alles okay passt gut super toll prima perfekt
    genau stimmt richtig verstanden verstehe aha achso mach machen das es so weiter jetzt noch mal
    hilft mir ist war wirklich bis bald später und oder los wie geht's geht dann wow ne nee jo""",
    """bonjour bonsoir salut coucou ça ca va merci beaucoup bien très oui non d'accord daccord
    parfait super génial top entendu compris voilà exactement bonne nuit journée soirée au revoir
    à bientôt stp svp s'il te vous plaît plait vas-y allez c'est ok marche pas de problème je vois
    et toi tout continue mdr ptdr""",
    """hola buenas buenos días dias tardes noches qué que tal cómo como estás estas gracias muchas
    muy amable vale sí si no claro perfecto genial bueno bien listo entendido de acuerdo ok hazlo
    por favor adiós adios hasta luego mañana nada jaja jajaja jajajaja sigue dale está eso es""",
    """olá ola oi bom boa dia tarde noite tudo bem obrigado obrigada brigado valeu beleza tá ta bom
    ok sim não nao claro perfeito ótimo legal certo entendi pode fazer isso pela ajuda por favor
    tchau até logo amanhã muito kkk kkkk kkkkk rs continua""",
    """ciao buongiorno buonasera buonanotte salve grazie mille tante molto prego va bene d'accordo
    sì si no certo perfetto ottimo bene capito ho esatto giusto okay per favore continua pure fallo
    arrivederci a dopo domani ahah ahaha ahahah ahahaha come stai""",
    """привет здравствуй здравствуйте добрый доброе день утро вечер спокойной ночи пока спасибо
    большое огромное пожалуйста ок окей да нет ага угу хорошо ладно отлично супер круто класс понял
    поняла понятно ясно давай конечно точно верно продолжай дальше ещё раз как дела ахаха хаха
    ахахаха до встречи завтра очень и а""",
    """مرحبا أهلا اهلا وسهلا السلام عليكم وعليكم صباح مساء الخير النور شكرا شكراً جزيلا جزيلاً لك
    نعم لا حسنا حسناً تمام طيب ممتاز رائع جيد تفضل أكيد بالتأكيد مع السلامة إلى اللقاء من فضلك
    عفوا تابع استمر هههه ههههه هههههه كيف حالك فهمت""",
    """안녕 안녕하세요 네 넵 예 응 아니요 아니 감사합니다 감사해요 고마워 고마워요 고맙습니다 좋아요
    좋아 좋습니다 알겠습니다 알겠어요 알았어 그래 그래요 오케이 수고하셨습니다 수고하셨어요
    수고하세요 계속 계속해 계속해요 주세요 부탁해요 부탁드려요 부탁드립니다 맞아요
    그렇군요 대박 정말 진짜""",
)

# The same for scripts that run words together; a sentence made of these alone.
EMPTY_PHRASES = _phrases(
    "你好|您好|大家好|早上好|下午好|晚上好|早安|晚安|再见|拜拜|谢谢|多谢|谢了|感谢|辛苦了|好的|好|可以|行|"
    "嗯|哦|哈|呵|嘿|对|是的|是|没问题|没事|不客气|明白了|明白|知道了|懂了|收到|了解|太好了|太棒了|很好|不错|"
    "厉害|加油|继续|请|你|您|啊|吧|呀|了|的|不|要|不用|不要|好吧|随便|等一下|稍等|真的|吗",
    "おはよう|おはようございます|こんにちは|こんばんは|おやすみ|おやすみなさい|さようなら|ありがとう|"
    "ありがとうございます|ありがとうございました|どうも|どうぞ|すみません|ごめん|ごめんなさい|はい|いいえ|いえ|"
    "うん|ええ|了解|承知|しました|です|ですね|そう|そうですね|そうです|なるほど|わかりました|分かりました|わかった|"
    "分かった|いいね|いいですね|すごい|素晴らしい|お願いします|お願い|よろしく|よろしくお願いします|お疲れ様|"
    "お疲れさま|お疲れ|続けて|続き|ください|草|笑|ね|よ|です|ます|でした|大丈夫|オッケー|オーケー",
    "ㅋ|ㅎ|ㅇ|ㅠ|ㅜ",
)

# The first person, and people spoken of: a short sentence with one of them may matter.
SELF = _words(
    "i i'm i've i'd i'll im ive we we're we've we'll we'd she she's he he's they they're his her",
    "ich wir er sie",
    "je nous il elle",
    "yo soy estoy tengo vivo somos",
    "eu sou estou tenho moro somos",
    "io sono ho siamo abbiamo",
    "я мы она он мне меня нам нас",
    "أنا انا عندي لدي نحن",
    "저는 나는 저희 우리 우리는 나 저",
)
OWN = _words(
    "my mine our ours myself",
    "mein meine meinen meiner meinem meines unser unsere unseren unserem",
    "mon ma mes notre nos",
    "mi mis nuestro nuestra nuestros nuestras",
    "meu minha meus minhas nosso nossa nossos nossas",
    "mio mia miei mie nostro nostra nostri",
    "мой моя моё мои моего моей мою моих наш наша наши нашей",
    "제 내 우리",
)
SELF_CHARACTERS = frozenset("我咱俺私僕")

# Words that make an order last, or give its reason.
RULES = _words(
    """always never don't only because since instead unless until before after every not no must
    from anymore sure ensure remember""",
    "immer nie niemals nur weil statt bevor keine kein nicht ab",
    "toujours jamais seulement parce car ne pas sans avant",
    "siempre nunca solo sólo porque sin antes",
    "sempre nunca só porque sem antes",
    "sempre mai solo perché senza prima non",
    "всегда никогда только потому без не",
    "دائما دائماً أبدا فقط لأن بدون",
    "항상 절대 왜냐하면 때문에",
)

# A short sentence that begins with one of these asks for something to be done now.
ORDERS = _words(
    """run rerun fix commit push pull merge open close show display explain describe summarize
    summarise shorten rewrite rephrase translate undo redo revert rollback do make tell write
    continue go keep try retry stop start restart check recheck add remove delete create update
    refactor rename list print give generate implement build rebuild test deploy review read look
    search find send draft debug clean format lint install save load repeat proceed finish apply
    convert compare sort help change improve simplify expand elaborate execute launch""",
    """führ führe starte mach mache zeig zeige erklär erkläre schreib schreibe übersetz übersetze
    korrigier korrigiere prüf prüfe lösch lösche behebe fasse fass such suche öffne teste versuch
    versuche lies gib hilf""",
    """lance lancer exécute corrige montre explique écris traduis résume cherche ouvre vérifie
    supprime ajoute fais donne relance essaie teste refais réessaie aide""",
    """ejecuta corrige arregla arréglalo muestra muéstrame explica escribe traduce resume busca abre
    revisa borra añade haz dame prueba intenta lanza corre ayúdame cuéntame dime""",
    """roda rode executa execute corrige corrija mostra mostre explica explique escreve escreva
    traduz traduza resume resuma busca busque abre abra verifica verifique apaga adiciona faz faça
    conserta testa teste tenta tente""",
    """esegui lancia correggi mostra mostrami spiega scrivi traduci riassumi cerca apri controlla
    cancella aggiungi fai dammi prova sistema avvia dimmi aiutami""",
    """запусти исправь покажи объясни напиши переведи найди открой проверь удали добавь сделай
    попробуй повтори перепиши сократи обнови создай дай расскажи помоги закоммить""",
    "شغل شغّل أصلح اعرض اشرح اكتب ترجم لخص ابحث افتح تحقق احذف أضف نفذ جرب أعد ساعدني",
)
ORDER_FORMS = re.compile(
    r"(?:请|帮我|给我|再)?(?:运行|执行|跑|修复|修改|改一下|解释|翻译|总结|写|看看|看一下|检查|打开|"
    r"提交|删除|重试|试试|告诉我|讲).{0,8}"
    r"|.{0,10}(?:して|てください|してくれ|やって|見せて|教えて|直して|書いて)"
    r"|.{0,14}(?:해줘|해주세요|하세요|해봐|보여줘|알려줘|고쳐줘|돌려줘|써줘)"
)

# What a sentence begins with when it only says what is done next.
NARRATION = re.compile(
    r"(?:(?:now|first|next|then|so|okay|ok|and|perfect|great) )?"
    r"(?:let me\b|(?:let's|let us) (?:do|move|continue|go|start|see|update|fix|run|try|check|look|"
    r"proceed|begin|take|get|keep|test)\b|(?:i'll|i will|i'm going to|i am going to|i'm gonna) "
    r"(?:now |first |also |just |quickly )?(?:check|look|search|read|run|fix|get|start|begin|"
    r"update|create|implement|take|try|continue|help|do|go|be right|be back|examine|review|add|"
    r"write|make|explore|investigate|analy[sz]e|verify|think)\b|(?:i'm|i am) (?:now )?(?:checking|"
    r"looking|searching|reading|running|happy to|glad|sorry|here to|on it)\b|looking (?:at|into)\b|"
    r"(?:checking|reading|running|searching|analy[sz]ing) |(?:here's|here is|here are|below is|"
    r"this is) (?:the|your|an?|my) (?:updated|code|corrected|full|fixed|complete|new|result|output|"
    r"trace|log|error|file|diff))"
    r"|ich (?:schaue|sehe|prüfe|lese|suche|starte|kümmere)\b"
    r"|je (?:regarde|vérifie|vais|lance|lis|cherche)\b"
    r"|(?:voy a|déjame|déjeme) "
    r"|(?:vou|deixa eu|deixe-me) (?:ver|verificar|olhar|checar|analisar|procurar)\b"
    r"|(?:ora )?(?:controllo|guardo|vediamo|verifico)\b"
    r"|(?:сейчас )?(?:посмотрю|проверю|смотрю|проверяю)\b"
    r"|(?:让我|我来|我先)(?:看|检查|查|分析|试)"
    r"|.{0,16}(?:確認します|見てみます|調べます)"
    r"|.{0,16}(?:확인해 보겠습니다|확인하겠습니다|살펴보겠습니다)"
    r"|(?:دعني|سأقوم) "
)
# What it begins with when it offers help, or takes leave.
CLOSING = re.compile(
    r"let me know\b|would you like|should i |shall i |do you want|feel free|as an ai\b|"
    r"is there anything|(?:i )?hope (?:this|that|it) helps|if you (?:have|need) any|"
    r"happy to help|don't hesitate"
    r"|(?:sag|sagen sie|gib|geben sie) (?:mir |einfach )?bescheid|melde? dich|lass mich wissen"
    r"|n'hésite[sz]? pas|(?:dites|dis)[- ]moi si|faites-moi savoir"
    r"|avís[ae]me|dime si|no dudes|hazme saber|házmelo saber|estoy aquí para"
    r"|(?:fico|estou) à disposição|me avis[ae]|qualquer (?:coisa|dúvida)|é só (?:avisar|chamar)"
    r"|fammi sapere|fatemi sapere|resto a disposizione|non esitare"
    r"|обращай(?:тесь|ся)|дай(?:те)? знать|если (?:что|будут вопросы)"
    r"|如果?(?:您|你)?(?:还)?(?:有|需要).{0,12}(?:问题|需要|帮助)|有(?:任何|其他|什么)问题|随时(?:告诉|联系|问)"
    r"|.{0,16}(?:お気軽に|ご質問があれば|ご不明な点)"
    r"|.{0,16}(?:언제든지|말씀해 주세요)"
    r"|(?:أخبرني|أعلمني) (?:إذا|إن)|لا تتردد"
)

QUESTION_WORDS = _words(
    "what what's how how's why who who's which where where's whose whats hows",
    "was wie warum wieso wer welche welcher wo",
    "quoi comment pourquoi qui quel quelle où combien",
    "qué cómo quién cuál dónde cuándo cuánto",
    "quem qual onde quanto",
    "cosa chi quale dove quanto perché",
    "что как почему зачем кто какой какая где когда сколько который",
    "ما ماذا كيف لماذا من أين متى كم هل",
)
TOLD = re.compile(
    r"\b(?:know(?: that)?,? (?:i|we|my|our)\b|wusstest du|weißt du, dass|(?:sais|savais|savez)[- ]"
    r"(?:tu|vous)?|tu sais|sab[ií]as? que|lo sapevi|sai che|знаешь|знал[аи]?)"
    r"|知道|知って|아세요|알아|هل تعلم"
)
