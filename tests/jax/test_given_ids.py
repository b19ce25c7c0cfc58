"""Ids outside the vocabulary are refused under JAX too, which would compute NaN with them."""

import pytest

from tests.integration.model.test_given_ids import (  # noqa: F401
    test_ids_that_fit_are_taken,
    test_keywords_make_the_model_of_a_configuration,
    test_others_are_refused_in_one_line_before_anything_is_computed,
    test_reading_attention_and_encoding_refuse_them_too,
)

pytestmark = pytest.mark.slow
