"""The YAML file: what is read, what is refused and in which words."""

from pathlib import Path

import pytest
import yaml

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, read_config, validate_config

CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("*.yaml"))
SMALLEST = {"corpus": {"name": "demo"}, "data": {"batch_size": 64}}


def refused(tmp_path: Path, text: str) -> str:
    """The message that refuses a file."""
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        read_config(path)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}")


def leaves(section: type, path: str = "") -> list[str]:
    """Every key of a config class, by its dotted path."""
    keys = []
    for name, field in section.model_fields.items():
        if hasattr(field.annotation, "model_fields"):
            keys += leaves(field.annotation, f"{path}{name}.")
        else:
            keys.append(path + name)
    return keys


def test_demo_config_explains_every_key():
    lines = (CONFIGS[0].parent / "demo.yaml").read_text("utf-8").splitlines()
    explained = {line.split(":")[0].strip() for line in lines if ":" in line and "# " in line}
    assert {key.split(".")[-1] for key in leaves(Config)} - {"name"} <= explained
    resolved = read_config(CONFIGS[0].parent / "demo.yaml").model_dump()
    assert yaml.safe_load("\n".join(lines)).keys() == resolved.keys()


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_bundled_configs_are_valid(path):
    assert isinstance(read_config(path), Config)


def test_resolved_config_reads_back_the_same(tmp_path):
    config = validate_config({**SMALLEST, "model": {"dff": 24}}, "here")
    (tmp_path / "config.yaml").write_text(config_to_yaml(config), "utf-8")
    assert read_config(tmp_path / "config.yaml") == config


def test_exponents_without_a_dot_are_numbers(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("corpus: {name: demo}\ndata: {batch_size: 8}\n", "utf-8")
    config = read_config(path, ("training.schedule.learning_rate=5e-4", "training.epochs=5"))
    assert config.training.schedule.learning_rate == 5e-4
    assert config.training.epochs == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model: {num_head: 4}", "model.num_head: unknown key; did you mean num_heads?"),
        ("modle: {num_heads: 4}", "modle: unknown key; did you mean model?"),
        ("model: {zzz: 4}", "model.zzz: unknown key; known here: num_layers, d_model"),
        ("training: {epochs: many}", "training.epochs: expected a valid integer, found 'many'"),
        ("training: {epochs: 2.5}", "training.epochs: expected a valid integer, found 2.5"),
        ("training: {epochs: 0}", "training.epochs: expected greater than or equal to 1, found 0"),
        ("model: {dropout_rate: 1.0}", "model.dropout_rate: expected less than 1, found 1.0"),
        ("model: {d_model: 130}", "num_heads (8) must divide d_model (130) where no head_dim"),
        (
            "training: {schedule: {warmup: 3}}",
            "training.schedule.warmup: unknown key; did you mean",
        ),
        (
            "model: {activation: tanh}",
            "model.activation: expected 'relu', 'gelu' or 'silu', found 'tanh'",
        ),
        ("model: {tied_embeddings: all}", "needs one vocabulary: set tokenizer.shared: true"),
        ("corpus: {name: demo, train: {tsv: x}}", "demo brings its own sentences"),
        ("corpus: {name: files}", "name: files needs the files of train"),
        ("corpus: {train: {source: x}}", "corpus.train: expected both source and target"),
        ("data: {batch_size: 8, batch_tokens: 99}", "exactly one of batch_tokens and batch_size"),
        ("data: {batch_tokens: 9}", "must hold one sentence of max_length (64) tokens"),
        ("data: [1]", "data: expected a section, found [1]"),
    ],
)
def test_what_is_wrong_is_refused_with_its_path(tmp_path, text, message):
    base = {key: value for key, value in SMALLEST.items() if not text.startswith(f"{key}:")}
    assert message in refused(tmp_path, yaml.safe_dump(base) + text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just words", "expected YAML sections such as 'model:', found str"),
        ("- a\n- list", "expected YAML sections such as 'model:', found list"),
        ("", "found nothing"),
        ("model: {a: [", "line 1: expected YAML"),
        ("a: b: c", "line 1: expected YAML"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path, text, message):
    assert message in refused(tmp_path, text)


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="found nothing there"):
        read_config(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="found a directory"):
        read_config(tmp_path)


@pytest.mark.parametrize("override", ["epochs", "=3", "training..epochs=3", "training.epochs.x=1"])
def test_overrides_that_name_no_key_are_refused(tmp_path, override):
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump({**SMALLEST, "training": {"epochs": 2}}), "utf-8")
    with pytest.raises(InputError, match="--set"):
        read_config(path, (override,))
