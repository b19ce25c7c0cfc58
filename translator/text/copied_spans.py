"""Spans that every language writes alike: addresses, file names, placeholders, code, versions."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from translator.base.languages import language_facts
from translator.text.spans.commands import is_command_line
from translator.text.spans.intervals import Intervals

# Most sentences have none of these, and so no such span
MAY_HAVE_SPAN = re.compile(
    r"[\d@/\\{}%\[<>$*#&_`=+≤≥≠≈«]|(?:^|\s)-[\w-]|:[a-z]|\w\.\w|(?:^|\W)\.\w|\w\(['\"„)]"
    r"|\.{4}|\. \. \.|\(\w\)|(?<!\w)[ivx]{2}|\(sic"
)
# Before a span that is not the end of a word; in Markdown, _ and __ may stand there
OUTSIDE_WORD = r"(?<![^\W_])(?<![^\W_]_)(?<!\w__)"
SYMBOL = r"(?:[A-Z][a-z]?|[Α-Ωα-ω]|\d+|[a-z]{1,2}(?![a-z]))"
AMOUNT_BEFORE = r"(?<![^\s<>(\"“”„«»~±−–-])(?<!\w[-–])\d[\d.,]{0,9} "
SCRIPT = "|".join(
    rf"<{name}(?: id=\"\d+\")?>(?!(?:st|nd|rd|th)<)[^<>\s]{{1,20}}</{name}>"
    for name in ("sub", "sup")
)
WITH_SCRIPT = rf"(?>{SYMBOL})(?:{SYMBOL}*+(?:{SCRIPT}))++{SYMBOL}*+(?![^\W_])"
# With its tags, and with a number before a unit: 12 m<sup>2</sup>; not 21<sup>st</sup>
FORMULA = rf"(?<![^\W_])(?:{AMOUNT_BEFORE})?+{WITH_SCRIPT}"
SCHEME = r"(?:https?|ftps?|sftp|file|ssh|git|wss?|s3)://"
# Bare domains end in one of these; "it" or "at" is more often a word after a full stop without
# a space.
DOMAINS = "com|org|net|edu|gov|info|io|de|ch|eu|uk|fr|nl|pl|ru|cn|jp|ca|au|dev|app|ai|tv|biz"
INSIDE = r"[^\s<>\"“”„«»]"
WEB_ADDRESS = (
    rf"(?i:<{SCHEME}[^\s<>]+>"
    rf"|{OUTSIDE_WORD}(?<![.@-])(?:{SCHEME}|www\.){INSIDE}+"
    rf"|{OUTSIDE_WORD}(?<![.@/-])(?:[^\W_][\w-]*\.)+(?:{DOMAINS})"
    rf"(?!_*[^\W_]|[@-])(?!\.\w)(?:[/?#:]{INSIDE}*)?)"
)
MAILBOX = r"(?:mailto:)?\w[\w.+%-]*@(?:[^\W_][\w-]*\.)+[^\W\d_]{2,}"
EXTENSIONS = (
    "7z|apk|avi|bak|bash|bat|bib|bmp|bz2|c|cc|cfg|ckpt|conf|cpp|cs|css|csv|db|deb|dll|dmg|doc|docx"
    "|env|epub|exe|flac|gif|go|gz|h|h5|hpp|htm|html|ico|img|ini|ipynb|iso|jar|java|jpeg|jpg|js|json"
    "|jsonl|jsx|kt|lock|log|lua|md|mkv|mov|mp3|mp4|npy|npz|odp|ods|odt|ogg|onnx|parquet|pdf|pem|php"
    "|png|po|pot|ppt|pptx|ps1|psd|pt|py|r|rar|rb|rs|rst|rtf|sh|sql|sqlite|srt|svg|swift|tar|tex|tgz"
    "|tif|tiff|tmp|toml|ts|tsv|tsx|ttf|txt|vtt|war|wav|webm|webp|whl|woff|woff2|xls|xlsx|xml|xz"
    "|yaml|yml|zip|zst"
)
IN_CAPITALS = "|".join(name.upper() for name in EXTENSIONS.split("|") if len(name) > len("US"))
BEFORE_FILE = rf"{OUTSIDE_WORD}(?<![.@/\\~+-])(?<![.@/\\~+-]_)(?<![^\s(*_]\*)"
FILE_NAME = (
    rf"{BEFORE_FILE}(?:[\w@+~-]+[/\\])*(?:[\w@+-][\w@+.-]+|\*|[\w@+-](?=\.\w\w))"
    rf"\.(?:{EXTENSIONS}|{IN_CAPITALS})(?!_*[^\W_])(?!\.\w)"
    rf"|{BEFORE_FILE}(?:~|\.\.?)?/[\w@+.-]*[\w@+-](?:/[\w@+.-]*[\w@+-])*/?(?![\w/])"
    r"|(?<![\w\\])[A-Za-z]:\\[^\s<>\"|?*]+"
    r"|(?<![\w.,@/\\~*-])\.[a-z][a-z_-]{2,}(?!\w)(?!\.\w)"
)
UNIT_AFTER = "(?:[mµn]?s|min|[dhmxkKB]|[kcm]m|k?g|[kKMG]B|px|pt|r?em|st|nd|rd|th)"  # %d and %f
PRINTF = (
    r"%(?:\d+\$|\(\w+\))?[-+0#]?\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?"
    rf"(?:[sdifuxXeEgGcopn@](?![^\W_])|[df](?={UNIT_AFTER}(?![^\W_])))"
)
# Entities of markup's own characters, which stay entities
MARKUP = r"&(?i:amp|lt|gt|#0*(?:38|60|62)|#x0*(?:26|3c|3e));"
PLACEHOLDER = (
    r"\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[$%#]\{[^{}\n]*\}|\{\w[^{}\n]*\}|\{\}"
    r"|\{[:!][^{}\s]*\}|\{ [\w.]+ \}|<[A-Za-z][\w-]*>"
    rf"|{OUTSIDE_WORD}(?<!&)\$[A-Za-z_]\w*|%[A-Z_]{{2,}}%"
    rf"|{OUTSIDE_WORD}(?<![&/@#.])[@#][^\W\d]\w*|{MARKUP}"
    rf"|\[\[[^\[\]\n]*\]\]|(?<![\d%]){PRINTF}(?:{PRINTF})*|%%"
)
PLACEHOLDER += (  # of templates, mails and interfaces
    r"|#{2,3}[A-Z][A-Z0-9_.]*#{2,3}|\*\|[\w:]+\|\*|(?<!\w)__[A-Z][A-Z0-9_]*__(?!\w)"
    r"|(?<![\w\])])\[[A-ZÄÖÜ][A-ZÄÖÜ0-9_-]+\](?![\w\[(:])"  # [NAME]
    r"|«\w*(?:[^\W_]_[^\W_]|[a-zäöü][A-ZÄÖÜ])\w*»|(?<!\w)@(?:\.\w+)?:\w[\w.-]*(?<![.-])"
    r"|<%(?:(?!%>|<%)[^\n])*%>|\[%(?:(?!%\]|\[%)[^\n])*%\]"
    r"|(?<![^\s(\"'„“]):[a-z]\w+(?![\w:-])|(?<!\S)&&(?!\S)"
)
COUNT = re.compile(  # a placeholder for a number
    rf"%.*[diufxXeEgG]{UNIT_AFTER}?|\{{:.*[dfgx]\}}"
    r"|[{$%]*\(?(?:n|num|number|count|total|\w+_count)\}*",
    re.IGNORECASE,
)
STAGE = r"(?:[-+.]?(?:alpha|beta|rc|dev|post|pre|snapshot|final|a|b)[.\d]*)?"
VERSION = (  # with a v before it, or of at least three numbers
    rf"(?i:(?<![\w.,:/-])(?:v\.?\d+(?:\.\d+)*|\d+(?:\.\d+){{2,}}){STAGE}(?!\w)(?!\.\d))"
)
SOFTWARE = (  # whose names are other words as well, or which a text may begin with
    "Android|Angular|Apache|Bluetooth|Chrome|Debian|Django|Docker|Drupal|Edge|Excel|Fedora|Firefox"
    "|Flask|Go|Java|Joomla|Kotlin|Kubernetes|Linux|Node|Office|Opera|Oracle|Perl|Photoshop|Python"
    "|Rails|Ruby|Rust|Safari|Scala|Spring|Swift|Symfony|Ubuntu|Unity|Vue|Windows|Word|Xcode"
)
PRODUCT = (  # iOS 17.1, Python 3.8+; not "on Android 2.5 million"
    rf"{OUTSIDE_WORD}(?<![.-])(?:[a-z]{{1,5}}[A-Z]\w*|{SOFTWARE}) \d+(?:\.\d+)+\+?(?!\w|[.,:]\d)"
    r"(?! ?(?:[%°$€£]|(?:\w*illi(?:on|arde)\w*|hundred|thousand|percent|times|Prozent|tausend)\b))"
)
BYTE = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
IP_ADDRESS = re.compile(rf"{BYTE}(?:\.{BYTE}){{3}}")
GROUPED = {mark: re.compile(rf"\d{{1,3}}(?:\{mark}\d{{3}})+") for mark in ".,"}
UNITS = "km/h|[kcmµ]?m|[kmM]?g|[mµn]s|[mcd]?l|h|[kMGT]B|[kMG]?Hz|[kM]?W|[kMG]Wh|mAh|[km]?V|px|pt"
LETTER = r"[^\W\d_]"
ROMAN = "x{0,3}(?:i[xv]|v?i{0,3})"
WORD = r"[^\W_]+"
ROLE = r":[a-z][\w+-]*:"  # in reStructuredText before code, in Markdown the name of an emoji
CODE = (  # between backticks, or a fence
    rf"(?<![\w`])(?:{ROLE})?(?:`[^`\s](?:[^`\n]*[^`\s])?`|`{{2,3}}[^`\n]+`{{2,3}})(?![\w`])"
    r"|^\s*```[\w+-]*$"
)
IDENTIFIER = (  # names in programs, and words of letters and digits
    r"(?<!\S)--[a-z][\w-]*(?<!-)(?:=[^\s,;]+(?<![.!?]))?|(?<!\S)-(?![AaIiOo])[A-Za-z](?![\w'’-])"
    rf"|(?<![\w:]){ROLE}(?!\w)"
    rf"|{OUTSIDE_WORD}(?<![\w.])[^\W_]\w*(?:\.\w+)*\((?:['\"„][^()'\"“]*['\"“])?\)"
    rf"|{OUTSIDE_WORD}(?<!\w){WORD}(?:_+{WORD})+(?!\w)"
    rf"|(?<![\w+])(?:(?:Ctrl|Strg|Alt|AltGr|Shift|Cmd|Win|Fn)\+)+{WORD}(?!\w)"  # Ctrl+C
    r"|(?<![\w&#])#\d+(?!\w)(?![.,]\d)|§§? ?\d+\w?"
    r"|(?<![\w.,'])\d['’′] ?\d\d?(?:[\"”″]|''|’’)?(?!\w)"
    r"|(?<![\w.])\.[A-Z]{3,}(?!\w)"
    r"|(?<!\w)(?:[A-Z]{1,3}&[A-Z]{1,3}|[A-Za-z]\w*\+\+|[A-Z][+#])(?![\w+#])"  # AT&T, C++, C#
    rf"|(?<![\w.,:/%$€£¥§#'’-])(?=(?:{LETTER}|-)*\d){WORD}(?:-{WORD})*(?![\w/])(?!-\w)(?![.,:]\d)"
)
SYMBOLS = (  # x, x_1, 2x, mc², pH, and before what follows it in brackets or as a power
    rf"(?:(?=\w*[\d_²³])\w++|{LETTER}(?!\w)|[a-z]?[A-Z]{{1,3}}(?!\w)|{LETTER}{{1,3}}(?=[(^]))"
)
VALUE = rf"\d++(?:[.,]\d++)*+(?: ?(?:{UNITS}))?(?!\w)"
TERM = rf"[-−–+]?(?:{WITH_SCRIPT}|{VALUE}|{SYMBOLS}(?:\([^\s()]+\))?)"
POWER = r"(?:\^(?:[-+]?\w+|[({][^\s(){}]+[)}]))?(?![\w'’])"
SIGN = "(?: (?:[-−–+*/<>=]=?|[x×·÷±≤≥≠≈]) |[-−–+*/<>=]=?|[×·÷±≤≥≠≈])"
OPERAND = rf"(?:{TERM}{POWER}|\({TERM}{POWER}(?:{SIGN}{TERM}{POWER})*\){POWER})"
EQUATION = rf"(?<![^\s(\"'„“]){OPERAND}(?:{SIGN}{OPERAND})+"  # x = y + 1, E = mc^2
ENDINGS = (
    r"(?i:st|nd|rd|th|s|er|s?te[mnrs]?|mal|fach|min|sec|hrs?|lbs?|ft|[^\W\d_]{2,}ig(?:e[mnrs]?)?)"
)
AMOUNT = re.compile(  # looks like an identifier, and is translated: 21st, 1990s, 20-minute
    rf"[\d-]+|\d+(?:{UNITS}|{ENDINGS})|\d+(?i:st|nd|rd|th|er)?-{LETTER}{{2,}}.*"
    r"|(?i:mid|pre|post)-.*|\d+(?:[.:]\d\d)?(?i:[ap]m)"
)
REQUEST = r"(?<!\w)(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?:/|https?://)[^\s<>\"“”„«»]*"
REFERENCE = (  # (a), [sic], page xii
    r"(?<=\s)\((?!I\))[A-Za-z]\)(?!\w)|[\[(]sic!?[\])]"
    rf"|(?<![\w.'’-])(?=[ivx]{{2}}){ROMAN}(?:[-–]{ROMAN})?(?![\w'’-]|\.\w)"
)
BLANK = r"\.{4,}|(?<!\. )\.(?: \.){3,}|_{3,}+(?:[/.]_{2,}+)*|_{2,}+(?:[/.]_{2,}+)+"  # to write on
LEADER = re.compile(  # a blank, and what leads to the number of a page
    rf"(?<![^\s:(])(?:{BLANK})(?![^\W_])|(?<!\.)\.{{4,}}+(?=\s?\d)|(?<!\.)\.{{8,}}"
    r"|(?<=[^\W_])_{4,}+(?![^\W_])"
)
OPENING = {")": "(", "]": "[", "}": "{"}
GLUE = re.compile(r"[\w=+*&#@$%/\\|~^]")
NUMBER_MARKS = ".,:"  # within numbers and versions
BETWEEN = re.compile(r"[^\s\w]{0,2}")  # one span ends, the next one begins


class _Row(NamedTuple):
    """A kind of span.

    Attributes:
        pattern: what it looks like; it needs linear time in any text.
        loses: the marks that do not belong to it at its end.
        excluded: what matches the pattern and is another thing, such as an amount.
    """

    pattern: re.Pattern[str]
    loses: str = ""
    excluded: re.Pattern[str] | None = None


ROWS = (  # where spans overlap, an earlier kind wins
    _Row(re.compile(CODE)),
    _Row(re.compile(REQUEST), ".,;:!?)"),
    _Row(re.compile(EQUATION), excluded=re.compile("[^=<>≤≥≠≈]*")),
    _Row(re.compile(FORMULA)),
    _Row(re.compile(WEB_ADDRESS), ".,;:!?…'’)]}"),
    _Row(re.compile(rf"<{MAILBOX}>|(?<![\w.+%@-]){MAILBOX}")),
    _Row(re.compile(FILE_NAME), ".,;:!?)'"),
    _Row(re.compile(PLACEHOLDER)),
    _Row(re.compile(f"{VERSION}|{PRODUCT}"), "."),
    _Row(re.compile(REFERENCE)),
    _Row(re.compile(IDENTIFIER), excluded=AMOUNT),
)


def find_copied(text: str, language: str) -> list[tuple[int, int]]:
    """Start and end of the spans that are copied as they are, in order and without overlaps.

    Spans with no words between them are one, as are letters and symbols beside a span, such as
    the port of an address.
    """
    if MAY_HAVE_SPAN.search(text) is None:
        return []
    if is_command_line(text, language):
        return [(0, len(text))]
    leaders = [found.span() for found in LEADER.finditer(text)]
    text = LEADER.sub(lambda found: " " * len(found[0]), text)
    found = Intervals()
    for row in ROWS:
        ends = (
            (match.start(), _end_of(row, text, *match.span()))
            for match in row.pattern.finditer(text)
        )
        found.add(
            [
                (start, end)
                for start, end in ends
                if end > start
                and found.are_free(start, end)
                and not _is_number(text[start:end], language)
            ]
        )
    return _joined(text, sorted([*_widened(text, _joined(text, found)), *leaders]))


def _end_of(row: _Row, text: str, start: int, end: int) -> int:
    """Where a match really ends, without marks after it; ``start`` if it is no span."""
    unopened = {
        closing: text.count(closing, start, end) - text.count(opening, start, end)
        for closing, opening in OPENING.items()
    }
    while end > start and text[end - 1] in row.loses:
        last = text[end - 1]
        if last in unopened and not unopened[last]:
            break
        unopened[last] = unopened.get(last, 1) - 1
        end -= 1
    return start if row.excluded and row.excluded.fullmatch(text, start, end) else end


def _is_number(text: str, language: str) -> bool:
    """Whether a text is a number in groups, such as 1.234.567, and no IP address."""
    mark = language_facts(language).group_mark
    grouped = mark is not None and GROUPED[mark].fullmatch(text) is not None
    return grouped and not IP_ADDRESS.fullmatch(text)


def _widened(text: str, found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Adds the letters and symbols around spans, as in x=%d."""
    before = 0
    for (start, end), limit in zip(found, [*(start for start, _ in found[1:]), len(text)]):
        while start > before and _is_glued(text, start - 1, -1):
            start -= 1
        while end < limit and _is_glued(text, end, 1):
            end += 1
        yield start, end
        before = end


def _is_glued(text: str, place: int, step: int) -> bool:
    """Whether the character next to a span belongs to it, such as the : of 127.0.0.1:80."""
    if GLUE.fullmatch(text[place]):
        return True
    following, before = text[place + step : place + step + 1], text[place - step]
    is_within = following.isdigit() or following.isalnum() and before.isalnum()
    return text[place] in NUMBER_MARKS and is_within


def _joined(text: str, found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and BETWEEN.fullmatch(text, joined[-1][1], start):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined
