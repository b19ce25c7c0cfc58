"""The map of a vocabulary and the film of a training in a real browser."""

import re

import numpy as np
import pytest

from translator.addons.attention.film import Film, FilmedSentence
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.addons.attention.page.film import film_html
from translator.addons.explanation.embedding_map import EmbeddingMap
from translator.addons.explanation.page.map_page import map_html
from translator.translation.records import KINDS, AttentionRecord

pytestmark = pytest.mark.slow
both = pytest.mark.parametrize("device", ["desktop", "phone"])
PIECES = ("▁dog", "▁cat", "s", "▁Hund", "▁<b>bold</b>", *(f"▁word{i}" for i in range(40)))


@pytest.fixture(scope="module")
def vocabulary():
    draw = np.random.default_rng(1)
    count = len(PIECES)
    places = draw.uniform(-1, 1, (count, 2)).astype("float32")
    places[:2] = [[-0.5, 0.5], [0.5, -0.5]]
    nearest = np.array([[(i + step) % count for step in range(1, 9)] for i in range(count)])
    shares = np.linspace(0, 1, count)
    return EmbeddingMap(PIECES, places, shares, np.arange(count, 0, -1), nearest, "pca", 0.12)


@pytest.fixture
def open_map(visit, vocabulary, tmp_path):
    path = tmp_path / "map.html"
    path.write_text(map_html(vocabulary, "tiny", ("en", "de")), "utf-8")
    return lambda device="desktop", **options: visit(path.as_uri(), "#points", device, **options)


@both
def test_a_word_is_found_and_said_with_its_neighbours(open_map, device):
    page = open_map(device)
    assert "12% of the variance" in page.locator("#model").inner_text()
    page.locator("#search").fill("cat")
    assert page.locator("#readout").inner_text() == "1 matches"
    page.locator("#search").press("Enter")
    said = page.locator("#readout").inner_text()
    assert said.startswith("cat, 44 times")
    assert "nearest: -s, Hund, <b>bold</b>" in said
    page.locator("#search").fill("nothing of this kind")
    assert page.locator("#readout").inner_text() == "no match"


def test_pointing_zooming_and_moving(open_map):
    page = open_map()
    box = page.locator("#points").bounding_box()
    scale = min(box["width"], box["height"]) / 2.1
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle[0] - 0.5 * scale, middle[1] - 0.5 * scale)
    assert page.locator("#readout").inner_text().startswith("dog, ")
    page.mouse.move(*middle)
    page.mouse.wheel(0, -800)
    page.mouse.move(middle[0] + 1, middle[1] + 1)
    page.mouse.down()
    page.mouse.move(middle[0] + 200, middle[1] + 100)
    page.mouse.up()
    page.locator("#whole").click()
    page.mouse.move(middle[0] + 0.5 * scale, middle[1] + 0.5 * scale)
    assert page.locator("#readout").inner_text().startswith("cat, ")


def test_the_map_works_with_the_keyboard_and_in_the_dark(open_map):
    page = open_map(color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator("#points").focus()
    for key in ("+", "ArrowLeft", "ArrowUp", "-", "0"):
        page.keyboard.press(key)
    page.locator("#theme").click()
    page.locator("html[data-theme=light]").wait_for()  # drawn


@pytest.fixture(scope="module")
def film():
    draw = np.random.default_rng(2)
    source = ("<s>", "▁the", "▁dog", "</s>")
    target = ("<s>", "▁der", "▁Hund", "</s>")
    sentences = []
    for number in (1, 2):
        scores = {}
        for kind in KINDS:
            rows = 4 if kind == "encoder" else 3
            keys = 3 if kind == "decoder" else 4
            raw = draw.random((5, 2, 3, rows, keys))
            scores[kind] = (raw / raw.sum(axis=-1, keepdims=True)).astype("float32")
        record = AttentionRecord(
            f"the dog {number}", "der Hund", source, target,
            *(scores[kind][-1] for kind in ("encoder", "decoder", "cross")),
        )  # fmt: skip
        entropies = {
            kind: -(array * np.log2(array)).sum(-1).mean(-1) for kind, array in scores.items()
        }
        errors = draw.random((5, 2, 3)) if number == 1 else None
        losses = np.array([6.0, 4.0, 3.0, 2.0, 1.0])
        sentences.append(FilmedSentence(record, losses, scores, entropies, errors))
    return Film(np.array([0, 1, 4, 9, 16]), sentences)


@pytest.fixture
def open_film(visit, film, tmp_path):
    path = tmp_path / "film.html"
    path.write_text(film_html(film, "tiny"), "utf-8")
    return lambda device="desktop", **options: visit(
        path.as_uri(), "#heads canvas", device, **options
    )


@both
def test_each_frame_shows_its_scores_and_figures(open_film, film, device):
    page = open_film(device)
    sentence = film.sentences[0]
    for frame in (0, 3):
        page.locator("#slider").fill(str(frame))
        assert page.locator("#update").inner_text() == f"update {film.updates[frame]} of 16"
        captions = page.locator("figcaption").all_inner_texts()
        numbers = [float(re.search(r": ([\d.]+) ", caption)[1]) for caption in captions]
        expected = [
            sentence.losses[frame], sentence.entropies["cross"][frame, 0, 0],
            sentence.errors[frame, 0, 0],
        ]  # fmt: skip
        assert numbers == pytest.approx(expected, abs=0.006)
        titles = page.locator("#map td[title]").evaluate_all("cells => cells.map(c => c.title)")
        shown = [int(re.search(r": (\d+) %", title)[1]) for title in titles]
        assert shown == pytest.approx(
            list(100 * sentence.scores["cross"][frame, 0, 0].ravel()), abs=1.5
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_cell_of_the_film_is_between_paper_and_the_head_s_colour(open_film, film, scheme):
    page = open_film(color_scheme=scheme)
    roots = np.rint(255 * np.sqrt(film.sentences[0].scores["cross"][0, 0, 0].ravel()))
    paper = np.array([255, 255, 255] if scheme == "light" else [27, 28, 32])
    hue = np.array([int(HEAD_COLOURS[0][i : i + 2], 16) for i in (1, 3, 5)])
    hue = hue if scheme == "light" else hue + 0.4 * (255 - hue)
    expected = paper + (roots[:, None] / 255) ** 1.4 * (hue - paper)
    shown = page.locator("#map td[title]").evaluate_all(
        "cells => cells.map(c => c.style.background)"
    )
    colours = [[int(part) for part in re.findall(r"\d+", each)[:3]] for each in shown]
    assert np.abs(np.array(colours) - expected).max() <= 1.5


@both
def test_heads_kinds_and_sentences_are_chosen(open_film, device):
    page = open_film(device)
    page.locator("#heads button").nth(4).click()
    assert page.locator("#head").inner_text() == "layer 2, head 2"
    page.locator("#kind").select_option("encoder")
    assert page.locator("#map tbody tr").count() == 4
    assert page.locator("figcaption").count() == 2  # alignment errors are of cross-attention
    page.locator("#kind").select_option("cross")
    page.locator("#sentence").select_option("1")
    assert page.locator("figcaption").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_plays_to_the_end_and_stops(open_film):
    page = open_film()
    assert page.locator("#slider").input_value() == "0"  # it begins at the beginning
    assert page.locator("#watch").inner_text().startswith("What to watch: ")
    page.locator("#play").click()
    assert page.locator("#play").inner_text() == "Pause"
    page.wait_for_selector("#play:has-text('Play')")
    assert page.locator("#slider").input_value() == "4"
