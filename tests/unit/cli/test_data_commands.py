"""``translator corpora`` and ``tokenize``: options that exclude each other."""

import pytest

from translator.base.errors import InputError
from translator.cli.data import open_tokenizer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("run", "en", None, None), "--run: expected no --bpemb with it, found both"),
        ((None, "en", None, "source"), "--side: expected no --bpemb with it, found both"),
        ((None, None, 1000, None), "--vocab-size: expected --bpemb with it, found none"),
        (("run", None, 1000, "target"), "--vocab-size: expected --bpemb with it, found none"),
    ],
)
def test_options_of_a_run_and_of_bpemb_exclude_each_other(options, message):
    with pytest.raises(InputError, match=message):
        open_tokenizer(*options)


@pytest.mark.parametrize("vocab_size", [0, 12_345])
def test_the_size_of_bpembs_model_is_the_one_that_is_named(vocab_size):
    with pytest.raises(InputError, match=f"BPEmb has 1000, .* pieces for en, found {vocab_size}$"):
        open_tokenizer(None, "en", vocab_size, None)
