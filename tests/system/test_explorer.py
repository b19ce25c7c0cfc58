"""The explorer in a real browser."""

import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tests.explorer_records import FIRST, HOSTILE, SOURCE, explorer_records, make_record
from translator.addons.attention.page import explorer_html, film_html
from translator.addons.attention.picture_content import HEAD_COLOURS, hide_ends, merge_words

pytestmark = pytest.mark.slow
READY = ".token"
both = pytest.mark.parametrize("device", ["desktop", "phone"])


@pytest.fixture(scope="module")
def records():
    return explorer_records()


@pytest.fixture(scope="module")
def address(records, tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(explorer_html(iter(records)), "utf-8")
    return path.as_uri()


def use(page, locator):
    """Points at an element, or taps it where there is no mouse."""
    phone = page.viewport_size["width"] < 500
    (locator.tap if phone else locator.hover)()


def press(page, locator):
    """Clicks an element, or taps it where there is no mouse."""
    phone = page.viewport_size["width"] < 500
    (locator.tap if phone else locator.click)()


def token(page, side, index):
    return page.locator(f".token[data-side={side}][data-index='{index}']").first


def head(page, name):
    return page.locator(f"[role=gridcell][data-head='{name}']")


def labels(page, side):
    return page.locator(f".tokens.{side}").first.locator(".token").all_inner_texts()


def table(page):
    details = page.locator("details").first
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    page.wait_for_selector("tbody td")
    rows = "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => +cell.innerText))"
    return np.array(page.locator("tbody tr").evaluate_all(rows))


def lines(page):
    """What is drawn, as {(head, query, key): (opacity, colour)}."""
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".panel:first-child .between path")]
        .filter(path => path.getClientRects().length)
        .filter(path => getComputedStyle(path.ownerSVGElement).opacity > 0)
        .map(path => [{...path.dataset}, path.getAttribute("stroke-opacity"),
                      path.getAttribute("stroke")])"""
    )
    return {
        (data["head"], int(data["query"]), int(data["key"])): (float(opacity), colour)
        for data, opacity, colour in shown
    }


def expected(record, kind="cross", words=True, hide=False):
    maps = record.maps(kind)
    maps = merge_words(maps) if words else maps
    return hide_ends(maps) if hide else maps


def css(hexadecimal):
    return "rgb({},{},{})".format(*bytes.fromhex(hexadecimal[1:]))


@both
@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_every_view_equals_the_records(open_page, records, device, kind):
    page = open_page(device)
    page.locator(f"#kind input[value={kind}]").check()
    press(page, head(page, "1.1"))
    for words in (True, False):
        page.locator(f"#units input[value={'words' if words else 'pieces'}]").check()
        for hide in (True, False):
            page.locator("#hide-ends").set_checked(hide)
            maps = expected(records[0], kind, words, hide)
            assert labels(page, "query") == list(maps.queries)
            assert labels(page, "key") == list(maps.keys)
            assert np.abs(table(page) - maps.scores[0, 0]).max() < 1e-4
    assert ("wrote" in page.inner_text("#note")) == (kind == "cross")


@both
def test_token_shows_its_lines_and_numbers(open_page, records, device):
    page = open_page(device, "threshold=0.1")
    press(page, head(page, "2.2"))
    maps = expected(records[0])
    scores = maps.scores[1, 1]
    everything = {("2.2", i, j) for i, j in np.argwhere(scores >= 0.1).tolist()}
    assert set(lines(page)) == everything
    for side, index in (("query", 1), ("key", 3)):
        assert (maps.queries, maps.keys)[side == "key"][index] == ("großer", "director")[
            side == "key"
        ]
        use(page, token(page, side, index))
        weights = scores[index] if side == "query" else scores[:, index]
        others = maps.keys if side == "query" else maps.queries
        drawn = lines(page)
        strong = np.flatnonzero(weights >= 0.1)
        assert len(drawn) == len(strong) > 0
        for other in strong.tolist():
            place = (index, other) if side == "query" else (other, index)
            opacity, colour = drawn["2.2", *place]
            assert opacity == pytest.approx(weights[other], abs=1e-4)
            assert colour == css(HEAD_COLOURS[1])
        ranked = sorted(strong.tolist(), key=lambda i: -weights[i])
        told = ", ".join(f"{others[i]} {weights[i]:.2f}" for i in ranked)
        verb = "looks at" if side == "query" else "is looked at by"
        name = (maps.queries if side == "query" else maps.keys)[index]
        assert page.inner_text("#readout") == f"'{name}' {verb}: {told}"
        alphas = [token(page, "key" if side == "query" else "query", i).evaluate(
            "b => getComputedStyle(b).backgroundColor") for i in ranked[:1]]  # fmt: skip
        assert float(alphas[0].split()[-1].rstrip(")").split(",")[-1]) == pytest.approx(
            0.55 * weights[ranked[0]], abs=0.01
        )
    page.keyboard.press("Escape")
    if device == "desktop":
        page.mouse.move(1, 1)
    assert set(lines(page)) == everything


@both
def test_several_heads_rows_and_columns(open_page, records, device):
    page = open_page(device, "threshold=0")
    scores = expected(records[0]).scores
    page.locator("#several").check()
    press(page, head(page, "1.2"))
    assert page.inner_text("#selection") == "2 heads: 1.2, 2.1"
    assert np.abs(table(page) - (scores[0, 1] + scores[1, 0]) / 2).max() < 1e-4
    use(page, token(page, "query", 1))
    drawn = lines(page)
    assert {name for name, _, _ in drawn} == {"1.2", "2.1"}
    for (name, query, key), (opacity, colour) in drawn.items():
        layer, number = (int(part) - 1 for part in name.split("."))
        assert opacity == pytest.approx(scores[layer, number, query, key], abs=1e-4)
        assert colour == css(HEAD_COLOURS[number])
    assert page.inner_text("#readout").endswith("mean of 2 heads")
    best = scores[0, 1, 1].argmax()
    told = f"1.2 {expected(records[0]).keys[best]} {scores[0, 1, 1, best]:.2f}"
    assert page.locator("#by-head span").first.inner_text() == told
    press(page, head(page, "2.1"))
    assert page.inner_text("#selection") == "layer 1 of 2, head 2 of 3"
    page.locator("#several").uncheck()
    press(page, page.get_by_role("rowheader", name="every head of layer 2"))
    assert page.inner_text("#selection") == "all 3 heads of layer 2"
    assert np.abs(table(page) - scores[1].mean(0)).max() < 1e-4
    press(page, page.get_by_role("columnheader", name="head 3 of every layer"))
    assert page.inner_text("#selection") == "head 3 of all 2 layers"
    selected = page.locator("[aria-selected=true]").evaluate_all("c => c.map(e => e.dataset.head)")
    assert selected == ["1.3", "2.3"]


def test_map_and_thumbnails_have_the_heads_colours(open_page, records):
    page = open_page(view="heads=1.1&units=pieces")
    scores = records[0].cross
    pixel = "c => [...c.getContext('2d').getImageData(0, 0, 1, 1).data]"
    hue = [*bytes.fromhex(HEAD_COLOURS[0][1:])]
    cell = page.locator(".map rect[x='0'][y='0']")
    assert page.locator("[data-head='1.1'] canvas").evaluate(pixel) == [*hue, 255]
    assert cell.get_attribute("fill") == css(HEAD_COLOURS[0])
    head(page, "1.2").click(modifiers=["Shift"])
    page.locator("#mixing input[value=mean]").check()
    ink = [255 + scores[0, :2, 0, 0].mean() * (channel - 255) for channel in (52, 50, 46)]
    numbers = re.findall(r"\d+", cell.get_attribute("fill"))
    assert [int(number) for number in numbers] == pytest.approx(ink, abs=1)


@both
def test_sentence_and_hypothesis_are_chosen(open_page, records, device):
    page = open_page(device)
    assert page.inner_text("#model") == "tiny, en → de"
    assert page.inner_text("#translations li") == (
        "1\nein großer <b>Direktor</b>. score −0.250, log probability −1.50, confidence 0.59"
    )
    page.select_option("#hypothesis", index=1)
    assert "score −0.500, log probability −3.00" in page.inner_text("#translations")
    assert labels(page, "query") == list(expected(records[1]).queries)
    assert np.abs(table(page) - expected(records[1]).scores[1, 0]).max() < 1e-4
    page.select_option("#sentence", index=1)
    assert page.text_content("#source") == HOSTILE
    assert np.abs(table(page) - expected(records[2]).scores[1, 0]).max() < 1e-4


def test_words_of_low_confidence_are_marked(open_page):
    page = open_page()
    words = page.locator(".translation .word")
    assert words.all_inner_texts() == ["ein", "großer", "Direktor</b>."]
    assert words.nth(1).get_attribute("title") == "confidence 0.31"
    assert page.locator(".doubtful").all_inner_texts() == ["großer"]
    page.select_option("#hypothesis", "1")  # its confidence is not known
    assert page.locator(".translation").inner_text() == "ein große Regie."
    assert page.locator(".word").count() == 0


@both
def test_two_hypotheses_part_where_they_differ(open_page, records, device):
    page = open_page(device)
    page.select_option("#beside", index=2)
    assert page.locator(".panel").count() == 2
    assert page.inner_text("#difference") == "They first differ at word 2: 'großer' / 'große'"
    marks = page.locator(".difference")
    assert marks.all_inner_texts() == ["großer", "große"]
    page.locator("#units input[value=pieces]").check()
    assert page.inner_text("#difference") == "They first differ at piece 3: 'r' / '▁Regie'"
    assert marks.all_inner_texts() == ["r", "▁Regie"]
    page.locator("#kind input[value=decoder]").check()
    assert marks.all_inner_texts() == ["r", "r", "▁Regie", "▁Regie"]
    page.locator("#kind input[value=cross]").check()
    use(page, token(page, "key", 2))
    assert [line[:2] for line in page.inner_text("#readout").splitlines()] == ["1:", "2:"]
    page.select_option("#beside", index=0)
    assert page.locator(".panel").count() == 1
    assert page.locator("#difference").inner_text() == ""


@both
def test_pictures_are_saved(open_page, records, device):
    page = open_page(device, "sentence=2&units=pieces&heads=1.2&threshold=0")
    use(page, token(page, "query", 1))
    with page.expect_download() as download:
        press(page, page.locator("#save-svg"))
    assert download.value.suggested_filename == "attention-cross-1.2.svg"
    root = ET.fromstring(Path(download.value.path()).read_text("utf-8"))
    svg = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{svg}text")]
    for label in (*FIRST[1:-1], "<s>", "▁&", '▁"quotes"'):
        assert texts.count(label) == 2, label  # at the lines and at the map
    assert texts.count("</s>") == 4
    assert texts[0] == HOSTILE
    chosen = [path for path in root.iter(f"{svg}path") if path.get("data-head")]
    if device == "phone":  # what was tapped stays
        assert len(chosen) == (records[2].cross[0, 1, 1] >= 0.0005).sum()
    else:
        assert len(chosen) == (records[2].cross[0, 1] >= 0.0005).sum()
    with page.expect_download() as download:
        press(page, page.locator("#save-png"))
    image = Path(download.value.path()).read_bytes()
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    measures = [round(2 * float(root.get(name))) for name in ("width", "height")]
    assert list(struct.unpack(">II", image[16:24])) == measures


def test_keyboard_alone_reaches_everything(open_page, records):
    page = open_page(view="heads=2.1")
    focus = "() => { const e = document.activeElement; return e.id || e.dataset.head || e.value"
    focus += " || (e.dataset.side && e.dataset.side + e.dataset.index) || e.localName; }"

    def type_keys(*keys):
        for key in keys:
            page.keyboard.press(key)
        return page.evaluate(focus)

    reached = {type_keys("Tab") for _ in range(16)}
    assert {"save-svg", "theme", "sentence", "cross", "2.1", "words", "query0", "key0"} <= reached
    head(page, "2.1").focus()
    assert type_keys("ArrowRight", "ArrowUp") == "1.2"
    type_keys("Enter")
    assert page.inner_text("#selection") == "layer 1 of 2, head 2 of 3"
    type_keys("ArrowLeft", "Shift+Enter")
    assert page.inner_text("#selection") == "2 heads: 1.1, 1.2"
    token(page, "query", 0).focus()
    assert type_keys("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp") == "key1"
    assert page.inner_text("#readout").startswith("'a' is looked at by: ")
    type_keys("Enter")
    assert token(page, "key", 1).get_attribute("aria-pressed") == "true"
    type_keys("Escape")
    assert page.locator("[aria-pressed=true]").count() == 0


def test_light_and_dark(open_page):
    page = open_page(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 21, 24)"
    assert page.locator(".map rect").first.get_attribute("fill") == "rgb(27,28,32)"
    page.locator("#theme").click()
    assert page.evaluate(ground) == "rgb(250, 249, 246)"
    assert page.locator(".map rect").first.get_attribute("fill") == "rgb(255,255,255)"


def test_phone_needs_no_sideways_scrolling_and_sixteen_heads_can_be_tapped(open_page, tmp_path):
    for view in ("sentence=2&units=pieces", "sentence=1&beside=2&heads=1.1 1.2 1.3"):
        page = open_page("phone", view)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    heights = page.locator("button, select, .switch label").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert min(heights) >= 40
    path = tmp_path / "sixteen.html"
    path.write_text(explorer_html([make_record(SOURCE, FIRST, heads=16)]), "utf-8")
    page = open_page("phone", address=path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    cells = page.locator("#heads [role=gridcell]")
    for box in cells.evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())"):
        assert min(box["width"], box["height"]) >= 28
    press(page, head(page, "2.16"))
    assert "layer 2 of 2, head 16 of 16" in page.locator("#selection").inner_text()
    press(page, page.locator("[role=rowheader]").nth(1))  # in sight beside the last head
    assert "all 16 heads of layer 2" in page.locator("#selection").inner_text()


def test_view_is_in_the_address_and_nonsense_is_mended(open_page, records):
    page = open_page()
    assert not page.locator("#film").is_visible()
    page.locator("#kind input[value=decoder]").check()
    page.locator("#units input[value=pieces]").check()
    page.locator("#hide-ends").check()
    page.locator("#threshold").fill("0.3")
    head(page, "1.3").click()
    again = open_page(view=page.url.split("#")[1])
    maps = expected(records[0], "decoder", words=False, hide=True)
    assert labels(again, "query") == list(maps.queries)
    assert np.abs(table(again) - maps.scores[0, 2]).max() < 1e-4
    assert len(lines(again)) == (maps.scores[0, 2] >= 0.3).sum()
    page = open_page(view="sentence=9&hypothesis=-1&beside=x&kind=none&heads=7.7 q&threshold=much")
    assert page.inner_text("#selection") == "layer 2 of 2, head 1 of 3"
    assert page.input_value("#sentence") == "0"


def test_it_opens_on_the_head_that_aligns_and_says_what_each_does(open_page, records, tmp_path):
    path = tmp_path / "aligned.html"
    path.write_text(explorer_html([records[0]._replace(aligning=(0, 1))]), "utf-8")
    page = open_page(address=path.as_uri())
    assert page.inner_text("#selection") == "layer 1 of 2, head 2 of 3"
    assert page.locator("#verdicts li").first.inner_text() == "aligns the words best 1.2"
    assert page.locator("#verdicts button").count() == 6
    page.locator("#verdicts button", has_text="2.3").click()
    assert page.inner_text("#selection") == "layer 2 of 2, head 3 of 3"
    assert "<s> and </s> are tokens" in page.inner_text("#note")
    page.locator("#hide-ends").check()
    assert "<s>" not in page.inner_text("#note")
    page.locator("#kind input[value=encoder]").check(force=True)
    assert "aligns" not in page.inner_text("#verdicts")


@both
def test_a_film_opens_on_its_last_frame_and_has_a_slider(open_page, tmp_path, device):
    film = {update: [make_record(SOURCE, FIRST, seed=update)] for update in (0, 5, 1200)}
    path = tmp_path / "film.html"
    path.write_text(film_html(film), "utf-8")
    page = open_page(device, address=path.as_uri(), view="heads=1.1")
    press(page, token(page, "query", 1))
    for frame, update in ((2, "1,200"), (0, "0"), (1, "5")):
        if frame < 2:
            page.locator("#frame").fill(str(frame))
        assert page.inner_text("#update") == f"{update} of 1,200"
        scores = expected(film[int(update.replace(",", ""))][0]).scores[0, 0]
        assert np.abs(table(page) - scores).max() < 1e-4
        best = scores[1].argmax()
        told = f"{expected(film[0][0]).keys[best]} {scores[1, best]:.2f}"
        assert page.inner_text("#readout").startswith(f"'großer' looks at: {told}")
    again = open_page(device, address=path.as_uri(), view=page.url.split("#")[1])
    assert again.inner_text("#update") == "5 of 1,200"
    assert again.evaluate("document.documentElement.scrollWidth <= innerWidth")
