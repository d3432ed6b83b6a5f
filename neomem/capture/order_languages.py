"""The commonest injected orders in German, French, Spanish, Russian, Chinese and Japanese."""
# other scripts are what this is about

from neomem.capture.families import Family, Table, says


def _abroad(name: str, signs: str, *phrases: str) -> Family:
    return says(name, "", *phrases, signs=signs)


ABROAD = Table(
    _abroad(
        "ignore-instructions",
        "ignorier¦consignes¦instructions pr¦instructions ant¦instructions ci¦instrucciones"
        "¦istruzioni¦instruções¦игнорир¦внимания на¦忽略¦无视¦無視¦忽視",
        r"\bignorier(?:en sie|e|t)? (?:(?:bitte|alle|sämtliche|die|deine|ihre|jegliche) )*+"
        r"(?:vorherigen|bisherigen|vorigen|obigen|früheren|vorangegangenen|vorhergehenden) "
        r"(?:anweisungen|instruktionen|befehle|regeln|vorgaben)",
        r"\bignore[zr]? (?:(?:toutes?|les|tes|vos) )*+(?:instructions|consignes|directives|ordres)"
        r" (?:pr[ée]c[ée]dente?s|ant[ée]rieure?s|ci-dessus|pr[ée]alables)",
        r"\b(?:ignor[ae]|ignoren|descart[ae]) (?:(?:todas?|las|tus|sus|as|suas|le|tutte) )*+"
        r"(?:instrucciones|indicaciones|instruções|istruzioni) "
        r"(?:anteriores|previas|de arriba|precedenti)",
        r"(?:игнорируй(?:те)?|не обращай(?:те)? внимания на) (?:(?:все|всё|свои|эти) )*+"
        r"(?:(?:предыдущие|прежние|прошлые|вышеуказанные) (?:инструкции|указания|команды|правила)"
        r"|(?:инструкции|указания|команды) выше)",
        r"(?:忽略|无视|無視|忽視)(?:掉)?(?:你|您)?"
        r"(?:之前|以上|上述|上面|先前|前面|以前|所有|全部|一切|任何|的)++"
        r"(?:指令|指示|说明|提示|命令|规则|規則|設定|设定)",
        r"(?:これまで|以前|上記|前|今まで|先ほど)の(?:すべての|全ての|全)?"
        r"(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて|全て)?(?:無視|忘れ)",
    ),
    _abroad(
        "forget-everything",
        "vergiss¦oublie¦olvida¦olvide¦забудь¦忘记¦忘掉",
        r"\bvergiss (?:alles,? was (?:du|bisher|vorher|oben)"
        r"|(?:(?:alle|deine|die|bisherigen|vorherigen) )++(?:anweisungen|regeln|instruktionen))",
        r"\boublie[zr]? (?:tout ce qui pr[ée]c[èe]de"
        r"|(?:(?:toutes|les|tes|vos) )++(?:instructions|consignes|r[èe]gles))",
        r"\bolvid[ae] (?:todo lo anterior"
        r"|(?:(?:todas|las|tus|sus) )++(?:instrucciones|reglas))",
        r"забудь(?:те)? (?:(?:все|всё|свои|предыдущие|прежние|прошлые) )++"
        r"(?:инструкции|указания|правила)",
        r"(?:忘记|忘掉)(?:你|您)?(?:之前|以上|上面|先前|前面|所有|全部|一切|的)++"
        r"(?:指令|指示|提示|命令|规则)",
    ),
    _abroad(
        "new-instructions",
        "neue anweisungen¦neue instruktionen¦nouvelles instructions¦nouvelles consignes"
        "¦nuevas instrucciones¦новые инструкции¦новые указания¦新指令¦新的指令¦新しい指示",
        r"\bneue (?:anweisungen|instruktionen) ?:",
        r"\bnouvelles (?:instructions|consignes) ?:",
        r"\bnuevas instrucciones ?:",
        r"новые (?:инструкции|указания) ?:",
        r"(?:新(?:的)?指令|新しい指示) ?:",
    ),
    _abroad(
        "unrestricted-persona",
        "uneingeschränkt¦unzensiert¦sans restriction¦sans aucune restriction¦sin restricciones"
        "¦sin ninguna restric¦без ограничений¦不受¦制限のない",
        r"\bdu bist (?:jetzt|nun|ab sofort|ab jetzt) (?:eine? )?"
        r"(?:uneingeschränkte?|unzensierte?) (?:ki|assistent|modell)",
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais) (?:une? )?(?:ia|assistant) "
        r"sans (?:aucune )?restrictions?",
        r"\beres (?:ahora )?(?:una? )?(?:ia|asistente) sin (?:ninguna )?restricci(?:ones|ón)",
        r"ты (?:теперь )?(?:ии|модель|ассистент) без (?:каких-либо )?ограничений",
        r"你(?:现在)?是(?:一个)?不受(?:任何)?(?:限制|约束)的",
        r"あなたは(?:今から)?制限のない(?:ai|アシスタント)",
    ),
    _abroad(
        "from-now-on",
        "ab jetzt¦ab sofort¦ab nun¦désormais¦partir de maintenant¦partir de ahora"
        "¦ahora en adelante¦этого момента¦отныне¦从现在",
        r"\bab (?:jetzt|sofort|nun) (?:wirst|musst|sollst) du (?:nur |immer |stets )?"
        r"[^.\n]{0,40}?\b(?:gehorchen|ignorieren|befolgen|so tun)",
        r"\b(?:à partir de maintenant|désormais),? tu (?:dois|vas) (?:toujours )?"
        r"(?:m'obéir|obéir|ignorer|te comporter|prétendre)",
        r"\b(?:a partir de ahora|de ahora en adelante),? (?:debes|vas a|tienes que) (?:siempre )?"
        r"(?:obedecer|ignorar|comportarte|fingir)",
        r"(?:с этого момента|отныне) ты (?:должен |будешь )?(?:всегда )?"
        r"(?:подчиняться|игнорировать|притворяться|вести себя как)",
        r"从现在(?:开始|起),?你(?:必须|要|将)(?:服从|忽略|扮演|无视)",
    ),
    _abroad(
        "obey-me",
        "gehorchen¦m'obéir¦obedecerme¦подчиняться¦повиноваться¦服从",
        r"\bdu musst (?:mir|(?:allen )?meinen befehlen) gehorchen",
        r"\btu dois (?:toujours )?m'obéir",
        r"\bdebes (?:siempre )?obedecerme",
        r"ты должен (?:мне )?(?:подчиняться|повиноваться)",
        r"你必须(?:完全)?服从我",
    ),
    _abroad(
        "reveal-prompt",
        "systemprompt¦system-prompt¦systemanweisung¦système¦del sistema¦de sistema¦системн"
        "¦系统提示¦系统指令¦初始指令¦システムプロンプト",
        r"\b(?:zeige?|verrate?|nenne?|gib) (?:mir )?(?:deinen?|ihren?|deine) "
        r"(?:system-?prompt|system-?anweisung(?:en)?)",
        r"\b(?:révèle|montre|affiche|donne)[zs]?(?:-moi)? (?:ton|ta|tes|votre|vos) "
        r"(?:prompt|invite|message|instructions|consignes) système",
        r"\b(?:revela|muestra|muéstrame|dime|imprime) (?:tus?|su) "
        r"(?:prompt|mensaje|instrucciones) del? sistema",
        r"(?:покажи|раскрой|выведи|напиши)(?:те)? (?:мне )?(?:свой |твой |ваш )?"
        r"(?:системный (?:промпт|запрос)|системн(?:ые|ую) инструкци[ию])",
        r"(?:显示|输出|告诉我|透露|泄露|打印|重复)(?:出)?(?:你|您)?的?(?:完整的?)?"
        r"(?:系统提示|系统指令|初始指令)",
        r"システムプロンプトを(?:表示|教えて|出力|公開|見せて)",
    ),
    _abroad(
        "send-away",
        "schick¦sende ¦envoie¦envoyez¦envía¦отправь¦发送¦上传",
        r"\b(?:schicke?|sende) (?:(?:alle|die|das|deine) )*+"
        r"(?:passwörter|geheimnisse|erinnerungen|zugangsdaten|gespräche) "
        r"[^\n]{0,40}?\ban (?:https?://|[\w.+-]{1,64}@)",
        r"\b(?:envoie|envoyez|envía) (?:(?:tous|toutes|les|tes|todas?|todos|los|las|tus) )*+"
        r"(?:mots de passe|secrets|souvenirs|conversations|contraseñas|secretos|recuerdos) "
        r"[^\n]{0,40}?\b[àa] (?:https?://|[\w.+-]{1,64}@)",
        r"отправь(?:те)? (?:(?:все|всю|свои) )*+(?:пароли|секреты|переписку|воспоминания|ключи) "
        r"[^\n]{0,40}?\bна (?:https?://|[\w.+-]{1,64}@)",
        r"(?:把|将)[^\n]{0,20}?(?:密码|密钥|对话|记忆|聊天记录)[^\n]{0,10}?"
        r"(?:发送|上传)(?:到|给) ?(?:https?://|[\w.+-]{1,64}@)",
    ),
    _abroad(
        "keep-from-user",
        "benutzer¦nutzer¦utilisateur¦usuario¦пользовател¦用户¦ユーザー",
        r"\bsage? (?:dem|der) (?:be)?nutzer(?:in)? (?:davon )?nichts",
        r"\bne (?:le )?dis (?:rien|pas)[^.\n]{0,20}? à l'utilisateur",
        r"\bno (?:le |se lo )?digas (?:nada )?al usuario",
        r"не (?:говори|сообщай|рассказывай) (?:об этом )?пользователю",
        r"(?:不要|别|请勿)(?:告诉|告知|通知)用户",
        r"ユーザーに(?:は)?(?:言わない|伝えない|教えない|知らせない)",
    ),
    _abroad(
        "memory-poisoning",
        "merke dir¦merk dir¦souviens-toi¦rappelle-toi¦recuerda que¦запомни¦记住¦覚えて",
        r"\bmerke? dir,? dass du (?:immer|nie|stets)\b",
        r"\b(?:souviens|rappelle)-toi que tu (?:dois toujours|ne dois jamais)",
        r"\brecuerda que (?:siempre|nunca) debes",
        r"запомни(?:те)?,? что ты (?:должен )?(?:всегда|никогда)",
        r"记住,?你(?:必须|要)(?:总是|永远|一直)",
        r"(?:常に|必ず)[^\n]{1,40}?(?:するように|すると)覚えて(?:おいて)?ください",
    ),
)
