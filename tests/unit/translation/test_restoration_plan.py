"""What is carried over with which options, and with which other stand-ins it is tried again."""

import pytest

from translator.text.reading import LineReader
from translator.text.spans.unseen_names import KnownNames, NameKind
from translator.tokenizers.subword import Tokenizers
from translator.translation.options import TranslationOptions
from translator.translation.restoration_plan import plan_restoration

NAMES = KnownNames(frozenset({"tom", "met", "boston"}), "Tom", ("Boston", "London", "Mary"))


class Letters:
    """Spells every character."""

    masks_digits, has_start = False, True
    padding_id = 0

    def __init__(self, language: str) -> None:
        self.language = language

    def encode(self, texts, reads_tags=True):
        return [[1, *map(ord, text), 2] for text in texts]

    def pieces(self, ids):
        return [chr(i) for i in ids]

    def split_tags(self, line):
        return [], line

    def ids_of_tags(self, names):
        return []

    def spells(self, ids):
        return True


def shown(text: str, **options) -> list[str]:
    """What the model is shown of a sentence, first and where its translation lacks something."""
    tokenizers = Tokenizers(Letters("en"), Letters("fr"))
    plan = plan_restoration(TranslationOptions(**options), tokenizers, NAMES)
    reader = LineReader(tokenizers.source, 99, plan.kinds, other_kinds=plan.other_kinds)
    [sentence] = reader.read(text, "line 1").sentences
    assert all(each.is_first for each in (sentence, *sentence.others))
    return [each.shown.text for each in (sentence, *sentence.others)]


def test_new_and_usual_names_are_tried_again_as_others():
    assert shown("Krxzy met Zorblax.", replace_unknown=True) == [
        "Tom met Boston.",
        "London met Mary.",
    ]
    assert shown("Tom met Krxzy.", replace_unknown=True)[0] == "Tom met Boston."
    others = shown("Tom met Krxzy.", replace_unknown=True)[1:]
    assert others
    for text in others:
        first, _, second = text.rstrip(".").split(" ")
        assert "Tom" not in text
        assert first != second


@pytest.mark.parametrize("options", [{"replace_unknown": False}, {"raw": True}])
def test_without_the_option_names_are_shown_as_they_are(options):
    assert shown("Krxzy met Tom.", **{"replace_unknown": False, **options}) == ["Krxzy met Tom."]
    tokenizers = Tokenizers(Letters("en"), Letters("fr"))
    plan = plan_restoration(
        TranslationOptions(**{"replace_unknown": False, **options}), tokenizers, NAMES
    )
    assert not any(isinstance(kind, NameKind) for kind in plan.kinds)
