"""Options of a translation are checked when they are made."""

import dataclasses

import numpy as np
import pytest

from translator.base.errors import InputError
from translator.translation.options import TranslationOptions

NO_SAMPLING = "expected sampling, found a search; add --sample"


def test_values_of_a_wrong_type_are_refused():
    for options, message in [
        ({"beam_size": "4"}, "beam size: expected a whole number, found '4'"),
        ({"beam_size": 4.0}, "beam size: expected a whole number, found 4.0"),
        ({"beam_size": True}, "beam size: expected a whole number, found True"),
        ({"n_best": None}, "n-best: expected a whole number, found None"),
        ({"length_penalty": "1"}, "length penalty: expected a number, found '1'"),
        ({"length_penalty": []}, r"length penalty: expected a number, found \[\]"),
        ({"prefix": None}, "prefix: expected a string, found None"),
        ({"prefix": b"Der"}, "prefix: expected a string, found b'Der'"),
        ({"prefix": "Der \ud800"}, r"prefix: .* Unicode text, found a lone .*, '\\ud800'; .*"),
        ({"beam_size": [10**400]}, r"beam size: expected a whole number, found \[1000*\.\.\.0*\]"),
        ({"split": 1}, "split: expected True or False, found 1"),
        ({"errors": "bogus"}, "errors: expected strict or replace, found 'bogus'"),
        ({"tags": "bt"}, r"tags: expected a tuple of names, found 'bt'"),
        ({"formality": "more"}, "formality: expected formal or informal, found 'more'"),
        ({"glossary": (("a", "b"),), "raw": True}, "glossary: expected a glossary or --raw, .*"),
        ({"glossary": ("a", "b")}, "glossary: expected pairs of term .*, found 'a'; .*"),
        ({"glossary": (("a", 5),)}, r"glossary: expected pairs of term .*, found \('a', 5\); .*"),
        ({"top_k": 2.5}, "top-k: expected a whole number, found 2.5"),
        ({"top_p": "much"}, "top-p: expected a number, found 'much'"),
        ({"top_p": 0.9}, f"top-p: {NO_SAMPLING}"),
        ({"seed": None}, "seed: expected a whole number, found None"),
        ({"sample": True, "seed": -1}, "seed: expected 0 to 2147483647, found -1"),
        ({"sample": True, "seed": 2**31}, "seed: expected 0 to 2147483647, found 2147483648"),
        ({"sample": True, "beam_size": 4}, "beam size: expected none with sampling, found 4; .*"),
        ({"temperature": 0.5}, f"temperature: {NO_SAMPLING}"),
        ({"top_k": 5}, f"top-k: {NO_SAMPLING}"),
        ({"seed": 5}, f"seed: {NO_SAMPLING}"),
        ({"errors": None}, "errors: expected strict or replace, found None"),
    ]:
        with pytest.raises(InputError, match=f"^{message}$"):
            TranslationOptions(**options)


def test_numbers_of_any_kind_are_taken_and_cannot_be_changed():
    options = TranslationOptions(beam_size=np.int64(3), length_penalty=1)
    assert options.beam_size == 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.beam_size = 3
