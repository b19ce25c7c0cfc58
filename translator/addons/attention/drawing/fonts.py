"""Finds installed fonts that have the characters of the labels."""

import contextlib
import functools
from collections.abc import Iterable
from pathlib import Path

from matplotlib import font_manager, ft2font

from translator.base.errors import InputError

DEFAULT_FAMILY = "DejaVu Sans"  # comes with matplotlib: Latin, Greek, Cyrillic and more
PLACEHOLDER_FAMILY = "Last Resort"  # comes with matplotlib too: a box for every character


def choose_families(text: Iterable[str], font: str | None = None) -> tuple[list[str], set[str]]:
    """Chooses font families that together have as many of the characters as possible.

    Args:
        text: the labels.
        font: family name or file of a font to use first.

    Returns:
        The families in the order in which to try them, and the characters that no installed
        font has.

    Raises:
        InputError: there is no such font.
    """
    families = [named_family(font), DEFAULT_FAMILY] if font else [DEFAULT_FAMILY]
    missing = {character for label in text for character in label if not character.isspace()}
    for family in families:
        missing -= _characters(font_manager.findfont(family))
    if missing:
        found = {entry.name: _characters(entry.fname) & missing for entry in _installed()}
        while missing and found:
            best = max(found, key=lambda name: len(found[name] & missing))
            if not found[best] & missing:
                break
            families.append(best)
            missing -= found[best]
    return families, missing


def named_family(font: str) -> str:
    """The family of a font file, or the name of an installed family.

    Raises:
        InputError: there is no such font.
    """
    try:
        if Path(font).is_file():
            font_manager.fontManager.addfont(font)
            return font_manager.FontProperties(fname=font).get_name()
        font_manager.findfont(font, fallback_to_default=False)
    except (ValueError, RuntimeError, OSError):
        raise InputError(
            f"font: expected the name of an installed font or a .ttf or .otf file, found {font}"
        ) from None
    return font


def advice(missing: set[str]) -> str:
    """One line of advice on characters that no installed font has."""
    shown = "".join(sorted(missing)[:8]) + ("…" if len(missing) > 8 else "")
    return (
        f"no installed font has {shown}, they are drawn as boxes; install a font that has them,"
        " such as Noto Sans CJK, or name its file with --font FILE"
    )


@functools.lru_cache(maxsize=1)
def _installed() -> list[font_manager.FontEntry]:
    """One regular face of each family, also of fonts that matplotlib's cached list lacks."""
    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    for path in set(font_manager.findSystemFonts()) - known:
        with contextlib.suppress(RuntimeError, OSError):  # not every file there is a font
            font_manager.fontManager.addfont(path)
    faces: dict[str, font_manager.FontEntry] = {}
    for entry in font_manager.fontManager.ttflist:
        plain = entry.style == "normal" and entry.weight in (400, "normal", "regular")
        if not entry.name.startswith(PLACEHOLDER_FAMILY) and (plain or entry.name not in faces):
            faces[entry.name] = entry
    return [faces[name] for name in sorted(faces)]


def _characters(path: str) -> set[str]:
    try:
        return set(map(chr, ft2font.FT2Font(path).get_charmap()))
    except (RuntimeError, OSError):
        return set()
