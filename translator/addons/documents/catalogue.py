"""gettext's catalogues (.po, .pot): messages without a translation get one."""

from collections.abc import Sequence
from typing import Any

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.base.errors import InputError

FUZZY = "fuzzy"


def read_catalogue(content: bytes, name: str) -> Document:
    """Reads a catalogue of gettext in UTF-8.

    Messages that have a translation, and those that are obsolete, stay. A doubtful translation is
    marked as fuzzy. Of plural forms the first one has the singular's translation, and all others
    that of the plural.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no catalogue.
    """
    import polib

    try:
        catalogue = polib.pofile(decoded(content, name))
    except (OSError, ValueError, IndexError) as error:  # polib raises these of any damage
        problem = " ".join(str(error).split())
        raise InputError(f"{name}: expected a catalogue of gettext: {problem}") from None
    texts: list[Text] = []
    entries = [each for each in catalogue if not (each.obsolete or each.translated())]
    forms = [[each.msgid, *[each.msgid_plural] * bool(each.msgid_plural)] for each in entries]
    for entry, messages in zip(entries, forms):
        place = f"line {entry.linenum}"
        texts += (Text(line, place) for text in messages for line in _lines(text))

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        for entry, messages in zip(entries, forms):
            found = [_filled(text, waiting) for text in messages]
            if not all(each.is_translated for each in found):
                continue  # it stays without a translation
            _put(entry, [each.text for each in found])
            if any(each.is_doubtful for each in found) and FUZZY not in entry.flags:
                entry.flags.append(FUZZY)
        return str(catalogue).encode()

    return Document(texts, write)


def _lines(text: str) -> list[str]:
    """The lines of a message that have letters."""
    return [line.strip() for line in text.split("\n") if any(map(str.isalpha, line))]


def _filled(text: str, waiting: Any) -> Written:
    """A message with the translations of its lines."""
    lines: list[str] = []
    found: list[Written] = []
    for line in text.split("\n"):
        inner = line.strip()
        if any(map(str.isalpha, line)):
            found.append(next(waiting))
            line = line.replace(inner, found[-1].text)
        lines.append(line)
    return Written(
        "\n".join(lines),
        all(each.is_translated for each in found),
        any(each.is_doubtful for each in found),
    )


def _put(entry: Any, translations: Sequence[str]) -> None:
    if not entry.msgid_plural:
        [entry.msgstr] = translations
        return
    singular, plural = translations
    for form in sorted(entry.msgstr_plural or {0: "", 1: ""}):
        entry.msgstr_plural[form] = plural if form else singular
