"""Letters that a keyboard lacks are written for what was typed for them."""

from tests.growth import grows_linearly
from translator.text.typed_letters import with_letters

LETTERS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))
KNOWN = {"füße", "füsse", "flüsse", "neue", "groß", "masse", "maße", "ärger"}


def test_only_an_unknown_word_is_respelt_and_only_to_a_known_one():
    for typed, word in [
        ("Fuesse", "Füße"),
        ("fluesse", "flüsse"),
        ("neue", "neue"),
        ("GROSS", "GROSS"),  # as ß is written in capitals
        ("Aerger", "Ärger"),
        ("masse", "masse"),
        ("Katze", "Katze"),
        ("", ""),
    ]:
        assert with_letters(typed, KNOWN.__contains__, LETTERS) == word


def test_a_long_word_takes_little_time():
    assert grows_linearly(lambda size: with_letters("ss" * size, KNOWN.__contains__, LETTERS), 4000)
