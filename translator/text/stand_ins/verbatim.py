"""Spans that a translation has exactly once and as they were given, such as web addresses."""

import re
from collections.abc import Collection, Iterator

from translator.base.languages import language_facts
from translator.text.memo import Span
from translator.text.patterns import FORMULA, MARKUP, OUTSIDE_WORD, WEB_ADDRESS
from translator.text.stand_ins.kind import Place, SpanKind, StandIn
from translator.text.stand_ins.stand_ins import StandIns

SAME_STAND_IN = 1.0  # added to the attention if the stand-in is exactly what was shown
COMPOUND = re.compile(r"[^-]*(-.*)")


class VerbatimKind(SpanKind):
    """A kind of span that is copied as it is, and exactly once.

    Args:
        stand_ins: what the run's model can be shown.
        languages: codes of source and target.
        words: of the training data in lower case; empty if they are not known.

    Attributes:
        pattern: what a span looks like. It needs linear time in any text.
    """

    exactly_once = True
    is_tried_again = True
    joins_neighbours = True
    pattern: re.Pattern[str]

    def __init__(
        self, stand_ins: StandIns, languages: tuple[str, str], words: Collection[str] = ()
    ) -> None:
        self.stand_ins = stand_ins
        self.languages = languages
        self.words = words

    def find(self, text: str) -> Iterator[StandIn]:
        """See `SpanKind.find`."""
        for found in self.pattern.finditer(text):
            end = self.end_of(text, found.start(), found.end())
            if end > found.start():
                yield StandIn(found.start(), end, "")

    def end_of(self, text: str, start: int, end: int) -> int:
        """Where a match of the pattern really ends; ``start`` if it is no span."""
        return end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A name, which can stand wherever a thing is called by its name."""
        return self.stand_ins.name(used)

    def find_stand_ins(self, word: str) -> Iterator[Span]:
        """See `SpanKind.find_stand_ins`."""
        return self.stand_ins.find(word)

    def is_stand_in(self, text: str, shown: str) -> bool:
        """See `SpanKind.is_stand_in`."""
        return self.stand_ins.match(text, shown)

    def hides_points(self, text: str, end: int) -> bool:
        """See `SpanKind.hides_points`; what is copied as it is may have points."""
        return self.joins_neighbours

    def fit(self, stand_in: str, given: str) -> float:
        """What was shown fits better than another form of it."""
        return SAME_STAND_IN * (stand_in.lower() == given.lower())

    def write(self, place: Place) -> str:
        """Writes the span as it is; a compound such as Tom-Datei keeps its second part."""
        compound = COMPOUND.fullmatch(place.stand_in)
        return place.given + (compound[1] if compound and place.stand_in[:1].isalpha() else "")


class FormulaKind(VerbatimKind):
    """Formulas with their tags, and with a number before a unit: 12 m<sup>2</sup>.

    There is none in "21<sup>st</sup> century".
    """

    name = "formula"
    pattern = FORMULA


OPENING = {")": "(", "]": "[", "}": "{"}
FINAL_MARKS = ".,;:!?…'’"


class WebAddressKind(VerbatimKind):
    """Web addresses: with a scheme, with www., or a domain that ends as many do."""

    name = "web address"
    pattern = WEB_ADDRESS

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it, and a bracket that was opened before it."""
        unopened = {
            closing: text.count(closing, start, end) - text.count(opening, start, end)
            for closing, opening in OPENING.items()
        }
        while end > start:
            last = text[end - 1]
            if unopened.get(last, 0) > 0:
                unopened[last] -= 1
            elif last not in FINAL_MARKS:
                break
            end -= 1
        return end


class EmailKind(VerbatimKind):
    """E-mail addresses, with the angle brackets around them."""

    name = "e-mail address"
    address = r"(?:mailto:)?\w[\w.+%-]*@(?:[^\W_][\w-]*\.)+[^\W\d_]{2,}"
    pattern = re.compile(rf"<{address}>|(?<![\w.+%@-]){address}")


