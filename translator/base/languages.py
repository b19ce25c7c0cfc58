"""The table of facts about languages, which every other room reads."""

import re
from typing import Any, Literal, NamedTuple


class Language(NamedTuple):
    """What the program knows of a language. Languages that are not listed have the defaults.

    Attributes:
        code: such as ``de``.
        has_spaces: whether spaces separate its words.
        capitalizes_nouns: whether every noun has a capital, so that a capital marks no name.
        decimal_mark: what separates the decimals of a number; None where that is not known.
        group_mark: what separates the thousands of a number; None where it is a space, or where
            that is not known.
        date_form: how a date in digits is written, with ``{day}``, ``{month}`` and ``{year}``;
            None where there are several forms that contradict each other, or none is known.
        ordinal_form: 21 as an ordinal number in digits; None where that is not known.
        ordinals: recognises ordinal numbers in letters, such as "third"; None where those are not
            known.
        begins_sentences: where nouns have capitals, words that a sentence after a number may begin
            with and that do not follow an ordinal; empty where nouns have none.
        currency: whether the sign of a currency stands before a number, as in €5, or after it;
            None where that is not known.
        without_keyboard: letters with what is typed for them where a keyboard lacks them.
        after_apostrophes: the endings of words that stand after an apostrophe, which people leave
            out; empty elsewhere.
        bleu_tokenizer: sacreBLEU's name of the tokenizer for BLEU; None for its default.
            sacreBLEU's own choices for Japanese and Korean need MeCab, characters need nothing.
        aliases: other names that a configuration may give it, as BPEmb does.
        name: its English name, where a message needs it.
        quotation_marks: what opens and closes a quotation; None where that is not known.
        small_in_titles: the words that titles have in lower case; empty where that is not known.
        not_after_names: the words that hardly ever follow a name at the beginning of a sentence.
        after_clock_times: where times of the day are written with a.m. and p.m., the words with a
            capital that may follow these in the same sentence; empty elsewhere.
        before_places: prepositions before names of places and seldom before others; empty where
            they are not known.
        titles: those of men and those of women before a name, the usual spelling first; empty where
            they are not known.
        titles_of_objects: how these are written where a person is the object of a sentence; empty
            where it makes no difference.
        joins_titles: what stands between the titles of a couple, such as "and".
        no_names_after_titles: words with a capital that stand after titles and are no names.
        no_titles_after: recognises the words before which a title is a common noun, as in "meine
            Frau"; None where there are none.
        before_subjects: where the order of words tells subjects from objects, the words that a
            subject follows; empty elsewhere.
        number_words: the words of which numbers are made, with their values, from 2; empty where
            they are not known.
        joins_numbers: what may stand between them in one word, as in "einundzwanzig".
        one_less_after: the word after which a time is given by the next hour, as "halb" of "halb
            vier" is 3:30; empty where there is none.
    """

    code: str
    has_spaces: bool = True
    capitalizes_nouns: bool = False
    decimal_mark: Literal[".", ","] | None = None
    group_mark: Literal[".", ","] | None = None
    date_form: str | None = None
    ordinal_form: Literal["21st", "21."] | None = None
    ordinals: str | None = None
    begins_sentences: frozenset[str] = frozenset()
    currency: Literal["before", "after"] | None = None
    without_keyboard: tuple[tuple[str, str], ...] = ()
    after_apostrophes: tuple[str, ...] = ()
    bleu_tokenizer: Literal["zh", "char"] | None = None
    aliases: tuple[str, ...] = ()
    name: str = ""
    quotation_marks: tuple[str, str] | None = None
    small_in_titles: frozenset[str] = frozenset()
    not_after_names: frozenset[str] = frozenset()
    after_clock_times: frozenset[str] = frozenset()
    before_places: frozenset[str] = frozenset()
    titles: tuple[tuple[str, ...], ...] = ()
    titles_of_objects: tuple[str, ...] = ()
    joins_titles: str = ""
    no_names_after_titles: frozenset[str] = frozenset()
    no_titles_after: str | None = None
    before_subjects: frozenset[str] = frozenset()
    number_words: tuple[tuple[str, int], ...] = ()
    joins_numbers: tuple[str, ...] = ()
    one_less_after: str = ""


# ISO 639-3, and those of ISO 639-2 that differ from it, as in the names of public models.
_THREE_LETTERS = {
    "bg": ("bul",), "ca": ("cat",), "cs": ("ces", "cze"), "da": ("dan",), "el": ("ell", "gre"),
    "es": ("spa",), "et": ("est",), "fi": ("fin",), "fr": ("fra", "fre"), "gl": ("glg",),
    "he": ("heb",), "hi": ("hin",), "hr": ("hrv",), "hu": ("hun",), "id": ("ind",),
    "is": ("isl", "ice"), "it": ("ita",), "ja": ("jpn",), "ko": ("kor",), "lt": ("lit",),
    "lv": ("lav",), "nb": ("nob",), "nl": ("nld", "dut"), "no": ("nor",), "pl": ("pol",),
    "pt": ("por",), "ro": ("ron", "rum"), "ru": ("rus",), "sk": ("slk", "slo"), "sl": ("slv",),
    "sr": ("srp",), "sv": ("swe",), "th": ("tha",), "tr": ("tur",), "uk": ("ukr",), "vi": ("vie",),
    "zh": ("zho", "chi", "cmn"),
}  # fmt: skip


