"""Pictures of attention: the right weights in the right places, in the right colours, readable."""

import itertools
from xml.etree import ElementTree

import matplotlib.image
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from translator.addons.attention import heat_maps
from translator.addons.attention.heat_maps import DARK, MAX_WIDTH, plot_attention, title_lines
from translator.addons.attention.picture_content import (
    HEAD_COLOURS,
    SEVERAL_HEADS_COLOUR,
    head_colour,
    hide_ends,
    merge_words,
)
from translator.addons.page.offline_page import save_figure
from translator.base.errors import InputError
from translator.translation.records import AttentionRecord

KINDS = ["encoder", "decoder", "cross"]


def make_record(source: tuple[str, ...], target: tuple[str, ...], shape=(3, 5)) -> AttentionRecord:
    random = np.random.default_rng(0)
    s, t = len(source), len(target) - 1
    sizes = [(*shape, s, s), (*shape, t, t), (*shape, t, s)]
    scores = [random.dirichlet(np.full(size[-1], 0.2), size[:-1]) for size in sizes]
    texts = ["".join(side[1:-1]).replace("▁", " ").strip() for side in (source, target)]
    return AttentionRecord(texts[0], texts[1], source, target, *scores)


@pytest.fixture
def record() -> AttentionRecord:
    """Three layers, five heads, 4 source and 3 target tokens, with odd characters."""
    return make_record(("<s>", "▁$x_1$", "▁B", "</s>"), ("<s>", "▁Ä", "▁<b>", "</s>"))


def long_record() -> AttentionRecord:
    """60 source and 58 target tokens in two layers of eight heads."""
    source = ("<s>", *(f"▁word{i:02}" for i in range(58)), "</s>")
    return make_record(source, ("<s>", *(f"▁Wörtlein{i:02}" for i in range(57)), "</s>"), (2, 8))


def maps_of(figure: Figure) -> list:
    """The panels that are heat maps, without colour bars."""
    return [axes for axes in figure.axes if axes.images]


def images(figure: Figure) -> np.ndarray:
    """(panels, queries, keys)."""
    return np.stack([axes.images[0].get_array() for axes in maps_of(figure)])


def full_colours(figure: Figure) -> list:
    """The colour of weight 1 in each panel."""
    return [panel.images[0].cmap(1.0)[:3] for panel in maps_of(figure)]


def texts(labels: list[Text]) -> list[str]:
    return [label.get_text() for label in labels]


def title(figure: Figure) -> str:
    return " ".join(figure.get_suptitle().split())


def assert_readable(figure: Figure, labels: list[Text]) -> None:
    """No two labels overlap, and all lie inside the figure."""
    figure.set_dpi(150)
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    found = [each.get_window_extent(canvas.get_renderer()).shrunk(0.99, 0.99) for each in labels]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(found, 2))
    for box in found:
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
    assert figure.get_figwidth() <= MAX_WIDTH


@pytest.mark.parametrize("kind", KINDS)
def test_a_layer_has_a_panel_for_each_head_with_its_scores_and_colour(record, kind):
    figure = plot_attention(record, kind, layer=2, words=False)
    queries, keys, scores = record.maps(kind)
    assert len(figure.axes) == 5
    assert np.array_equal(images(figure), scores[1])
    assert np.allclose(full_colours(figure), [to_rgb(each) for each in HEAD_COLOURS[:5]])
    for head, panel in enumerate(maps_of(figure), start=1):
        assert panel.images[0].get_clim() == (0, 1)
        assert panel.images[0].cmap(0.0)[:3] == (1, 1, 1)
        assert texts(panel.get_xticklabels()) == list(keys)
        assert texts(panel.get_yticklabels()) == list(queries)
        assert panel.get_xlabel() == f"head {head}"


