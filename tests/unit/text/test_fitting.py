"""Whether a model can take a text."""

from types import SimpleNamespace

from translator.text.fitting import Fit, check_fit


def test_a_text_fits_or_the_reason_is_returned():
    for has_start, ids, must_spell, fit in [
        (True, [1, 2], True, Fit.EMPTY),
        (True, [1, 10, 10, 2], True, Fit.FITS),
        (True, [1, 10, 10, 10, 2], True, Fit.TOO_LONG),
        (True, [1, 5, 2], True, Fit.UNKNOWN),
        (True, [1, 5, 2], False, Fit.FITS),
        (False, [2], False, Fit.EMPTY),
        (False, [10, 2], False, Fit.FITS),
    ]:
        tokenizer = SimpleNamespace(has_start=has_start, spells=lambda ids: max(ids) > 9)
        assert check_fit(ids, 4, tokenizer, must_spell=must_spell) is fit