SHORT = 2  # letters of an extension that is no word in capitals, as in U.S. or vs.PY
EXTENSIONS = (
    "7z|apk|avi|bak|bash|bat|bib|bmp|bz2|c|cc|cfg|ckpt|conf|cpp|cs|css|csv|db|deb|dll|dmg|doc|docx"
    "|env|epub|exe|flac|gif|go|gz|h|h5|hpp|htm|html|ico|img|ini|ipynb|iso|jar|java|jpeg|jpg|js|json"
    "|jsonl|jsx|kt|lock|log|lua|md|mkv|mov|mp3|mp4|npy|npz|odp|ods|odt|ogg|onnx|parquet|pdf|pem|php"
    "|png|po|pot|ppt|pptx|ps1|psd|pt|py|r|rar|rb|rs|rst|rtf|sh|sql|sqlite|srt|svg|swift|tar|tex|tgz"
    "|tif|tiff|tmp|toml|ts|tsv|tsx|ttf|txt|vtt|war|wav|webm|webp|whl|woff|woff2|xls|xlsx|xml|xz"
    "|yaml|yml|zip|zst"
)
LONG = "|".join(name.upper() for name in EXTENSIONS.split("|") if len(name) > SHORT)
BEFORE = rf"{OUTSIDE_WORD}(?<![.@/\\~+-])(?<![^\s(*_]\*)"