def test_one_head_is_one_map_with_its_weights_and_a_colour_bar(record):
    figure = plot_attention(record, "cross", layer=3, head=4)
    [panel], scores = maps_of(figure), record.cross[2, 3]
    assert np.array_equal(panel.images[0].get_array(), scores)
    written = {text.get_position(): text.get_text() for text in panel.texts}
    weights = {place[::-1]: weight for place, weight in np.ndenumerate(scores) if weight >= 0.005}
    assert written == {place: f"{weight:.2f}" for place, weight in weights.items()}
    [bar] = panel.child_axes
    assert bar.get_ylim() == (0, 1)
    assert np.allclose(full_colours(figure), [to_rgb(HEAD_COLOURS[3])])
    assert "layer 3 of 3, head 4 of 5" in title(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_each_layer_of_a_sheet_is_a_row_of_heads(record, kind):
    figure = plot_attention(record, kind, words=False)
    queries, keys, scores = record.maps(kind)
    assert np.array_equal(images(figure).reshape(scores.shape), scores)
    places = np.array([axes.get_position().p0 for axes in maps_of(figure)]).reshape(3, 5, 2)
    assert np.allclose(places[..., 0], places[0, :, 0])
    assert np.allclose(places[..., 1], places[:, :1, 1])
    assert (np.diff(places[0, :, 0]) > 0).all()
    assert (np.diff(places[:, 0, 1]) < 0).all()
    for number, panel in enumerate(maps_of(figure)):
        layer, head = divmod(number, 5)
        assert panel.get_xlabel() == f"layer {layer + 1}, head {head + 1}"
        assert texts(panel.get_yticklabels()) == (list(queries) if head == 0 else [])
        assert texts(panel.get_xticklabels()) == list(keys)


def test_a_layer_of_many_heads_takes_several_rows_of_a_sheet():
    tokens = ("<s>", *"abcdefghi", "</s>")
    figure = plot_attention(make_record(tokens, tokens, (2, 7)), words=False)
    heights = [round(axes.get_position().y0, 6) for axes in maps_of(figure)]
    assert [len(list(row)) for _, row in itertools.groupby(heights)] == [4, 3, 4, 3]


@pytest.mark.parametrize(("head", "reduce"), [("average", np.mean), ("maximum", np.max)])
def test_heads_are_averaged_or_their_maximum_taken(record, head, reduce):
    expected = reduce(record.cross, axis=1)
    layers = plot_attention(record, "cross", head=head)
    assert np.array_equal(images(layers), expected)
    assert [panel.get_xlabel() for panel in maps_of(layers)] == ["layer 1", "layer 2", "layer 3"]
    assert np.array_equal(images(plot_attention(record, "cross", head=5)), record.cross[:, 4])
    one = plot_attention(record, "cross", layer=2, head=head)
    assert np.array_equal(images(one), expected[[1]])
    assert np.allclose(full_colours(one), to_rgb(SEVERAL_HEADS_COLOUR))
    assert f"layer 2 of 3, {head} over 5 heads" in title(one)
    assert ("do not sum to 1" in title(one)) == (head == "maximum")


def test_words_are_merged_and_then_ends_hidden():
    source = ("<s>", "▁un", "seen", "▁thing", "s", ".", "</s>")
    pieces = make_record(source, ("<s>", "▁Un", "ge", "seh", "enes", ".", "</s>"), (2, 3))
    maps = pieces.maps("cross")
    for words, ends in itertools.product([False, True], repeat=2):
        figure = plot_attention(pieces, "cross", words=words, hide_ends=ends, layer=1)
        shown = merge_words(maps) if words else maps
        shown = hide_ends(shown) if ends else shown
        assert np.array_equal(images(figure), shown.scores[0])
        assert texts(maps_of(figure)[0].get_yticklabels()) == list(shown.queries)
        assert texts(maps_of(figure)[0].get_xticklabels()) == list(shown.keys)
        assert ("pieces joined to words" in title(figure)) == words
        assert ("start and end left out" in title(figure)) == ends
    assert shown.queries == ("Ungesehenes", ".")
    assert shown.keys == ("unseen", "things", ".")


def test_titles_say_what_is_shown_and_take_sentences_as_they_are(record):
    cross = title(plot_attention(record, "cross", layer=1, words=False))
    assert cross == (
        "cross-attention, layer 1 of 3 each row shows where the step that writes its token looks;"
        " white is 0, full colour is 1 $x_1$ B → Ä <b>"
    )
    decoder = title(plot_attention(record, "decoder", head=1, dark=True))
    assert "decoder self-attention, all 3 layers, head 1 of 5" in decoder
    assert "each row shows where its word looks;" in decoder
    assert "black is 0" in decoder
    assert "all 3 layers and 5 heads" in title(plot_attention(record, "encoder"))
    for view in ({}, {"layer": 1}, {"layer": 1, "head": 1}):  # no text is mathematics
        figure = plot_attention(record, **view)
        found = [text for text in figure.findobj(Text) if "$" in text.get_text()]
        assert len(found) >= 2
        assert not any(text.get_parse_math() for text in found)


def test_dark_pictures_have_light_text_on_a_dark_ground(record, tmp_path):
    figure = plot_attention(record, layer=1, dark=True)
    save_figure(figure, tmp_path / "dark.png")
    pixels = matplotlib.image.imread(tmp_path / "dark.png")[..., :3]
    assert np.allclose(pixels[[0, 0, -1, -1], [0, -1, 0, -1]], to_rgb(DARK.background), atol=0.01)
    assert np.median(pixels) < 0.12
    assert all(sum(to_rgb(text.get_color())) > 1.2 for text in figure.findobj(Text))
    assert np.allclose(maps_of(figure)[0].images[0].cmap(0.0)[:3], to_rgb(DARK.background))
    assert min(map(max, full_colours(figure))) > 0.6


def test_the_file_s_ending_decides_its_format_and_notebooks_show_the_figure(record, tmp_path):
    figure = plot_attention(record, "cross", layer=1, head=1)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    for ending, magic in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        save_figure(figure, tmp_path / f"maps.{ending}")
        assert (tmp_path / f"maps.{ending}").read_bytes().startswith(magic)
    with pytest.raises(InputError, match="ends in .png, .svg, .pdf"):
        save_figure(figure, tmp_path / "maps.gif")
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "view", [{"layer": 1, "head": 2}, pytest.param({"layer": 1}, marks=pytest.mark.slow)]
)
def test_labels_of_sixty_tokens_lie_apart_and_inside(view):
    figure = plot_attention(long_record(), **view)
    axes = figure.axes[0]
    for labels, count in ((axes.get_yticklabels(), 58), (axes.get_xticklabels(), 60)):
        assert len(labels) == count
        assert all(label.get_fontsize() >= 6.5 for label in labels)
        assert_readable(figure, labels)


