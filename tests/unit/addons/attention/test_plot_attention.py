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

from translator.addons.attention.drawing.figure_layout import MAX_WIDTH
from translator.addons.attention.drawing.plot_attention import missing_characters, plot_attention
from translator.addons.attention.drawing.styles import DARK
from translator.addons.attention.drawing.text_layout import title_lines
from translator.addons.attention.head_colours import HEAD_COLOURS, SEVERAL_HEADS_COLOUR, head_colour
from translator.addons.attention.word_maps import hide_ends, merge_words
from translator.base.errors import InputError
from translator.base.figures import save_figure
from translator.translation.records import AttentionRecord

KINDS = ["encoder", "decoder", "cross"]


def make_record(source: tuple[str, ...], target: tuple[str, ...], shape=(3, 5)) -> AttentionRecord:
    """A record with random weights."""
    random = np.random.default_rng(0)
    s, t = len(source), len(target) - 1
    sizes = [(*shape, s, s), (*shape, t, t), (*shape, t, s)]
    scores = [random.dirichlet(np.full(size[-1], 0.2), size[:-1]) for size in sizes]
    texts = ["".join(side[1:-1]).replace("▁", " ").strip() for side in (source, target)]
    return AttentionRecord(texts[0], texts[1], source, target, *scores)


@pytest.fixture
def record() -> AttentionRecord:
    """Three layers, five heads, 4 source and 3 target tokens, with odd characters."""
    source, target = ("<s>", "▁$x_1$", "▁B", "</s>"), ("<s>", "▁Ä", "▁<b>", "</s>")
    return make_record(source, target)


def test_what_is_not_a_record_is_refused(record):
    with pytest.raises(InputError, match="record: expected an AttentionRecord, found list"):
        plot_attention([record])


@pytest.fixture
def pieces() -> AttentionRecord:
    """Words of several pieces on both sides."""
    source = ("<s>", "▁un", "seen", "▁thing", "s", ".", "</s>")
    return make_record(source, ("<s>", "▁Un", "ge", "seh", "enes", ".", "</s>"), (2, 3))


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


def texts(labels: list[Text]) -> list[str]:
    return [label.get_text() for label in labels]


def title(figure: Figure) -> str:
    return " ".join(figure.get_suptitle().split())


def boxes(figure: Figure, artists: list) -> list:
    """Boxes in pixels of artists as they will be drawn."""
    figure.set_dpi(150)
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    return [artist.get_window_extent(canvas.get_renderer()) for artist in artists]


