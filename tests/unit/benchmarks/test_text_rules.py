"""The sentences with quantities that a benchmark translates."""

import pytest

from translator.text.quantities import QuantityReader, write


@pytest.mark.parametrize(("source", "target"), [("en", "de"), ("de", "en")])
def test_quantities_are_right_where_a_translation_writes_those_of_its_source(source, target):
    from text_rules import has_quantity
    from translating import SENTENCES

    readers = QuantityReader(source), QuantityReader(target)
    side = ("en", "de").index(source)
    for row in (row for rows in SENTENCES["quantities"].values() for row in rows):
        text = row[1 - side]
        given = readers[0].find(row[side])
        replaced = readers[1].find(text)
        for quantity, old in reversed(list(zip(given, replaced, strict=True))):
            text = text[: old.start] + write(quantity, source, target) + text[old.end :]
        assert has_quantity(row[3 - side], text), text
        assert has_quantity(row[2 + side], row[side]), row
        assert not has_quantity(row[3 - side], f"{text} 5"), text
        lacking = text.replace(write(given[0], source, target), "")
        assert not has_quantity(row[3 - side], lacking), lacking