def _chinese(code: str, decimal_mark: Literal["."] | None = None) -> Language:
    return _plain(code, False, decimal_mark=decimal_mark, bleu_tokenizer="zh")


def _by_character(code: str, decimal_mark: Literal["."] | None = None) -> Language:
    return _plain(code, False, decimal_mark=decimal_mark, bleu_tokenizer="char")


def _plain(code: str, has_spaces: bool = True, **facts: Any) -> Language:
    return Language(code, has_spaces, aliases=_THREE_LETTERS.get(code, ()), **facts)


_POINTS = "{day}.{month}.{year}"
_SLASHES = "{day}/{month}/{year}"


def _with_comma(code: str) -> Language:
    """A language with a decimal comma."""
    group_mark: Literal["."] | None = "." if code in _GROUPED_BY_POINTS else None
    date_form = _POINTS if code in _DATES_WITH_POINTS else None
    date_form = _SLASHES if code in _DATES_WITH_SLASHES else date_form
    ordinal_form: Literal["21."] | None = "21." if code in _ORDINALS_WITH_POINTS else None
    return _plain(
        code,
        decimal_mark=",",
        group_mark=group_mark,
        date_form=date_form,
        ordinal_form=ordinal_form,
    )


_GROUPED_BY_POINTS = ("es", "it", "nl", "da", "el", "tr", "sl", "hr", "sr", "ro", "id", "vi", "ca")
_DATES_WITH_POINTS = (
    "da", "nb", "no", "fi", "pl", "cs", "sk", "ro", "ru", "uk", "bg", "tr", "hr", "lv", "et", "is",
)  # fmt: skip
_ORDINALS_WITH_POINTS = (
    "da", "nb", "no", "fi", "pl", "cs", "sk", "hu", "hr", "sr", "sl", "lv", "et", "is", "tr",
)  # fmt: skip
_DATES_WITH_SLASHES = ("fr", "es", "it", "pt", "el", "id", "vi", "ca", "gl")
_ENGLISH_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "fifteenth", "sixteenth", "eighteenth", "twentieth",
)  # fmt: skip
_GERMAN_ORDINALS = (  # without their endings
    "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft",
    "zwölft", "fünfzehnt", "sechzehnt", "achtzehnt", "zwanzigst",
)  # fmt: skip
_NUMBERS = (*range(2, 21), 30, 40, 50, 60, 70, 80, 90, 100, 1000, 10**6)
_ENGLISH_NUMBERS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand",
    "million",
)  # fmt: skip
_GERMAN_NUMBERS = (
    "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
    "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert",
    "tausend", "million",
)  # fmt: skip
_LANGUAGES = (
    Language(
        "en", decimal_mark=".", group_mark=",", ordinal_form="21st", currency="before",
        aliases=("eng", "English"), name="English",
        quotation_marks=('"', '"'), after_apostrophes=("t", "s", "m", "re", "ve", "ll", "d"),
        ordinals=rf"\b(?:{'|'.join(_ENGLISH_ORDINALS)})\b",
        small_in_titles=frozenset((
            "a", "an", "and", "as", "at", "but", "by", "for", "from", "if", "in", "into", "is",
            "nor", "of", "off", "on", "or", "over", "per", "than", "that", "the", "to", "up", "vs",
            "with",
        )),
        not_after_names=frozenset((
            "a", "an", "are", "have", "her", "him", "his", "it", "me", "my", "our", "that", "the",
            "their", "them", "these", "this", "those", "us", "were", "your",
        )),
        after_clock_times=frozenset((
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December", "GMT", "UTC", "CET", "CEST", "EST", "EDT", "ET",
            "CST", "CDT", "CT", "MST", "MDT", "MT", "PST", "PDT", "PT", "BST", "Central",
            "Eastern", "Mountain", "Pacific",
        )),
        before_places=frozenset(("in", "near")),
        titles=(("Mr.", "Mr"), ("Ms.", "Ms", "Mrs.", "Mrs", "Miss")), joins_titles="and",
        no_names_after_titles=frozenset((
            "Chairman", "President", "Right", "Secretary", "Speaker", "Universe", "Vice", "World",
        )),
        before_subjects=frozenset((
            "although", "and", "are", "because", "before", "but", "can", "could", "dear", "did",
            "do", "does", "had", "has", "have", "how", "if", "is", "may", "might", "must", "or",
            "said", "says", "should", "since", "than", "that", "think", "though", "until", "was",
            "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will",
            "would",
        )),
        number_words=tuple(zip(_ENGLISH_NUMBERS, _NUMBERS)),
    ),
    Language(
        "de", capitalizes_nouns=True, decimal_mark=",", group_mark=".", date_form=_POINTS,
        ordinal_form="21.", currency="after", aliases=("ger", "deu", "German", "Deutsch"),
        name="German", quotation_marks=("„", "“"),
        ordinals=rf"\b(?:{'|'.join(_GERMAN_ORDINALS)})e[rnms]?\b",
        without_keyboard=(("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")),
        begins_sentences=frozenset((
            "Aber", "Alle", "Alles", "Als", "Am", "An", "Auch", "Auf", "Bei", "Bitte", "Da",
            "Damals", "Damit", "Dann", "Darum", "Das", "Dein", "Deine", "Dem", "Den", "Denn", "Der",
            "Deshalb", "Die", "Dies", "Diese", "Dieser", "Dieses", "Doch", "Dort", "Du", "Ein",
            "Eine", "Einen", "Einer", "Er", "Es", "Euer", "Für", "Gestern", "Haben", "Hat", "Heute",
            "Hier", "Ich", "Ihr", "Ihre", "Im", "In", "Ist", "Ja", "Jeder", "Jetzt", "Kein",
            "Keine", "Können", "Man", "Manche", "Mein", "Meine", "Mit", "Nach", "Nein", "Nicht",
            "Nun", "Nur", "Ob", "Oder", "Sein", "Seine", "Seit", "Sie", "Sind", "So", "Um", "Und",
            "Uns", "Unser", "Unsere", "Viele", "Vielleicht", "Vom", "Von", "Vor", "Wann", "War",
            "Waren", "Warum", "Was", "Weil", "Wenn", "Wer", "Wie", "Wir", "Wo", "Zu", "Zum", "Zur",
        )),
        before_places=frozenset(("in", "nach", "aus")),
        titles=(("Herr", "Herrn"), ("Frau",)), titles_of_objects=("Herrn", "Frau"),
        joins_titles="und",
        no_names_after_titles=frozenset((
            "Bundeskanzler", "Bundeskanzlerin", "Direktor", "Direktorin", "Doktor", "Gott",
            "Kanzler", "Kanzlerin", "Kollege", "Kollegin", "Lehrer", "Lehrerin", "Minister",
            "Ministerin", "Mutter", "Nachbar", "Nachbarin", "Ober", "Pfarrer", "Präsident",
            "Präsidentin", "Professor", "Professorin", "Richter", "Richterin", "Vater", "Wirt",
        )),
        no_titles_after=r"(?:[mdsk]?ein|ihr|unser|eue?r|dies|jed|jen|welch)(?:e[rnms]?)?|"
        r"d(?:ie|er|as|em|en)|alte[rn]?|junge[rn]?|schöne[rn]?|als",
        number_words=tuple(zip(_GERMAN_NUMBERS, _NUMBERS)), joins_numbers=("und", "eine", "ein"),
        one_less_after="halb",
    ),
    Language("lb", capitalizes_nouns=True),
    _chinese("zh", "."),
    *map(_chinese, ("zh_yue", "zh_classical", "wuu", "gan")),
    _by_character("ja", "."),
    _by_character("th", "."),
    *map(_by_character, ("lo", "km", "my", "bo")),
    *(_plain(code, decimal_mark=".") for code in ("ko", "he", "hi")),
    *map(
        _with_comma,
        (
            "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu",
            "ro", "ru", "uk", "bg", "el", "tr", "sl", "hr", "sr", "lt", "lv", "et", "id", "vi",
            "ca", "gl", "is",
        ),
    ),
)  # fmt: skip
TITLES = frozenset(title for facts in _LANGUAGES for titles in facts.titles for title in titles)
_BY_NAME = {name.lower(): facts for facts in _LANGUAGES for name in (facts.code, *facts.aliases)}


def language_facts(language: str) -> Language:
    """The facts about a language.

    Args:
        language: its code or another name that the table has, in any case; a variant such as
            the ``-AT`` of ``de-AT`` or the ``_AT`` of ``de_AT`` is ignored.

    Returns:
        An entry of the table, or one of defaults for a language that is not in it.
    """
    return _BY_NAME.get(_known_name(language), Language(language.partition("-")[0]))


def is_known_language(language: str) -> bool:
    """Whether the table has a language; see `language_facts`."""
    return _known_name(language) in _BY_NAME


def _known_name(language: str) -> str:
    name = language.lower()
    return name if name in _BY_NAME else re.split("[-_]", name)[0]
