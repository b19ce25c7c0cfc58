"""A run with masks: what training saw as masks is put back in translations."""

import pytest

import translator
from translator.translation.options import TranslationOptions


@pytest.fixture(params=["zero-digits", "bpemb"])
def masked_run(request, stored_run):
    """A finished run that has learnt to carry masks."""
    return stored_run(request.param)


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_names_and_numbers_that_training_never_saw_are_carried(masked_run, engine):
    model = translator.load(masked_run, engine=engine)
    lines = ["Zacharias has 4,711 books.", "Quentin sees 99 dogs. Olga wants 1.5 houses."]
    found = model.translate(lines, TranslationOptions(beam_size=2))
    words = [each.hypotheses[0].text.split() for each in found]
    for line, carried in zip(words, (("Zacharias", "4.711"), ("Quentin", "99", "Olga", "1,5"))):
        assert [line.count(word) for word in carried] == [1] * len(carried), line


def test_attention_of_given_pairs_is_read_with_masks(masked_run):
    model = translator.load(masked_run)
    [record] = model.attention_of_pairs(["Olga has 99 dogs."], ["Olga hat 99 Hunde."])
    assert {"⟨1⟩", "⟨#1⟩"} <= {*record.source_tokens} & {*record.target_tokens}
    good, bad = model.score(
        ["Olga has 99 dogs."] * 2, ["Olga hat 99 Hunde.", "Olga hat 99 Häuser."]
    )
    assert good.log_probability > bad.log_probability
