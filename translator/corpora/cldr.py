"""English and German names of countries, languages, currencies and units, from Unicode's CLDR.

Babel brings them: https://cldr.unicode.org and https://babel.pocoo.org. Left out are names with
brackets and the like, languages without a code of two letters, and currencies of the past.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

LANGUAGES = ("en", "de")
PLAIN_NAME = re.compile(r"[\w .&'’-]+")
PLACES = re.compile(r"(?!X)[A-Z]{2}|\d{3}")  # codes of countries and of parts of the world
COUNTS = (1, 3)  # one and several of a currency or a unit
UNITS = {
    "angle": "degree",
    "area": "acre hectare square-centimeter square-foot square-inch square-kilometer square-meter"
    " square-mile",
    "digital": "bit byte gigabyte kilobyte megabyte terabyte",
    "duration": "century day decade hour microsecond millisecond minute month second week year",
    "electric": "ampere ohm volt",
    "energy": "calorie joule kilocalorie kilojoule kilowatt-hour",
    "frequency": "gigahertz hertz kilohertz megahertz",
    "graphics": "dot megapixel pixel",
    "length": "centimeter decimeter foot inch kilometer light-year meter micrometer mile millimeter"
    " nanometer nautical-mile yard",
    "mass": "carat gram kilogram milligram ounce pound ton",
    "power": "gigawatt horsepower kilowatt megawatt watt",
    "pressure": "atmosphere bar hectopascal millibar pascal",
    "speed": "kilometer-per-hour knot meter-per-second mile-per-hour",
    "temperature": "celsius fahrenheit kelvin",
    "volume": "centiliter cubic-centimeter cubic-kilometer cubic-meter cup deciliter gallon liter"
    " milliliter pint quart tablespoon teaspoon",
}


def cldr_pairs() -> Iterator[tuple[str, str]]:
    """Pairs of names, English first.

    Raises:
        ModuleNotFoundError: Babel is not installed.
    """
    from babel import Locale

    english, german = map(Locale.parse, LANGUAGES)
    for source, target in zip(_names(english), _names(german), strict=True):
        pair = " ".join(source.split()), " ".join(target.split())
        if all(map(PLAIN_NAME.fullmatch, pair)):
            yield pair


def _names(locale: "Locale") -> Iterator[str]:
    """All names in a language, in an order that languages share; empty ones where it lacks them."""
    from babel import Locale
    from babel.numbers import get_currency_name, get_territory_currencies
    from babel.units import format_unit

    every = Locale.parse(LANGUAGES[0])
    places = sorted(filter(PLACES.fullmatch, every.territories))
    currencies = {code for place in places for code in get_territory_currencies(place)}
    yield from (locale.territories.get(place, "") for place in places)
    for code in sorted(every.languages):
        if len(code) == 2:
            yield locale.languages.get(code, "")
    for code in sorted(currencies):
        yield from (get_currency_name(code, count, locale) for count in COUNTS)
    for kind, units in UNITS.items():
        for unit in units.split():
            for count in COUNTS:
                yield format_unit(count, f"{kind}-{unit}", locale=locale)
