"""What is carried over with which options, and with which other stand-ins it is tried again."""

import pytest

from translator.text.codec import CodecOptions, Parts
from translator.text.lexicon import Lexicon
from translator.text.restoration import Restoration
from translator.text.stand_in_codec import StandInCodec
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.unseen_names import NameKind
from translator.tokenizers.subword import Tokenizers

NAMES = KnownNames(frozenset({"tom", "met", "boston"}), "Tom", ("Boston", "London", "Mary"))


class Letters:
    """Spells every character."""

    masks_digits, has_start, lowercases = False, True, False
    padding_id = 0

    def __init__(self, language: str) -> None:
        self.language = language

    def encode(self, texts, reads_tags=True):
        return [[1, *map(ord, f"▁{text}".replace(" ", "▁")), 2] for text in texts]

    def pieces(self, ids):
        return [{1: "<s>", 2: "</s>"}.get(i, chr(i)) for i in ids]

    def split_tags(self, line):
        return [], line

    def ids_of_tags(self, names):
        return []

    def spells(self, ids):
        return True


def unopened() -> Lexicon:
    raise AssertionError("nothing needs the lexicon")


def codec(lexicon=unopened) -> StandInCodec:
    tokenizers = Tokenizers(Letters("en"), Letters("fr"))
    return StandInCodec(Parts(tokenizers, 99, Restoration(names=NAMES.to_json()), lexicon))


def shown(text: str, **options) -> list[str]:
    """What the model is shown of a sentence, first and where its translation lacks something."""
    [sentence] = codec().reader(CodecOptions(**options)).read(text, "line 1").sentences
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
    carried = codec().carried(CodecOptions(**options))
    assert not any(isinstance(kind, NameKind) for kind in carried.kinds)


@pytest.mark.parametrize(
    ("options", "uses_alignment", "always_aligns", "prefix"),
    [
        (CodecOptions(), True, False, ""),
        (CodecOptions(raw=True), False, False, ""),
        (CodecOptions(raw=True, prefix="Le Krxzy"), False, True, "Le Krxzy"),
        (CodecOptions(replace_unknown=True, prefix="Le Krxzy"), True, True, "Le Tom"),
    ],
)
def test_a_writer_asks_for_what_it_puts_back(options, uses_alignment, always_aligns, prefix):
    made = codec()
    writer = made.writer(options, [made.reader(options).read("Krxzy met Tom.", "line 1")])
    assert (writer.uses_alignment, writer.always_aligns) == (uses_alignment, always_aligns)
    assert " ".join(word.text for word in writer.prefix) == prefix


def test_the_lexicon_is_opened_where_marks_are_put_back():
    opened = codec(lambda: Lexicon({"tom": {"tom": 1.0}}))
    lines = [opened.reader(CodecOptions()).read("<b>Tom</b> met him.", "line 1")]
    assert opened.writer(CodecOptions(), lines).lexicon.associations(["tom"], ["tom"]).any()
    with pytest.raises(AssertionError, match="nothing needs"):
        codec().writer(CodecOptions(), lines)
