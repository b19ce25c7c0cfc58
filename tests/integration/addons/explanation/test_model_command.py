"""`translator model`, against the model that Keras makes."""

from tests.commands import refused, run
from translator.addons.explanation.architecture import make_architecture
from translator.config.model import ModelConfig
from translator.model.transformer import Transformer


def test_parameters_are_those_of_the_model():
    usual = {"num_layers": 2, "d_model": 16, "num_heads": 4, "dff": 24}
    for settings in (
        {},
        {"normalize_first": True, "tied_embeddings": "target"},
        {"tied_embeddings": "all", "output_bias": True, "positions": "halves"},
        {"head_dim": 8, "decoder_num_heads": 2, "positions": "rotary", "normalize_first": True},
    ):
        config = ModelConfig(**{**usual, **settings})
        sizes = (30, 30) if config.tied_embeddings == "all" else (40, 30)
        model = Transformer(config, *sizes, 20, 0, 0)
        model.build()
        assert make_architecture(config, *sizes).parameters == model.count_params(), settings


def test_the_command_prints_and_draws(capfd, tmp_path):
    drawing = tmp_path / "model.svg"
    code, out, err = run(capfd, "model", "en-de", "--svg", drawing)
    assert code == 0, err
    assert out.startswith("en-de, en to de: 10,450,944 parameters\n")
    assert "8 heads of 32, to the source" in out
    assert drawing.read_text("utf-8").startswith("<svg ")
    assert ".svg" in refused(capfd, "model", "en-de", "--svg", tmp_path / "model.png")
