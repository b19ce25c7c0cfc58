"""The parts of a model, as lines and as a drawing."""

import re
import xml.etree.ElementTree as ElementTree

from translator.addons.explanation.architecture import make_architecture
from translator.addons.explanation.diagram import Place, architecture_lines, diagram_svg
from translator.config.model import ModelConfig

TUTORIAL = ModelConfig()
DEEP = ModelConfig(num_layers=6, num_heads=4, normalize_first=True, tied_embeddings="all")


def test_the_tutorials_model_has_the_parameters_of_its_formulas():
    found = make_architecture(TUTORIAL, 10_000, 9_000)
    attention = 4 * (128 * 128 + 128)
    network = 2 * 128 * 512 + 512 + 128
    encoder = 10_000 * 128 + 4 * (attention + network + 2 * 256)
    decoder = 9_000 * 128 + 4 * (2 * attention + network + 3 * 256)
    assert found.encoder.parameters == encoder
    assert found.decoder.parameters == decoder
    assert found.parameters == encoder + decoder + 128 * 9_000 + 9_000


def test_a_line_for_each_part_with_its_shape():
    lines = list(architecture_lines(make_architecture(DEEP, 800, 800)))
    assert sum("self-attention" in line for line in lines) == 2
    [cross] = [line for line in lines if "cross-attention" in line]
    assert re.search(r"4 heads of 32.*T x 128 +66,048$", cross)
    [decoder] = [line for line in lines if "the encoder's table" in line]
    assert decoder.endswith("T x 128")  # no parameters of its own
    assert sum("6 layers" in line for line in lines) == 2
    assert max(map(len, lines)) <= 100


def test_the_drawing_is_whole_and_sets_off_the_head():
    for config, place in [
        (TUTORIAL, None),
        (TUTORIAL, Place("encoder", 2, 1)),
        (DEEP, Place("cross", 4, 3)),
    ]:
        architecture = make_architecture(config, 800, 800)
        svg = diagram_svg(architecture, "<model>", ("en", "xx"), place)
        root = ElementTree.fromstring(svg)
        width, height = (float(root.get(name)) for name in ("width", "height"))
        kinds = [each.get("class", "") for each in root.iter()]
        heads = [kind for kind in kinds if kind.split()[:1] == ["head"]]
        assert len(heads) == 3 * config.num_heads
        chosen = [number for number, kind in enumerate(heads) if kind == "head chosen"]
        first = {"encoder": 0, "decoder": config.num_heads, "cross": 2 * config.num_heads}
        assert chosen == ([first[place.kind] + place.head - 1] if place else [])
        texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
        layer = f"{'encoder' if place and place.kind == 'encoder' else 'decoder'}: layer"
        assert any(layer in text for text in texts) == (place is not None)
        assert "English, S pieces" in texts
        for box in root.iter("{http://www.w3.org/2000/svg}rect"):
            left, top = float(box.get("x", 0)), float(box.get("y", 0))
            assert left >= 0 <= top
            assert left + float(box.get("width")) <= width
            assert top + float(box.get("height")) <= height