@pytest.mark.slow
def test_a_sheet_of_many_tokens_does_without_labels_and_says_so():
    figure = plot_attention(long_record())
    assert "too many tokens for labels" in title(figure)
    shown = [text for text in figure.findobj(Text) if text.get_text()]
    assert {"layer 1, head 1", "layer 2, head 8"} <= set(texts(shown))
    assert len(shown) == 1 + 2 * 8
    assert_readable(figure, shown)


@pytest.mark.parametrize(
    ("tokens", "heads"), [(5, 16), pytest.param(25, 6, marks=pytest.mark.slow)]
)
def test_nothing_in_a_sheet_overlaps(tokens, heads):
    source = ("<s>", *(f"▁mount{i}" for i in range(tokens - 2)), "</s>")
    figure = plot_attention(make_record(source, source, (2, heads)))
    drawn = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    assert_readable(figure, [*drawn, *figure.axes])


def test_long_titles_make_the_picture_higher_and_leave_panels_as_they_are(record):
    short = plot_attention(record, "cross", layer=1)
    text = " ".join(["unforgettable"] * 80)
    long = plot_attention(record._replace(source=text, hypothesis="Ü" * 600), "cross", layer=1)
    assert long.get_figheight() > short.get_figheight() + 1
    assert np.allclose(
        *(maps_of(each)[0].get_position().size * each.get_size_inches() for each in (short, long))
    )
    assert_readable(long, [long._suptitle, *maps_of(long)])  # type: ignore[attr-defined]
    assert title(long).replace(" ", "").endswith(text.replace(" ", "") + "→" + "Ü" * 600)
    longer = plot_attention(record._replace(source="a" * 100_000), "cross", layer=1)
    assert title(longer).count("a") < 2100


