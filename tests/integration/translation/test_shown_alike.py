"""Training pairs and lines to translate show a model the same."""

import random

import pytest

import translator
from translator.base.languages import language_table
from translator.corpora.phrasebook import FOLDER
from translator.text.characters import with_plain_characters
from translator.text.preprocessing import plain_source
from translator.text.read_lines import CodecOptions
from translator.text.shown import Casing


def phrasebook() -> list[tuple[str, str]]:
    """The pairs of the phrasebook in an order of chance."""
    files = sorted(FOLDER.glob("*.tsv"))
    rows = [line.split("\t") for file in files for line in file.read_text("utf-8").splitlines()]
    pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
    random.Random(1).shuffle(pairs)
    return pairs


@pytest.mark.parametrize("run", ["en-de", "de-en"])
@pytest.mark.parametrize("count", [250, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_source_is_shown_in_training_as_in_translating(run, count):
    """But for words that are typed otherwise than usual: those stages see lines alone."""
    codec = translator.load(run).codec
    reader, preprocessor = codec.reader(CodecOptions()), codec.preprocessor
    masker = preprocessor.masker
    typed = language_table(masker.languages[0], "casing").get("contractions", ())
    without_apostrophe = {word.replace("'", "") for word in typed}
    compared = 0
    for pair in phrasebook()[:count]:
        source, target = pair if run == "en-de" else pair[::-1]
        if any(word.isupper() and len(word) > 1 for word in source.split()):
            continue
        if without_apostrophe & set(source.lower().replace('"', "").split()):
            continue
        line = reader.read(source, "line 1")
        [sentence, *others] = line.sentences
        if others or line.mark or sentence.carried is not None:
            continue
        if sentence.shown.marks or sentence.shown.casing is not Casing.SENTENCE:
            continue
        sides = (
            plain_source(source, masker.languages[0]),
            with_plain_characters(target, masker.languages[1]),
        )
        masked = [span for span in masker.find(sides[0]) if not span.is_shown]
        if masked != [span for span, _ in masker.find_common(*sides) if not span.is_shown]:
            continue  # the translation says it otherwise
        assert sentence.shown.text == preprocessor.show_pair(source, target)[0]
        compared += 1
    assert compared > count / 2
