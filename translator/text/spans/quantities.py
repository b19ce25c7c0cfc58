"""Numbers of more than digits: -5.5, 9:00-17:30, 10 000, 3/4."""

import re
from collections.abc import Collection, Iterator

from translator.base.languages import language_facts
from translator.text.spans.kind import Place, StandIn
from translator.text.spans.numbers import keeps_point, localized
from translator.text.spans.stand_ins import StandIns
from translator.text.spans.verbatim import NumericKind

PLAIN = r"\d+(?:[.,:]\d+)*"
DECIMAL = r"\d+(?:[.,:]\d+)+"
SPACE = r"[ \u00a0\u2009\u202f]"
GROUPED = rf"\d{{1,3}}(?:{SPACE}\d{{3}})+(?:[.,]\d+)?"
LABELS = (  # a number after them is a name, not an amount
    "call", "dial", "phone", "tel", "tel.", "fax", "room", "id", "ids", "number", "no.", "page",
    "code", "pin", "ruf", "telefon", "zimmer", "raum", "nummer", "nr.", "seite",
)  # fmt: skip
UNLABELLED = rf"(?<!\d{SPACE})" + "".join(rf"(?<!\b(?i:{re.escape(one)}) )" for one in LABELS)
ONE_NUMBER = (  # 10 000 and 300 000, but 101 300 may be two numbers
    rf"(?:[1-9]\d?(?:{SPACE}\d{{3}})+|[1-9]\d\d(?:{SPACE}000)+)(?:[.,]\d+)?(?!\d|{SPACE}\d)"
)
SERIES = rf"\d{{3}}(?:{SPACE}\d{{3}}){{2,}}(?!\d|{SPACE}\d)"
SIGNED = re.compile(rf"([-−–+]?)({GROUPED}|{PLAIN})")
SPACES = re.compile(SPACE)
DECIMALS = re.compile(r"[.,]")
UNITS = "km/h|[kcmµ]?m|[kmM]?g|[mµn]s|[mcd]?l|h|[kMGT]?B|[kMG]?Hz|[kM]?W|[kMG]Wh|mAh|[km]?V|px|pt"
SPACED_UNITS = "km/h|[kcm]?m|[km]?g|[mc]?l|°[CF]?|[kMGT]B|[kM]?Hz|[kM]W|kWh"  # after a space too
CURRENCY = "[€£¥]"
CURRENCY_SIGNS = {"en": "before", "de": "after"}  # where they stand: €5, 5 €
AMOUNT = rf"[-−–+]?(?:{GROUPED}|{PLAIN}(?:[-–]{PLAIN})*)"
WITH_UNIT = re.compile(rf"({AMOUNT})( ?(?:{SPACED_UNITS})|{UNITS}|s)")
PRICE = re.compile(rf"({CURRENCY}) ?({AMOUNT})|({AMOUNT}) ?({CURRENCY})")
RANGE_MARK = re.compile(r"([-–])")


class QuantityKind(NumericKind):
    """Signed and grouped numbers, ranges and fractions.

    Groups between spaces are one number before a unit or a currency. Elsewhere they are if the
    first has one or two digits, or all others are zeros, and no label such as "room" stands before
    them. Three or more groups of three digits that are not, such as 555 123 456, stay as they are;
    two are two numbers. An integer before an s, such as 1990s, is no time in seconds.

    Args:
        stand_ins: what the run's model can be shown.
        languages: codes of source and target.
        words: of the training data in lower case. Numbers that are not among them count as
            well, for a model that reads digits; without words, none of them does.
    """

    pattern = re.compile(
        rf"(?<![\w.,:/)\]%-])(?:\+\d[\d ()/-]*\d\d(?!\d)"  # a telephone number
        rf"|{CURRENCY} ?{AMOUNT}|{AMOUNT} ?(?:{CURRENCY}|{SPACED_UNITS})"
        rf"|{PLAIN}(?:[-–]{PLAIN})+|[-−–+]?{UNLABELLED}{ONE_NUMBER}|{SERIES}|[-−–+]{PLAIN}|\d+/\d+"
        rf"|{PLAIN}(?:{UNITS})|{DECIMAL}s"
        rf"|{PLAIN})(?![\w/])(?![-–]\d)(?![.,:]\d)"
    )

    def __init__(
        self, stand_ins: StandIns, languages: tuple[str, str], words: Collection[str]
    ) -> None:
        super().__init__(stand_ins, languages)
        self.words = words

    def find(self, text: str) -> Iterator[StandIn]:
        """See `SpanKind.find`; other numbers only if training did not have them."""
        for found in super().find(text):
            given = text[found.start : found.end]
            if not re.fullmatch(PLAIN, given) or self._is_new(given):
                yield found

    def _is_new(self, number: str) -> bool:
        return bool(self.words) and not self.stand_ins.masks_digits and number not in self.words

    def write(self, place: Place) -> str:
        """See `NumericKind.write`; the point of a time or a version stays."""
        return place.given if keeps_point(place.given, place) else super().write(place)

    def localize(self, given: str) -> str:
        """See `NumericKind.localize`."""
        is_telephone = given.startswith("+") and not re.fullmatch(PLAIN, given[1:])
        is_series = re.fullmatch(SERIES, given) and not re.fullmatch(ONE_NUMBER, given)
        if is_telephone or is_series or "/" in given:
            return given
        if self.pattern.fullmatch(given) is None:  # joined with another span
            return given
        if measured := WITH_UNIT.fullmatch(given):
            return self._localize_numbers(measured[1]) + measured[2]
        if price := PRICE.fullmatch(given):
            return self._localize_price(price[1] or price[4], price[2] or price[3], given)
        return self._localize_numbers(given)

    def _localize_price(self, sign: str, number: str, given: str) -> str:
        place = CURRENCY_SIGNS.get(language_facts(self.languages[1]).code)
        number = self._localize_numbers(number)
        if place is None:
            before, after = given.startswith(sign), given.endswith(sign)
            return sign * before + number + f" {sign}" * after
        return sign + number if place == "before" else f"{number} {sign}"

    def _localize_numbers(self, given: str) -> str:
        parts = RANGE_MARK.split(given[1:])
        parts[0] = given[:1] + parts[0]
        return "".join(map(self._localize_number, parts))

    def _localize_number(self, number: str) -> str:
        found = SIGNED.fullmatch(number)
        if found is None:
            return number
        sign, digits = found.groups()
        if not SPACES.search(digits):
            return sign + localized(digits, self.languages)
        group_mark = language_facts(self.languages[1]).group_mark
        source, target = (language_facts(code).decimal_mark for code in self.languages)
        whole = DECIMALS.split(digits)
        if (
            group_mark is None
            or len(whole) > 1
            and (source is None or source not in digits or target is None)
        ):
            return number
        return sign + SPACES.sub(group_mark, whole[0]) + "".join(f"{target}{d}" for d in whole[1:])
