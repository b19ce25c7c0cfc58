"""The explorer's page: what is in the file."""

import re

import numpy as np
import pytest

from tests.explorer_records import explorer_records, make_record
from translator.addons.attention.page import explorer_html


@pytest.fixture(scope="module")
def records():
    return explorer_records()


def test_hostile_text_stays_text_and_the_page_refers_to_nothing_outside(records):
    html = explorer_html(records)
    assert "alert(1)" in html
    assert "<img" not in html
    assert html.count("</script") == 2
    assert html.count("<script") == 2
    assert "\u2028" not in html
    html = explorer_html(records[:2])
    assert set(re.findall(r"""https?:[^"'\s]*""", html)) == {"http://www.w3.org/2000/svg"}
    outside = r"@import|url\(|\bsrc=|<link|\bfetch\(|\beval\(|\bimport\b|XMLHttpRequest|WebSocket"
    assert not re.search(outside, html)
    assert re.search(r"default-src 'none';.*script-src 'sha256-[^' ]+'\"", html)
    assert "unsafe" not in html


def test_size_and_what_is_shared():
    tokens = ("<s>", *(f"▁{i}" for i in range(58)), "</s>")
    even = np.full((4, 8, 60, 60), 1 / 60, "float32")
    record = make_record(tokens, (*tokens[:-1], "▁58", "</s>"), layers=4)
    record = record._replace(encoder=even, decoder=even, cross=even)
    one, two = (len(explorer_html([record._replace(rank=i) for i in range(n)])) for n in (1, 2))
    assert one < 1_100_000
    assert two - one < 650_000  # the encoder's scores are there once


def test_the_page_has_the_confidences_that_are_known(records):
    html = explorer_html(records[:2])
    words = '[["ein",0.97],["gro\\u00dfer",0.31],["Direktor.",0.5]]'
    assert f'"confidence":0.593,"words":{words}' in html
    assert '"confidence":null,"words":[]' in html
