"""The page of an explanation in a real browser."""

import itertools
import re

import numpy as np
import pytest

import translator
from tests.commands import SENTENCE
from translator.addons.explanation.explain import explain
from translator.addons.explanation.page import explanation_html
from translator.addons.explanation.steps import GROUPS

pytestmark = pytest.mark.slow
READY = "#picture *"
both = pytest.mark.parametrize("device", ["desktop", "phone"])


@pytest.fixture(scope="module")
def explained(tiny_run):
    return explain(translator.load(tiny_run), SENTENCE, 2, 1, "cross")


@pytest.fixture(scope="module")
def address(explained, tmp_path_factory):
    path = tmp_path_factory.mktemp("explanation") / "page.html"
    path.write_text(explanation_html(explained), "utf-8")
    return path.as_uri()


def number_of(explained, name):
    return [step.name for step in explained.steps].index(name) + 1


@both
def test_the_slider_goes_through_all_steps(open_page, explained, device):
    page = open_page(device, color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator("#theme").click()
    assert page.locator("html").get_attribute("data-theme") == "light"
    names = [step.name for step in explained.steps]
    names += ["next token", "without this head", "the search"]
    assert page.locator("#name").inner_text() == "the whole model"
    assert page.locator("#back").is_disabled()
    for number, name in enumerate(names, start=1):
        page.locator("#forward").click()
        assert page.locator("#name").inner_text() == f"{number}. {name}"
    assert page.locator("#forward").is_disabled()
    page.locator("#slider").fill("1")
    assert page.locator("#name").inner_text() == f"1. {names[0]}"


def test_pointing_at_a_cell_tells_the_models_number(open_page, explained):
    for name in ("embedding", "keys", "products", "weights", "inner"):
        number = number_of(explained, name)
        step = explained.steps[number - 1]
        page = open_page(view=f"step={number}")
        picture = page.locator("#picture canvas")
        box = picture.bounding_box()
        height, width = step.numbers.shape
        for row, column in ((0, 0), (height - 1, width - 1), (1, width // 2)):
            page.mouse.move(
                box["x"] + (column + 0.5) * box["width"] / width,
                box["y"] + (row + 0.5) * box["height"] / height,
            )
            said = page.locator("#readout").inner_text().replace("−", "-")
            label, value = said.rsplit(": ", 1)
            assert label.startswith(step.rows[row])
            expected = step.numbers[row, column]
            if step.kind == "share":
                assert float(value.removesuffix(" %")) == pytest.approx(100 * expected, abs=0.05)
            else:
                assert float(value) == pytest.approx(expected, rel=1e-2, abs=5.1e-4)
        picture.focus()
        page.keyboard.press("ArrowLeft")
        assert page.locator("#readout").inner_text().replace("−", "-") != said


def test_a_pair_is_multiplied_cell_by_cell(open_page, explained):
    queries, keys, products, scaled, weights = (
        explained.steps[number_of(explained, name) - 1].numbers
        for name in ("queries", "keys", "products", "scaled", "weights")
    )
    page = open_page(view=f"step={number_of(explained, 'products')}&row=2&key=3")
    last = page.locator("#pair p").last.inner_text().replace("−", "-")
    found = [float(number) for number in re.findall(r"-?\d+\.\d+", last)]
    expected = [products[1, 2], scaled[1, 2], 100 * weights[1, 2]]
    assert found == pytest.approx(expected, rel=1e-2, abs=1e-2)
    box = page.locator("#pair canvas").first.bounding_box()
    page.mouse.move(box["x"] + 1, box["y"] + 5)
    said = page.locator(".said").inner_text().replace("−", "-")
    one, other, product = (float(number) for number in re.findall(r"-?\d+\.\d+", said))
    assert (one, other) == pytest.approx((queries[1, 0], keys[2, 0]), rel=1e-2, abs=1e-3)
    assert product == pytest.approx(queries[1, 0] * keys[2, 0], rel=1e-2, abs=1e-3)


@both
def test_a_chosen_row_is_kept_from_step_to_step_and_in_the_address(open_page, explained, device):
    page = open_page(device, view=f"step={number_of(explained, 'weights')}")
    page.locator("#rows .name").nth(2).click()
    weights = explained.steps[number_of(explained, "weights") - 1].numbers
    strongest = int(np.argmax(weights[2]))
    assert (
        page.locator("#keys [aria-pressed=true]").inner_text()
        == (explained.labels.source[strongest])
    )
    page.locator("#forward").click()
    assert page.locator(".names [aria-pressed=true]").inner_text() == explained.labels.writes[2]
    assert "row=3" in page.evaluate("location.hash")


def test_the_tree_has_every_branch_and_what_was_dropped_on_request(open_page, explained):
    page = open_page(view=f"step={len(explained.steps) + 3}")
    followed = {branch.parent for branch in explained.branches}
    shown = [
        branch
        for i, branch in enumerate(explained.branches)
        if branch.fate != "dropped" or i in followed
    ]
    assert page.locator(".tree text").count() == len(shown) + 1  # the start token too
    page.locator("#dropped").check()
    assert page.locator(".tree text").count() == len(explained.branches) + 1
    page.locator(".tree text").nth(1).hover()
    assert explained.branches[0].piece in page.locator("#readout").inner_text()


def test_lines_of_the_tree_never_cross(open_page, explained):
    """Two lines between the same steps either leave the same piece or have no rows in common."""
    page = open_page(view=f"step={len(explained.steps) + 3}")
    page.locator("#dropped").check()
    lines = page.locator(".tree path").evaluate_all("all => all.map(e => e.getAttribute('d'))")
    rows_of: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        top, bend, bottom = re.fullmatch(
            r"M[\d.]+,([\d.]+)H([\d.]+)C\S+ \S+ [\d.]+,([\d.]+)", line
        ).groups()
        rows_of.setdefault(bend, []).append((float(top), float(bottom)))
    assert len(lines) == len(explained.branches)
    assert any(len({top for top, _ in rows}) > 1 for rows in rows_of.values())
    for rows in rows_of.values():
        for (top, bottom), (other_top, other_bottom) in itertools.combinations(rows, 2):
            assert top == other_top or bottom < other_top or other_bottom < top
    places = page.locator(".tree text").evaluate_all(
        "all => all.map(e => `${e.getAttribute('x')} ${e.getAttribute('y')}`)"
    )
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(("name", "step", "place"), [("following", 1, 0), ("without", 2, 2)])
def test_what_may_follow_has_the_probabilities(open_page, explained, name, step, place):
    """Also if the head added nothing."""
    page = open_page(view=f"step={len(explained.steps) + step}&row=1")
    token = page.locator(".line").nth(place).locator(".token").nth(0)
    expected = getattr(explained, name)[place]
    assert token.locator("b").inner_text() == expected.tokens[0]
    value = float(token.locator("i").inner_text().removesuffix(" %"))
    assert value == pytest.approx(100 * expected.probabilities[0], abs=0.05)


@both
def test_the_page_opens_on_the_model_with_the_head_in_sight(open_page, explained, device):
    page = open_page(device)
    box = page.locator(".diagram rect.chosen").first.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= page.evaluate("innerWidth")
    drawn = page.locator(".drawing")
    assert drawn.evaluate("each => each.scrollWidth <= each.clientWidth"), "never cut"
    assert box["width"] > 250, "large enough to read"
    assert page.locator(".diagram text.chosen").text_content() == "decoder: layer 2 of 2"
    heads = page.locator(".diagram rect.head.chosen")
    assert heads.count() == 1
    assert page.locator("#steps h3").all_text_contents() == list(GROUPS)


@both
def test_the_tree_is_never_cut(open_page, explained, device):
    """It goes on below where the page is too narrow for it."""
    page = open_page(device, view=f"step={len(explained.steps) + 3}")
    page.locator("#dropped").check()
    right = page.locator(".tree").evaluate(
        "tree => Math.max(...[...tree.querySelectorAll('text, path')].map("
        "each => each.getBoundingClientRect().right)) - tree.getBoundingClientRect().right"
    )
    assert right <= 1
    shrunk = "svg => svg.getAttribute('width') - svg.getBoundingClientRect().width"
    assert page.locator(".tree svg").evaluate(shrunk) <= 1
    assert page.locator(".tree line").count() > 0  # to what is below
    assert page.locator(".tree text").count() == len(explained.branches) + 1


@both
def test_no_step_needs_sideways_scrolling(open_page, explained, device):
    from playwright.sync_api import expect

    page = open_page(device)
    for number in range(len(explained.steps) + 4):
        page.evaluate(f"location.hash = 'step={number}'")
        expect(page.locator("#slider")).to_have_value(str(number))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), number
