"""The secrets the guard knows, a row per family."""

import re

from neomem.capture import secret_values
from neomem.capture.families import Check, Family, Table

SHORTEST_TOKEN = 20

# `re` skips ahead to a first letter, but not past a look behind: so that comes after the letter.
# A token may follow the `\n` of a string in code, whose n is no part of it.
_FIRST = re.compile(r"^(?:\[[^\]]+\]|[A-Za-z])(?![{?])")
_AFTER_FIRST = r"(?:(?<![A-Za-z0-9].)|(?<=\\[nrt].))"
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_END = r"(?![A-Za-z0-9])"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_KEY_LINES = (
    r"(?:(?:\s|\\[nrt]|[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,80}|[\"'+,>|])*+"
    r"[A-Za-z0-9+/]{16,}+={0,2})++"
)
# `name = value`, `"name": "value"`, `name: str = 'value'`, `**name:** value`, `<name>value<`
_ASSIGNED = (
    r"""s?["'\\\]*]{0,4}[ \t]{0,3}"""
    r"""(?::[ \t]{0,2}(?:Optional\[)?&?(?:str|SecretStr|string)\]?[ \t]{0,2}(?==))?"""
    r"""(?:>([^\s<>"']{1,512})</|(?:=>|:=|={1,3}|:)[\s*]{0,5}(?:[bfru]?\\?"([^"\n]{1,512}?)\\?"|[bfru]?\\?'([^'\n]{1,512}?)\\?'|`([^`\n]{1,512})`"""
    r"""|([^\s"'`,;<。]{1,1024})))"""
)
_SAID = (
    r"""(?:[ ](?:for|to|of|on|from|für|vom|zum|du|de|pour|del|para|от|для|к)[ ]"""
    r"""[^\n:=.!?"'`]{1,40}?)?"""
    r"""(?:(?:[ ](?i:is[ ]now|is|was|will[ ]be"""
    r"""|ist|lautet|war|est|es|é|это)[ :]|是|为|為|は)"""  # codespell:ignore ist
    r"""\s{0,3}["'`*“”«„「]{0,3}|(?:[ ]?[:\u2013\u2014]|[ ]-[ ])[\s*]{0,3})"""
    r"""([^\s"'`“”«»」,。]{4,128})"""
)


def _any_case(*words: str) -> str:
    """Make a group of words in any case; `re` skips ahead only to letters whose case is given."""
    forms = (
        f"{first}(?i:{word[1:]})"
        for word in words
        for first in dict.fromkeys((word[0], word[0].upper()))
    )
    return f"(?:{'|'.join(forms)})"


def _family(name: str, signs: str, *patterns: str, check: Check | None = None) -> Family:
    """Make a row; a no-break space stands for a space inside a sign."""
    texts = tuple(sign.replace("\xa0", " ") for sign in signs.split(" ") if sign)
    return Family(name, tuple(map(re.compile, patterns)), signs=texts, check=check)


def _alone(form: str) -> str:
    """Make a pattern for a token that is no part of a longer word."""
    first = _FIRST.match(form)
    if not first:
        return _START + form + _END
    return first[0] + _AFTER_FIRST + form[first.end() :] + _END


def _token(name: str, signs: str, *forms: str) -> Family:
    """Make a row for tokens that carry their maker's prefix."""
    return _family(name, signs, *map(_alone, forms), check=secret_values.is_token)


def _beside(name: str, maker: str, form: str) -> Family:
    """Make a row for tokens without a form of their own, beside their maker's name."""
    words = r"(?i:key|token|secret|pass)"
    pattern = rf"{_any_case(maker)}[^\n]{{0,20}}?{words}[^\n]{{0,20}}?{_START}({form}){_END}"
    return _family(name, maker, pattern, check=secret_values.is_token)


_PASSWORD_WORDS = (
    *("password", "passwd", "passwort", "kennwort", "passphrase", "passcode", "senha", "parola"),
    *("mot de passe", "contrase[ñn]a", "wachtwoord", "hasło"),  # codespell:ignore mot
    *("парол[ья]", "密码", "密碼", "パスワード"),
    *(r"p(?<![A-Za-z].)w", r"p(?<![A-Za-z].)ass(?= ?=)"),
)
_SIGNS = (
    "passw passp passc pass= pass\xa0= pw kennwort senha parola contrase wachtwoord hasło"
    " mot\xa0de\xa0passe парол 密码 密碼 パスワード"  # codespell:ignore mot
)
_SQL = (r"user\b[^\n;]{0,80}?\bpassword", r"role\b[^\n;]{0,80}?\bpassword")
_KEY_USES = (
    *("access", "account", "api", "app", "auth", "deploy", "encryption", "jwt", "master"),
    *("private", "secret", "service", "session", "signing"),
)
_KEY_WORDS = ("secret", "token", "credential", *(f"{use}[-_ ]?key" for use in _KEY_USES))

