"""Whether a model can take a text."""

from translator.text.fitting import Fit, check_fit


class Spelling:
    """A tokenizer that knows the ids above 9."""

    has_start = True

    def spells(self, ids):
        return any(i > 9 for i in ids)


def test_a_text_fits_or_the_reason_is_returned():
    for ids, fit in [
        ([1, 2], Fit.EMPTY),
        ([1, 10, 10, 2], Fit.FITS),
        ([1, 10, 10, 10, 2], Fit.TOO_LONG),
        ([1, 5, 2], Fit.UNKNOWN),
    ]:
        assert check_fit(ids, 4, Spelling(), must_spell=True) is fit


def test_unknown_characters_fit_unless_they_are_asked_for():
    assert check_fit([1, 5, 2], 4, Spelling()) is Fit.FITS


def test_a_source_without_start_has_one_token_less():
    source = Spelling()
    source.has_start = False
    assert check_fit([2], 4, source) is Fit.EMPTY
    assert check_fit([10, 2], 4, source) is Fit.FITS