@pytest.mark.parametrize("kind", KINDS)
def test_a_layer_has_a_panel_for_each_head_with_its_scores_and_colour(record, kind):
    figure = plot_attention(record, kind, layer=2, words=False)
    panels = maps_of(figure)
    assert len(figure.axes) == len(panels) == 5
    queries, keys, scores = record.maps(kind)
    assert np.array_equal(images(figure), scores[1])
    for head, panel in enumerate(panels):
        image = panel.images[0]
        assert image.get_clim() == (0, 1)
        assert texts(panel.get_xticklabels()) == list(keys)
        assert texts(panel.get_yticklabels()) == list(queries)
        assert panel.get_xlabel() == f"head {head + 1}"
        assert np.allclose(image.cmap(1.0)[:3], to_rgb(HEAD_COLOURS[head]))
        assert image.cmap(0.0)[:3] == (1, 1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_one_head_is_one_map_with_its_weights_and_a_colour_bar(record, kind):
    figure = plot_attention(record, kind, layer=3, head=4)
    [panel], scores = maps_of(figure), record.maps(kind).scores[2, 3]
    assert np.array_equal(panel.images[0].get_array(), scores)
    written = {text.get_position(): text.get_text() for text in panel.texts}
    assert written == {
        (key, query): f"{weight:.2f}"
        for (query, key), weight in np.ndenumerate(scores)
        if weight >= 0.005
    }
    [bar] = [axes for axes in figure.axes if not axes.images]
    assert bar.get_ylim() == (0, 1)
    assert np.allclose(panel.images[0].cmap(1.0)[:3], to_rgb(HEAD_COLOURS[3]))
    assert "layer 3 of 3, head 4 of 5" in title(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_the_sheet_has_layers_for_rows_and_heads_for_columns(record, kind):
    figure = plot_attention(record, kind, words=False)
    queries, keys, scores = record.maps(kind)
    panels = maps_of(figure)
    assert np.array_equal(images(figure).reshape(scores.shape), scores)
    grid = np.array(panels).reshape(3, 5)
    lefts = np.array([[axes.get_position().x0 for axes in row] for row in grid])
    tops = np.array([[axes.get_position().y1 for axes in row] for row in grid])
    assert (np.diff(lefts, axis=1) > 0).all()
    assert (np.diff(tops, axis=0) < 0).all()
    assert np.ptp(lefts, axis=0).max() < 1e-9 > np.ptp(tops, axis=1).max()
    for (row, column), panel in np.ndenumerate(grid):
        assert texts(panel.get_yticklabels()) == (list(queries) if column == 0 else [])
        assert texts(panel.get_xticklabels()) == (list(keys) if row == 0 else [])
        names = [f"layer {row + 1}"] * (column == 0) + [f"head {column + 1}"] * (row == 0)
        assert texts(panel.texts) == names
        assert np.allclose(panel.images[0].cmap(1.0)[:3], to_rgb(HEAD_COLOURS[column]))


def test_a_head_is_shown_in_every_layer_in_its_colour(record):
    figure = plot_attention(record, "cross", head=5)
    assert np.array_equal(images(figure), record.cross[:, 4])
    assert [panel.get_xlabel() for panel in maps_of(figure)] == ["layer 1", "layer 2", "layer 3"]
    for panel in maps_of(figure):
        assert np.allclose(panel.images[0].cmap(1.0)[:3], to_rgb(HEAD_COLOURS[4]))


@pytest.mark.parametrize(("head", "reduce"), [("average", np.mean), ("maximum", np.max)])
def test_heads_are_averaged_or_their_maximum_taken(record, head, reduce):
    of_layers = plot_attention(record, "cross", head=head)
    expected = reduce(record.cross, axis=1)
    assert np.array_equal(images(of_layers), expected)
    one = plot_attention(record, "cross", layer=2, head=head)
    assert np.array_equal(images(one), expected[[1]])
    assert np.allclose(maps_of(one)[0].images[0].cmap(1.0)[:3], to_rgb(SEVERAL_HEADS_COLOUR))
    assert f"layer 2 of 3, {head} over 5 heads" in title(one)
    assert ("do not sum to 1" in title(one)) == (head == "maximum")


def test_words_are_merged_and_then_ends_hidden(pieces):
    maps = pieces.maps("cross")
    for words, ends in itertools.product([False, True], repeat=2):
        figure = plot_attention(pieces, "cross", words=words, hide_ends=ends)
        shown = merge_words(maps) if words else maps
        shown = hide_ends(shown) if ends else shown
        assert np.array_equal(images(figure).reshape(shown.scores.shape), shown.scores)
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


def test_no_text_is_taken_for_mathematics(record):
    for view in ({}, {"layer": 1}, {"layer": 1, "head": 1}):
        figure = plot_attention(record, **view)
        found = [text for text in figure.findobj(Text) if "$" in text.get_text()]
        assert len(found) >= 2
        assert not any(text.get_parse_math() for text in found)


def test_dark_pictures_have_light_text_on_a_dark_ground(record, tmp_path):
    for layer in (1, None):
        figure = plot_attention(record, layer=layer, dark=True)
        save_figure(figure, tmp_path / "dark.png")
        pixels = matplotlib.image.imread(tmp_path / "dark.png")[..., :3]
        assert np.allclose(
            pixels[[0, 0, -1, -1], [0, -1, 0, -1]], to_rgb(DARK.background), atol=0.01
        )
        assert np.median(pixels) < 0.12
        for text in figure.findobj(Text):
            assert sum(to_rgb(text.get_color())) > 1.2
    for panel in maps_of(plot_attention(record, layer=1, dark=True)):
        assert np.allclose(panel.images[0].cmap(0.0)[:3], to_rgb(DARK.background))
        assert max(panel.images[0].cmap(1.0)[:3]) > 0.6


@pytest.mark.parametrize(
    ("ending", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_file_s_ending_decides_its_format(record, tmp_path, ending, magic):
    path = tmp_path / f"maps.{ending}"
    save_figure(plot_attention(record, "cross", layer=1), path)
    assert path.read_bytes().startswith(magic)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_picture_shows_dark_cells_where_scores_are_high(tmp_path):
    """One head that attends along the diagonal."""
    eye = np.eye(6)[None, None]
    tokens = tuple("abcdef")
    record = AttentionRecord("", "", tokens, ("", *tokens), eye, eye, eye)
    save_figure(plot_attention(record, "cross", layer=1, words=False), tmp_path / "eye.png")
    pixels = matplotlib.image.imread(tmp_path / "eye.png")[..., :3]
    width = int(0.85 * pixels.shape[1])  # without the colour bar
    hue = np.all(np.abs(pixels[:, :width] - to_rgb(HEAD_COLOURS[0])) < 0.02, axis=-1)
    rows, columns = np.nonzero(hue)
    assert hue.sum() > 500
    assert np.corrcoef(rows, columns)[0, 1] > 0.9


@pytest.mark.parametrize(
    "view",
    [
        {"layer": 1, "head": 2},
        *(pytest.param(view, marks=pytest.mark.slow) for view in ({"layer": 1}, {"head": 2})),
    ],
)
def test_labels_of_sixty_tokens_lie_apart_and_inside(view):
    figure = plot_attention(long_record(), **view)
    assert figure.get_figwidth() <= MAX_WIDTH
    axes = figure.axes[0]
    labels = [*axes.get_yticklabels(), *axes.get_xticklabels()]
    assert len(labels) == 58 + 60
    assert all(label.get_fontsize() >= 6.5 for label in labels)
    found = boxes(figure, labels)
    for side in (found[:58], found[58:]):
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(side))
    for box in found:
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1


@pytest.mark.slow
def test_a_sheet_of_many_tokens_does_without_labels_and_says_so():
    record = long_record()
    figure = plot_attention(record)
    assert "too many tokens to name them" in title(figure)
    shown = {text.get_text() for text in figure.findobj(Text)}
    assert not shown & set(record.source_tokens)
    assert {f"head {i}" for i in range(1, 9)} | {"layer 1", "layer 2"} <= shown
    assert figure.get_figwidth() <= MAX_WIDTH


@pytest.mark.parametrize(
    ("tokens", "heads"), [(5, 16), pytest.param(25, 6, marks=pytest.mark.slow)]
)
def test_nothing_in_a_sheet_overlaps(tokens, heads):
    source = ("<s>", *(f"▁mount{i}" for i in range(tokens - 2)), "</s>")
    figure = plot_attention(make_record(source, source, (2, heads)))
    assert figure.get_figwidth() <= MAX_WIDTH
    drawn = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    found = boxes(figure, [*drawn, *figure.axes])
    for first, second in itertools.combinations(found[: len(drawn)], 2):
        assert not first.shrunk(0.99, 0.99).overlaps(second.shrunk(0.99, 0.99))
    for box in found:
        assert box.x0 >= 0 <= box.y0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1


def test_long_titles_make_the_picture_higher_and_leave_panels_as_they_are(record):
    short = plot_attention(record, "cross", layer=1)
    text = " ".join(["unforgettable"] * 80)
    long = plot_attention(record._replace(source=text, hypothesis="Ü" * 600), "cross", layer=1)
    assert long.get_figheight() > short.get_figheight() + 1
    for a, b in zip(maps_of(short), maps_of(long)):
        sizes = [
            axes.get_position().size * figure.get_size_inches()
            for axes, figure in ((a, short), (b, long))
        ]
        assert np.allclose(*sizes)
    labels = maps_of(long)[0].get_xticklabels()
    drawn = long._suptitle  # type: ignore[attr-defined]
    heading, *others = boxes(long, [drawn, *labels, maps_of(long)[0]])
    assert heading.x0 >= 0
    assert heading.x1 <= long.bbox.x1
    assert heading.y1 <= long.bbox.y1
    assert all(heading.y0 > other.y1 for other in others)
    assert title(long).replace(" ", "").endswith(text.replace(" ", "") + "→" + "Ü" * 600)


def test_titles_break_first_where_they_are_told():
    assert title_lines(["a\n→ b"], 5) == ["a → b"]
    assert title_lines(["a" * 40 + "\n→ " + "b" * 40], 5) == ["a" * 40, "→ " + "b" * 40]
    assert title_lines(["good " * 40], 5) == [" ".join(["good"] * 10)] * 4
    assert title_lines([""], 5) == [""]


def test_long_labels_are_cut_and_every_label_is_one_line():
    record = make_record(("<s>", "▁" + "a" * 50, "b\nc", "</s>"), ("<s>", "▁B", "</s>"), (1, 2))
    figure = plot_attention(record, "cross", layer=1, words=False)
    labels = texts(maps_of(figure)[0].get_xticklabels())
    assert labels == ["<s>", "▁" + "a" * 26 + "…", "b c", "</s>"]


def test_heads_after_the_chosen_colours_have_colours_of_their_own(record):
    many = make_record(record.source_tokens, record.target_tokens, (1, 30))
    figure = plot_attention(many, "cross", layer=1)
    found = [panel.images[0].cmap(1.0)[:3] for panel in maps_of(figure)]
    assert np.allclose(found, [to_rgb(head_colour(head)) for head in range(30)])
    assert len(set(found)) == 30


def test_missing_characters_are_those_of_words_too(record):
    strange = record._replace(source_tokens=("<s>", "<0xF4>", "<0x8F>", "<0xBF>", "<0xBD>", "</s>"))
    assert missing_characters(record) == set()
    assert missing_characters(strange) == {"\U0010fffd"}


@pytest.mark.parametrize("layer", [0, 4, -1])
def test_a_layer_that_does_not_exist_is_refused(record, layer):
    with pytest.raises(InputError, match=f"^layer: expected 1 to 3, found {layer}$"):
        plot_attention(record, "cross", layer=layer)


@pytest.mark.parametrize("head", [0, 6, -1, "mean", "1"])
def test_a_head_that_does_not_exist_is_refused(record, head):
    with pytest.raises(
        InputError, match=f"^head: expected 1 to 5, average or maximum, found {head}$"
    ):
        plot_attention(record, "cross", layer=1, head=head)


def test_a_record_of_ends_alone_is_refused_without_them(record):
    empty = make_record(("<s>", "▁A", "</s>"), ("<s>", "</s>"))
    assert images(plot_attention(empty, "cross", layer=1)).shape == (5, 1, 3)
    with pytest.raises(InputError, match="hide_ends: expected tokens between start and end"):
        plot_attention(empty, "cross", layer=1, hide_ends=True)


def test_unknown_kind_font_ending_and_folder_are_refused(record, tmp_path):
    with pytest.raises(
        InputError, match="kind: expected one of encoder, decoder, cross, found self"
    ):
        plot_attention(record, "self", layer=1)
    with pytest.raises(InputError, match="font: expected the name of an installed font"):
        plot_attention(record, "cross", layer=1, font="No Such Font")
    figure = plot_attention(record, "cross", layer=1)
    with pytest.raises(InputError, match="ends in .png, .svg, .pdf"):
        save_figure(figure, tmp_path / "maps.gif")
    with pytest.raises(InputError, match="expected an existing folder, found none"):
        save_figure(figure, tmp_path / "none" / "maps.png")


CONTROLS = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160), 0xFFFE, 0xFFFF)))


def test_control_characters_leave_an_svg_well_formed(record, tmp_path):
    tokens = ("<s>", *(f"▁a{character}" for character in CONTROLS), "</s>")
    hostile = make_record(tokens, record.target_tokens, (1, 2))
    text = f"a{CONTROLS}b\x1b[2J\udcff"
    figure = plot_attention(hostile._replace(source=text), layer=1, head=1, words=False)
    save_figure(figure, tmp_path / "maps.svg")
    content = (tmp_path / "maps.svg").read_text("utf-8")
    ElementTree.fromstring(content)
    assert not set(CONTROLS) & set(content)
    assert "▁a\ufffd" in content
    assert "\ufffd[2J\ufffd" in content
    assert not missing_characters(hostile._replace(source=text)) & set(CONTROLS)


def test_a_figure_is_shown_in_notebooks(record):
    figure = plot_attention(record, layer=1)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