# Each of these has a run of at least SHORTEST_TOKEN characters without a space.
TOKENS = Table(
    _token("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+"),
    _token("aws-access-key", "akia asia abia acca", r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}"),
    _beside("aws-secret-key", "aws", r"[A-Za-z0-9/+]{40}(?![/+])"),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,}+"),
    _token("github-fine-grained-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{36,}+"),
    _token("gitlab-token", "glpat- gldt- glrt- glptt-", r"gl(?:pat|dt|rt|ptt)-[\w.-]{20,}+"),
    _token("slack-token", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{15,}+"),
    _token("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}+"),
    _token("stripe-key", "k_live_ k_test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+"),
    _token("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}+"),
    _token("google-api-key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _token("google-oauth-secret", "gocspx- ya29.", r"GOCSPX-[\w-]{20,}+", r"ya29\.[\w-]{20,}+"),
    _token("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,}+"),
    _token("openai-key", "sk-", r"sk-[A-Za-z0-9]{32,}+", r"sk-(?:proj|svcacct|admin)-[\w-]{20,}+"),
    _token(
        "model-provider-key",
        "sk-or- gsk_ xai- r8_ pplx- nvapi-",
        r"(?:sk-or-v1-|gsk_|xai-|r8_|pplx-|nvapi-)[A-Za-z0-9_-]{32,}+",
    ),
    _token("hugging-face-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}+"),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _token("pypi-token", "pypi-", r"pypi-[A-Za-z0-9_-]{50,}+"),
    _token("rubygems-token", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("docker-token", "dckr_", r"dckr_[po]at_[A-Za-z0-9_-]{20,}+"),
    _token("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _token("mailgun-key", "key-", r"key-[0-9a-f]{32}"),
    _token("twilio-key", "sk", r"SK[0-9a-f]{32}"),
    _token("telegram-token", ":aa", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    _token("discord-token", "", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    _token(
        "discord-webhook", "/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,20}/[\w-]{40,}+"
    ),
    _family(
        "azure-key",
        "accountkey sharedaccess sig=",
        r"(?i:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}([A-Za-z0-9+/]{40,}+={0,2})",
        r"(?i:[?&]sig=)([A-Za-z0-9%+/]{40,}+={0,2})",
        check=secret_values.is_token,
    ),
    _token("digitalocean-token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("heroku-token", "hrku-", r"HRKU-[A-Za-z0-9_-]{30,}+"),
    _beside("heroku-key", "heroku", _UUID),
    _token("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _token("notion-token", "secret_ ntn_", r"secret_[A-Za-z0-9]{43}", r"ntn_[A-Za-z0-9]{40,}+"),
    _token("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}+"),
    _token("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{36,}+"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _token("square-token", "sq0 eaaa", r"sq0[a-z]{3}-[\w-]{22,}+", r"EAAA[\w-]{56,}+"),
    _beside("cloudflare-token", "cloudflare", r"[A-Za-z0-9_-]{37,40}"),
    _token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,}+"),
    _beside("datadog-key", "datadog", r"[0-9a-f]{32}(?:[0-9a-f]{8})?"),
    _token("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9_+/=-]{32,}+"),
    _token("new-relic-key", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    _token("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9_+/=-]{32,}+"),
    _token("postman-key", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("atlassian-token", "atatt3", r"ATATT3[A-Za-z0-9_=-]{60,}+"),
    _token("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}+"),
    _token("supabase-token", "sbp_", r"sbp_[0-9a-f]{40}"),
    _token("jwt", "eyj", r"eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}+"),
)

SECRETS = Table(
    _family(
        "private-key",
        "-----begin",
        # Whole, or cut: then as far as the lines look like a key's.
        r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        rf"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{{3,40}}-----|{_KEY_LINES})",
        check=secret_values.is_pem,
    ),
    _family("putty-key", "private-lines", rf"Private-Lines: \d{{1,3}}{_KEY_LINES}"),
    _family(
        "url-password",
        "://",
        r"://[^\s/:@\"'<>]{0,64}:([^\s/@\"'<>]{3,128})@[\w\[$<{]",
        check=secret_values.is_inline_password,
    ),
    _family(
        "authorization-header",
        "bearer authorization",
        _any_case("authorization")
        + r"""["'\\]{0,2}\s?[:=]\s?["'\\]{0,2}(?i:bearer|basic|token|digest)[ ]"""
        + r"([A-Za-z0-9._~+/=-]{8,}+)",
        _any_case("bearer") + r" ([A-Za-z0-9._~+/=-]{20,}+)",
        check=secret_values.is_key,
    ),
    _family(
        "netrc-password",
        "login",
        r"login\s{1,4}\S{1,64}\s{1,4}password\s{1,4}(\S{4,128})",
        check=secret_values.is_inline_password,
    ),
    _family(
        "command-line-password",
        "--pass --token --api --secret --auth curl sshpass mysql",
        r"--(?:password|passwd|pass|token|api-?key|secret(?:-key)?|auth-token)[= ]"
        r"['\"]?([^\s'\"]{6,256})",
        r"curl\b[^\n]{0,200}?\s(?:-u|--user)[= ]?['\"]?[^\s:'\"]{1,64}:([^\s'\"]{4,128})",
        r"sshpass -p ?['\"]?([^\s'\"]{4,128})",
        r"mysql(?:dump|admin)?\b[^\n]{0,80}?\s-p([^\s'\"]{6,64})",
        check=secret_values.is_password,
    ),
    _family(
        "sql-password",
        "identified password",
        _any_case(r"identified(?: with \w{1,40})? by", *_SQL) + r"\s{1,4}'([^'\n]{4,128})'",
        check=secret_values.is_inline_password,
    ),
    _family(
        "login-pair",
        "creds credentials login _auth",
        _any_case("creds", "credentials", "login", "_auth")
        + r"(?: are| is| with|:|=) ?[A-Za-z][\w.@+-]{1,40} ?[/:] ?([^\s/:,;]{6,64})(?![\w/])",
        check=secret_values.is_said,
    ),
    _family(
        "seed-phrase",
        "seed recovery mnemonic",
        _any_case("seed", "recovery", "mnemonic")
        + r"(?: phrase| words?)?[^\n:=]{0,30}(?:[:=]|\bis\b)\s{0,3}"
        r"[\"'`]?([a-z]{3,8}(?:[ ][a-z]{3,8}){11,23}+)(?![ ]?[a-z])",
        check=secret_values.is_seed,
    ),
    _family(
        "card-number",
        "",
        r"[2456](?<![\w.,/+-].)(?:(?<=4)\d{3}|(?<=5)[1-5]\d\d|(?<=2)[2-7]\d\d|(?<=6)(?:011|5\d\d))"
        r"(?:[ -]?\d{4}){3}(?![\w-]|[.,]\d)",
        r"3(?<![\w.,/+-].)[47]\d\d[ -]?\d{6}[ -]?\d{5}(?![\w-]|[.,]\d)",
        check=secret_values.is_card,
    ),
    _family(
        "pin",
        "pin\xa0 pin: pin= geheimzahl пин-код",
        _any_case(r"p(?<!\w.)in\b(?: code| number)?", "geheimzahl", "пин-код")
        + r"(?: for [^\n:.]{1,30}?)?(?: is| ist| est| es|:| =|=| -)"  # codespell:ignore ist
        + r" ?(\d{4})(?![\d:/.-]\d|\d)",
        check=secret_values.is_pin,
    ),
    _family(
        "assigned-password",
        f"{_SIGNS} pwd _pass",
        _any_case(*_PASSWORD_WORDS, "pwd", "_pass") + _ASSIGNED,
        check=secret_values.is_password,
    ),
    _family(
        "said-password",
        _SIGNS,
        _any_case(*_PASSWORD_WORDS) + _SAID,
        _any_case("парол[ья]") + r" ([A-Za-z0-9!@#$%^&*_-]{6,64})",
        check=secret_values.is_said,
    ),
    _family(
        "assigned-key",
        "secret token key credential",
        _any_case(*_KEY_WORDS) + f"(?:{_ASSIGNED}|{_SAID})",
        check=secret_values.is_key,
    ),
)
