"""Words of the calendar in the languages neomem reads, lower case, and patterns made of them."""

import re
import unicodedata
from collections.abc import Iterable

Count = tuple[int, int]


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for one of the words, the longest first."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def fold(words: str) -> str:
    """Return words without case and accents."""
    apart = unicodedata.normalize("NFKD", words.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _numbered(first: int, *rows: str) -> dict[str, int]:
    """Return the number of each word's row; `_` stands for a space in what is more than a word."""
    return {
        word.replace("_", " "): number
        for number, row in enumerate(rows, first)
        for word in row.split()
    }


MONTHS = _numbered(
    1,
    "january januar jänner janvier enero gennaio januari janeiro январь января январе",
    "february februar février febrero febbraio februari fevereiro февраль февраля феврале",
    "march märz mars marzo maart março март марта марте",
    "april avril abril aprile апрель апреля апреле",
    "may mai mayo maggio mei maio май мая мае",
    "june juni juin junio giugno junho июнь июня июне",
    "july juli juillet julio luglio julho июль июля июле",
    "august août agosto augustus август августа августе",
    "september septembre septiembre settembre setembro сентябрь сентября сентябре",
    "october oktober octobre octubre ottobre outubro октябрь октября октябре",
    "november novembre noviembre novembro ноябрь ноября ноябре",
    "december dezember décembre diciembre dicembre dezembro декабрь декабря декабре",
)
SHORT_MONTHS = _numbered(
    1, "jan", "feb", "mar", "apr", "", "jun", "jul", "aug", "sep sept", "oct", "nov", "dec"
)
_OTHER_SHORT_MONTHS = _numbered(
    1,
    "janv jän ene gen",
    "febr fév févr fev",
    "mär mrt mrz",
    "avr abr",
    "mag",
    "giu",
    "juil lug",
    "aoû ago",
    "set sett",
    "okt ott out",
    "",
    "déc dez dic",
)
ALL_MONTHS = MONTHS | SHORT_MONTHS
WRITTEN_MONTHS = {fold(word): number for word, number in (ALL_MONTHS | _OTHER_SHORT_MONTHS).items()}

WEEKDAYS = _numbered(
    0,
    "monday montag lundi lunes lunedì maandag понедельник",
    "tuesday dienstag mardi martes martedì dinsdag вторник",
    "wednesday mittwoch mercredi miércoles mercoledì woensdag среда среду",
    "thursday donnerstag jeudi jueves giovedì donderdag четверг",
    "friday freitag vendredi viernes venerdì vrijdag пятница пятницу",
    "saturday samstag sonnabend samedi sábado sabato zaterdag суббота субботу",
    "sunday sonntag dimanche domingo domenica zondag воскресенье",
)
SHORT_WEEKDAYS = _numbered(0, "mon", "tue tues", "wed", "thu thur thurs", "fri", "sat", "sun")
HAN_WEEKDAYS = _numbered(0, "一", "二", "三", "四", "五", "六", "日 天")
_OTHER_SHORT_WEEKDAYS = _numbered(
    0, "mo lun", "di", "mi mer", "do jeu", "fr ven", "sa sam", "so dim"
)
WRITTEN_WEEKDAYS = {*map(fold, WEEKDAYS), *SHORT_WEEKDAYS, *_OTHER_SHORT_WEEKDAYS}

SEASONS = _numbered(
    0,
    "spring frühling frühjahr printemps primavera lente весной весна 春天",
    "summer sommer été verano zomer летом лето 夏天",
    "autumn fall herbst automne otoño autunno herfst осенью осень 秋天",
    "winter hiver invierno inverno зимой зима 冬天",
)

_UNITS = {
    "hour": "hour hours stunde stunden heure heures hora horas час часа часов",
    "day": "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen "
    "день дня дней 天",
    "week": "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane "
    "weken неделя неделю недели недель неделе 周 个星期 星期 个礼拜 礼拜",
    "weekend": "weekend weekends wochenende wochenenden week-end выходные выходных 周末",
    "month": "month months monat monate monaten mois mes meses mese mesi maand maanden "
    "месяц месяца месяцев месяце 个月 月",
    "year": "year years yr yrs jahr jahre jahren an ans année années año años anno anni jaar "
    "год года лет году 年",
    "decade": "decade decades jahrzehnt jahrzehnten décennie década",
}
UNITS = {word: unit for unit, words in _UNITS.items() for word in words.split()}

# A vague number is the least and the most it stands for.
NUMBERS: dict[str, Count] = {
    word: (number, number)
    for word, number in _numbered(
        1,
        "a an one ein eine einem einer einen un une una uno een один одну 一",
        "two couple zwei deux dos due twee два две 二 两",
        "three drei trois tres tre drie три 三",
        "four vier quatre cuatro quattro четыре 四",
        "five fünf cinq cinco cinque vijf пять 五",
        "six sechs seis sei zes шесть 六",
        "seven sieben sept siete sette zeven семь 七",
        "eight acht huit ocho otto восемь 八",
        "nine neun neuf nueve nove negen девять 九",
        "ten zehn dix diez dieci tien десять 十",
        "eleven elf onze once",
        "twelve zwölf douze doce",
        "thirteen",
        "fourteen",
        "fifteen quinze quince",
    ).items()
} | {
    "twenty": (20, 20),
    "thirty": (30, 30),
    "a couple of": (2, 2),
    "a couple": (2, 2),
    "couple of": (2, 2),
    "a few": (2, 5),
    "few": (2, 5),
    "several": (3, 7),
    "ein paar": (2, 5),
    "einigen": (2, 5),
    "quelques": (2, 5),
    "unos": (2, 5),
    "unas": (2, 5),
    "несколько": (2, 5),
    "几": (2, 5),
}


def count(written: str) -> Count:
    """Return the number that digits or a word stand for."""
    if written in NUMBERS:
        return NUMBERS[written]
    number = int(written.replace(",", ""))
    return number, number


STEPS = _numbered(
    -1,
    "last past previous this_past this_last letzte letzten letzter letztes letztem vorige vorigen "
    "voriges vergangene vergangenen vergangenes afgelopen прошлой прошлом прошлый прошлую прошлое "
    "прошлым прошлые",
    "this diese diesen dieser dieses diesem deze dit ce cet cette este esta questo questa "
    "этой этом этот эту этим",
    "next coming upcoming this_coming this_upcoming nächste nächsten nächster nächstes nächstem "
    "kommende kommenden kommendes volgende próximo próxima следующей следующем следующий "
    "следующую следующее следующим",
)
STEPS_AFTER = _numbered(
    -1,
    "dernier dernière passé passée pasado pasada scorso scorsa passato passata",
    "",
    "prochain prochaine próximo próxima prossimo prossima que_viene",
)
DAY_WORDS = _numbered(
    -2,
    "vorgestern avant-hier anteayer eergisteren позавчера 前天",
    "yesterday last_night last_evening gestern letzte_nacht hier ayer anoche ieri gisteren вчера "
    "昨天 昨日 昨晚",
    "today tonight this_morning this_afternoon this_evening heute aujourd'hui ce_matin ce_soir "
    "hoy esta_mañana esta_tarde esta_noche oggi vandaag сегодня 今天 今日 今晚",
    "tomorrow morgen demain mañana domani завтра 明天 明日",
    "übermorgen après-demain pasado_mañana overmorgen послезавтра 后天",
)
PARTS = _numbered(
    0,
    "early beginning start anfang début principios",
    "mid middle mitte mi mediados",
    "late end ende fin finales",
)
HAN_YEARS = _numbered(-2, "前年", "去年", "今年", "明年", "后年")

# (month, day), or (month, weekday, which one); Easter has a rule of its own.
HOLIDAYS: dict[str, tuple[int, ...]] = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new years eve": (12, 31),
    "new year's day": (1, 1),
    "new year's": (1, 1),
    "new years": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
    "valentines day": (2, 14),
    "valentine's": (2, 14),
    "st. patrick's day": (3, 17),
    "independence day": (7, 4),
    "labor day": (9, 0, 1),
    "memorial day": (5, 0, -1),
    "thanksgiving": (11, 3, 4),
    "mother's day": (5, 6, 2),
    "father's day": (6, 6, 3),
    "easter": (),
    "heiligabend": (12, 24),
    "weihnachten": (12, 25),
    "silvester": (12, 31),
    "ostern": (),
    "noël": (12, 25),
    "pâques": (),
    "navidad": (12, 25),
    "nochebuena": (12, 24),
    "nochevieja": (12, 31),
}

# Hours ahead of UTC.
ZONES = _numbered(
    -8, "pst", "mst pdt", "cst mdt", "est cdt", "edt", "", "", "", "z ut utc gmt", "bst cet", "cest"
)