class FileNameKind(VerbatimKind):
    """File names with a usual extension, and paths of Unix and Windows."""

    name = "file name"
    pattern = re.compile(
        rf"{BEFORE}(?:[\w@+~-]+[/\\])*(?:[\w@+-][\w@+.-]+|\*|[\w@+-](?=\.\w\w))"
        rf"\.(?:{EXTENSIONS}|{LONG})"
        r"(?!_*[^\W_])(?!\.\w)"
        rf"|{BEFORE}(?:~|\.\.?)?/[\w@+.-]*[\w@+-](?:/[\w@+.-]*[\w@+-])*/?(?![\w/])"
        r"|(?<![\w\\])[A-Za-z]:\\[^\s<>\"|?*]+"
        r"|(?<![\w.,@/\\~*-])\.[a-z][a-z_-]{2,}(?!\w)(?!\.\w)",
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it."""
        while end > start and text[end - 1] in ".,;:!?)'":
            end -= 1
        return end


UNIT_AFTER = "(?:[mµn]?s|min|[dhmxkKB]|[kcm]m|k?g|[kKMG]B|px|pt|r?em|st|nd|rd|th)"  # %d and %f
PRINTF = (
    r"%(?:\d+\$|\(\w+\))?[-+0#]?\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?"
    rf"(?:[sdifuxXeEgGcop@](?![^\W_])|[df](?={UNIT_AFTER}(?![^\W_])))"
)
COUNT = re.compile(
    rf"%.*[diufxXeEgG]{UNIT_AFTER}?|\{{:.*[dfgx]\}}"
    r"|[{$%]*\(?(?:n|num|number|count|total|\w+_count)\}*",
    re.IGNORECASE,
)


class PlaceholderKind(VerbatimKind):
    """Placeholders in braces, in brackets, and those of printf; tags are taken out before."""

    name = "placeholder"
    pattern = re.compile(
        r"\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[$%#]\{[^{}\n]*\}|\{\w[^{}\n]*\}|\{\}"
        r"|\{[:!][^{}\s]*\}|\{ [\w.]+ \}|<[A-Za-z][\w-]*>"
        rf"|{OUTSIDE_WORD}(?<!&)\$[A-Za-z_]\w*|%[A-Z_]{{2,}}%"
        rf"|{OUTSIDE_WORD}(?<![&/@#.])[@#][^\W\d]\w*|{MARKUP}"
        rf"|\[\[[^\[\]\n]*\]\]|(?<![\d%]){PRINTF}(?:{PRINTF})*|%%"
    )

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number for the placeholder of one, such as %d or {count}; else a name."""
        if COUNT.fullmatch(given):
            return self.stand_ins.number(used)
        return super().show(given, stand_in, used)

    def write(self, place: Place) -> str:
        """Writes the placeholder, with the ending of a genitive, as in {0}s Buch."""
        source_word = place.source_words[place.source_word]
        has_clitic = re.search(re.escape(place.given) + r"['’]s\b", source_word)
        is_genitive = place.stand_in.endswith(("s", "'", "’")) and has_clitic
        return super().write(place) + ("s" if is_genitive else "")


STAGE = r"(?:[-+.]?(?:alpha|beta|rc|dev|post|pre|snapshot|final|a|b)[.\d]*)?"
BYTE = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
IP_ADDRESS = re.compile(rf"{BYTE}(?:\.{BYTE}){{3}}")


class VersionKind(VerbatimKind):
    """Versions: with a v before them, or of at least three numbers.

    Where points separate thousands, 1.234.567 is a number, but 192.168.100.200 an IP address.
    """

    name = "version"
    pattern = re.compile(
        rf"(?<![\w.,:/-])(?:v\.?\d+(?:\.\d+)*|\d+(?:\.\d+){{2,}}){STAGE}(?!\w)(?!\.\d)",
        re.IGNORECASE,
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`."""
        end -= text[end - 1] == "."
        given = text[start:end]
        has_points = language_facts(self.languages[0]).group_mark == "."
        is_number = has_points and re.fullmatch(r"\d{1,3}(\.\d{3})+", given)
        return start if is_number and not IP_ADDRESS.fullmatch(given) else end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number, as in Python 3."""
        return self.stand_ins.number(used)


UNITS = "km/h|[kcmµ]?m|[kmM]?g|[mµn]s|[mcd]?l|h|[kMGT]?B|[kMG]?Hz|[kM]?W|[kMG]Wh|mAh|[km]?V|px|pt"
WORD = r"[^\W_]+"
LETTER = r"[^\W\d_]"
CODE = r"(?<![\w`])`[^`\s](?:[^`\n]*[^`\s])?`(?![\w`])"
OPTION = r"(?<!\S)--[a-z][\w-]*(?<!-)(?:=[^\s,;]+(?<![.!?]))?"
FUNCTION = rf"{OUTSIDE_WORD}(?<![\w.])[^\W_]\w*(?:\.\w+)*\(\)"
SNAKE_CASE = rf"{OUTSIDE_WORD}(?<!\w){WORD}(?:_+{WORD})+(?!\w)"
NUMBERED = r"(?<![\w&#])#\d+(?!\w)(?![.,]\d)|§§? ?\d+\w?"
FEET_AND_INCHES = r"(?<![\w.,'])\d['’′] ?\d\d?(?:[\"”″]|''|’’)?(?!\w)"
DOT_NET = r"(?<![\w.])\.[A-Z]{3,}(?!\w)"
WITH_DIGIT = (
    rf"(?<![\w.,:/%$€£¥§#'’-])(?=(?:{LETTER}|-)*\d){WORD}(?:-{WORD})*(?![\w/])(?!-\w)(?![.,:]\d)"
)
ENDINGS = (
    r"(?i:st|nd|rd|th|s|er|s?te[mnrs]?|mal|fach|min|sec|hrs?|lbs?|ft|[^\W\d_]{2,}ig(?:e[mnrs]?)?)"
)
AMOUNT = re.compile(
    rf"[\d-]+|\d+(?:{UNITS}|{ENDINGS})|\d+(?i:st|nd|rd|th|er)?-{LETTER}{{2,}}.*"
    r"|(?i:mid|pre|post)-.*"
)


class IdentifierKind(VerbatimKind):
    """Words of letters and digits, and names in programs.

    An amount such as 21st, 1990s, 20-minute or 18jährig is none: those are translated.
    """

    name = "identifier"
    pattern = re.compile(
        f"{CODE}|{OPTION}|{FUNCTION}|{SNAKE_CASE}|{NUMBERED}|{FEET_AND_INCHES}|{DOT_NET}"
        f"|{WITH_DIGIT}"
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`; an amount is no identifier."""
        return start if AMOUNT.fullmatch(text, start, end) else end
