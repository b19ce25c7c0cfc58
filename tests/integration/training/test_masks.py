"""A run with masks: what training saw as masks is put back in translations."""

import pytest

import translator


@pytest.mark.parametrize("name", ["zero-digits", "bpemb"])
def test_attention_of_given_pairs_is_read_with_masks(stored_run, name):
    model = translator.load(stored_run(name))
    [record] = model.attention_of_pairs(["Olga has 99 dogs."], ["Olga hat 99 Hunde."])
    assert {"⟨1⟩", "⟨#1⟩"} <= {*record.source_tokens} & {*record.target_tokens}
    good, bad = model.score(
        ["Olga has 99 dogs."] * 2, ["Olga hat 99 Hunde.", "Olga hat 99 Häuser."]
    )
    assert good.log_probability > bad.log_probability