def test_titles_break_first_where_they_are_told_and_every_label_is_one_line():
    for text, width, lines in (
        ("a\n→ b", 5, ["a → b"]),
        ("a" * 40 + "\n→ " + "b" * 40, 5, ["a" * 40, "→ " + "b" * 40]),
        ("good " * 40, 5, [" ".join(["good"] * n) for n in (14, 14, 12)]),
        ("Ü" * 3, 0.01, ["Ü", "Ü", "Ü"]),
        ("老" * 60, 5, ["老" * 36, "老" * 24]),
    ):
        assert title_lines([text], width, 10) == lines
    record = make_record(("<s>", "▁" + "a" * 50, "b\nc", "</s>"), ("<s>", "▁B", "</s>"), (1, 2))
    figure = plot_attention(record, "cross", layer=1, words=False)
    labels = texts(maps_of(figure)[0].get_xticklabels())
    assert labels == ["<s>", "▁" + "a" * 26 + "…", "b c", "</s>"]


def test_heads_after_the_chosen_colours_have_colours_of_their_own():
    found = [head_colour(head) for head in range(30)]
    assert len(set(found)) == 30
    assert found[:12] == list(HEAD_COLOURS)
    assert all(len(colour) == 7 for colour in found)


def test_letters_that_no_installed_font_has_are_told(record, tmp_path, monkeypatch):
    bytes_of_one = ("<s>", "<0xF4>", "<0x8F>", "<0xBF>", "<0xBD>", "</s>")
    strange = make_record(bytes_of_one, record.target_tokens)
    for shown, missing in ((record, ""), (strange, "\U0010fffd")):
        assert save_figure(plot_attention(shown, layer=1), tmp_path / "maps.png") == missing
    rare = record._replace(hypothesis="\u1d81")
    common = record._replace(hypothesis="Я вижу дом. Βλέπω το σπίτι. اشترى بيتا. ▁ß")
    for names, missing in (((), "\u1d81"), (("No Such Font", "STIXGeneral"), "")):
        monkeypatch.setattr(heat_maps, "FALLBACKS", names)
        assert save_figure(plot_attention(common, layer=1), tmp_path / "maps.png") == ""
        assert save_figure(plot_attention(rare, layer=1), tmp_path / "maps.png") == missing


def test_what_cannot_be_drawn_is_refused(record):
    for view, message in [
        ({"layer": 0}, "^layer: expected 1 to 3, found 0$"),
        ({"layer": 4}, "^layer: expected 1 to 3, found 4$"),
        ({"head": 0}, "^head: expected 1 to 5, found 0$"),
        ({"head": 6}, "head: .* found 6$"),
        ({"head": "mean"}, "head: .* found mean$"),
        ({"kind": "self"}, "kind: expected one of encoder, decoder, cross, found self"),
    ]:
        with pytest.raises(InputError, match=message):
            plot_attention(record, **view)
    with pytest.raises(InputError, match="record: expected an AttentionRecord, found list"):
        plot_attention([record])
    empty = make_record(("<s>", "▁A", "</s>"), ("<s>", "</s>"))
    assert images(plot_attention(empty, "cross", layer=1)).shape == (5, 1, 3)
    with pytest.raises(InputError, match="hide_ends: expected tokens between start and end"):
        plot_attention(empty, "cross", layer=1, hide_ends=True)


CONTROLS = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160), 0xFFFE, 0xFFFF)))


def test_control_characters_leave_an_svg_well_formed(record, tmp_path):
    tokens = ("<s>", *(f"▁a{character}" for character in CONTROLS), "</s>")
    hostile = make_record(tokens, record.target_tokens, (1, 2))
    hostile = hostile._replace(source=f"a{CONTROLS}b\x1b[2J\udcff")
    picture = plot_attention(hostile, layer=1, head=1, words=False)
    assert save_figure(picture, tmp_path / "maps.svg") == ""
    content = (tmp_path / "maps.svg").read_text("utf-8")
    ElementTree.fromstring(content)
    assert not set(CONTROLS) & set(content)
    assert "▁a\ufffd" in content
    assert "\ufffd[2J\ufffd" in content
