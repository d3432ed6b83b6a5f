"""Words that say something about the names beside them."""

from neomem.ports import EntityType
from neomem.text import word_set

TITLES = word_set(
    "mr mrs ms miss mister dr prof professor doctor sir lady lord rev reverend father "
    "sister brother president chancellor senator governor mayor minister judge justice "
    "captain capt colonel col general gen major sergeant sgt lieutenant lt officer "
    "detective king queen prince princess pope saint st coach chef nurse aunt auntie uncle "
    "grandma grandpa herr frau monsieur madame señor señora don doña"
)

PARTICLES = word_set(
    "of the de da di du del della der den des van von zu zur la le les el al bin ibn ben y "
    "e for at on in"
)
"""May stand inside a name, between two capitals."""

NEVER = word_set(
    "I I'm I'll I'd I've I’m I’ll I’d I’ve A An The OK Ok Okay AM PM TV Lol LOL OMG Omg "
    "Haha Hahaha Yeah Yes No Hi Hey Hello Wow Thanks Thank PS P.S FYI BTW ASAP IMO TODO FAQ "
    "Q&A Oh Ah Aw Aww Awww Bye Goodbye Yay Woah Whoa Woohoo Yum Yup Yep Nope Oof Ooh Mmm "
    "Hmm Hm Ugh Phew Cheers Congrats Sorry Please Welcome Dear Sure Cool Nice Great Good "
    "Awesome Amazing Lovely Absolutely"
)

FUNCTION = word_set(
    "a an the this that these those here there i me my mine we us our ours you your yours he him "
    "his she her hers it its they them their theirs who whom whose what which when where why how "
    "am is are was were be been being do does did have has had and or but nor if then than so "
    "because as while until though although of at by for with about against between into through "
    "during before after above below to from up down in out on off over under again once onto upon "
    "within without among across along around behind beside beyond per since via all any both each "
    "few more most other others some such no not only own same too very just also even still yet "
    "many much several every either neither including well"
)
"""Words that are never a name by themselves, whatever their case."""

CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays january february july september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur "
    "thurs fri bc ad bce ce"
)

MONTHS_AND_NAMES = word_set("march april may june august")
BEFORE_MONTHS = word_set(
    "in on by until since during last next this every early late mid of from to before after and"
)
"""What stands before such a word when it is the month."""

UNITS = word_set(
    "km m cm mm miles mile kg g grams lbs pounds years year months month weeks week days "
    "day hours hour minutes minute seconds times people percent % dollars euros am pm"
)

BEFORE_SUBJECTS = word_set(
    "the a an my our your his her their its this that these those and but so or then also "
    "now today yesterday tonight finally later recently once meanwhile well oh hey hi yes "
    "yeah no wow because when while if since as after before though although honestly "
    "actually apparently last week month year night morning friend brother sister mother "
    "father mom dad wife husband boss colleague teacher friends best old new dear good "
    "great"
)
"""May stand before the subject of a sentence."""

SUFFIXES: dict[str, EntityType] = {
    **dict.fromkeys(
        word_set(
            "inc ltd llc llp plc gmbh ag kg se sa srl bv nv oy ab corp corporation company co "
            "group "
            "holdings bank university college school academy institute foundation association "
            "society union ministry department agency committee council commission authority "
            "bureau "
            "hospital clinic museum library church party club team labs laboratories studios "
            "records motors airlines airways railways press times post consulting partners "
            "solutions technologies systems"
        ),
        "organisation",
    ),
    **dict.fromkeys(
        word_set(
            "street avenue road boulevard lane square park river lake mountain mountains island "
            "islands city county province state valley beach bay ocean sea desert forest canyon "
            "bridge airport station hotel restaurant cafe café castle palace cathedral temple "
            "stadium arena plaza hill hills"
        ),
        "place",
    ),
    **dict.fromkeys(
        word_set(
            "festival conference marathon olympics summit war battle championship championships "
            "cup "
            "tournament award awards day parade expo fair concert convention hackathon"
        ),
        "event",
    ),
}
