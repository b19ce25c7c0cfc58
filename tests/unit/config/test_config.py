"""The YAML file: what is read, and with which errors the rest is refused."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from translator.base.errors import InputError
from translator.base.gone import GONE, HARMLESS
from translator.config.schema import Config, ModelConfig
from translator.config.section import Section
from translator.config.yaml_file import (
    config_to_yaml,
    read_config,
    read_config_of_run,
    validate_config,
)

CONFIGS = sorted((Path(__file__).parents[3] / "configs").glob("*.yaml"))
BOUNDED_BY_ANOTHER = ("final_rate", "max_length")  # learning_rate, data.max_length
SMALLEST = {"corpus": {"name": "demo"}, "data": {"batch_size": 64}}


def refused(tmp_path: Path, text: str) -> str:
    """The message that refuses a file."""
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        read_config(path)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}")


def sections(section: type[Section] = Config) -> set[type[Section]]:
    """A class of the schema and all that its fields hold."""
    found = {section}
    for field in section.model_fields.values():
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(kind, type) and issubclass(kind, Section):
                found |= sections(kind)
    return found


def test_a_key_that_went_is_refused_in_a_file_and_passed_over_in_a_run(tmp_path):
    """A run's file has every key of the version that wrote it, mostly with what is always done."""
    path, whole = tmp_path / "config.yaml", read_config(SMALLEST).model_dump()
    for name, harmless in HARMLESS.items():
        values = section = copy.deepcopy(whole)
        *sections, key = name.split(".")
        for part in sections:
            section = section[part]
        section[key] = 2
        path.write_text(yaml.safe_dump(values), "utf-8")
        for given in ((path,), (SMALLEST, (f"{name}=2",))):
            with pytest.raises(InputError, match=f": {name}: was .*; {re.escape(GONE[name])}$"):
                read_config(*given)
        assert read_config_of_run(path).model_dump() == whole
        for value in harmless:
            section[key] = value
            path.write_text(yaml.safe_dump(values), "utf-8")
            assert read_config(path).model_dump() == whole


def test_a_corpus_that_went_is_refused_in_a_file_and_none_in_a_run(tmp_path):
    path = tmp_path / "config.yaml"
    for name in ("cldr", "mtdata:Statmt-europarl-10-deu-eng"):
        values = {**SMALLEST, "corpus": {"name": name}, "corpora": [{"name": name, "weight": 1.0}]}
        path.write_text(yaml.safe_dump(values), "utf-8")
        with pytest.raises(InputError, match=f": name: {name.partition(':')[0]}: was removed in "):
            read_config(path)
        config = read_config_of_run(path)
        assert [config.corpus.name, config.corpora[0].name] == ["none", "none"]


def test_model_files_may_be_in_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/anna")
    models = {"source_model": "~/en.model", "target_model": "models/de.model"}
    config = validate_config({**SMALLEST, "tokenizer": models}, "test")
    assert config.tokenizer.model_paths == (Path("/home/anna/en.model"), Path("models/de.model"))
    assert validate_config(SMALLEST, "test").tokenizer.model_paths is None


@pytest.mark.parametrize("section", sorted(sections(), key=str), ids=lambda kind: kind.__name__)
def test_every_key_has_a_description_and_every_number_bounds(section):
    schema = section.model_json_schema()
    for key, field in schema["properties"].items():
        assert (section.model_fields[key].description or "").endswith("."), key
        for kind in field.get("anyOf", [field]):
            if kind.get("type") in ("integer", "number") and key not in BOUNDED_BY_ANOTHER:
                assert {"minimum", "exclusiveMinimum"} & kind.keys(), key
                assert {"maximum", "exclusiveMaximum"} & kind.keys(), key


def test_config_files_are_valid_and_explain_what_they_set_and_no_more():
    for path in CONFIGS:
        lines = path.read_text("utf-8").splitlines()
        assert all(len(line) <= 100 for line in lines), path
        assert any("docs/configuration.md" in line for line in lines), path
        assert isinstance(read_config(path), Config)


def test_a_dictionary_says_what_a_file_says(tmp_path):
    """Also as keywords, with paths and tuples; what a file may leave to the program is left."""
    said = {"corpus": {"train": {"tsv": tmp_path / "a.tsv"}}, "film": ("A dog.\tEin Hund.",)}
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump({**said, "corpus": {"train": {"tsv": f"{tmp_path}/a.tsv"}},
                                    "film": ["A dog.\tEin Hund."]}), "utf-8")  # fmt: skip
    of_file = read_config(path)
    for config in (
        read_config(said),
        Config(said),
        Config(**said),
        Config(said, film=said["film"]),
    ):
        assert config == of_file
        assert config.automatic == of_file.automatic
        assert "model.dff" in config.automatic
    assert read_config(said, ("model.dff=64",)) == read_config(path, ("model.dff=64",))
    assert said["corpus"] == {"train": {"tsv": tmp_path / "a.tsv"}}


def test_sections_may_be_made_before():
    config = Config(SMALLEST, model=ModelConfig(d_model=64, num_heads=4))
    assert (config.model.d_model, config.automatic) == (64, frozenset())


def test_a_wrong_dictionary_is_refused_with_its_path():
    for values, message in (
        ({"modle": {}}, r"config: modle: unknown key; did you mean model\? \(1 of 2 errors\)"),
        ({**SMALLEST, "model": {"dff": "x"}}, "config: model.dff: expected .* integer, found 'x'"),
    ):
        for read in (Config, read_config):
            with pytest.raises(InputError, match=f"^{message}$"):
                read(values)
    with pytest.raises(InputError, match="^config: expected a dictionary of sections, found str; "):
        Config("configs/demo.yaml")


def test_resolved_config_reads_back_the_same(tmp_path):
    config = validate_config({**SMALLEST, "model": {"dff": 24}}, "here")
    (tmp_path / "config.yaml").write_text(config_to_yaml(config), "utf-8")
    assert read_config(tmp_path / "config.yaml") == config


def test_wrong_values_are_refused_with_their_path(tmp_path):
    for text, message in [
        ("model: {num_head: 4}", "model.num_head: unknown key; did you mean num_heads?"),
        (
            "tokenizer: {tags: [2019]}",
            "tokenizer.tags.0: expected a valid string, found 2019; YAML reads digits as a number:"
            " put the value in quotes",
        ),
        ("modle: {num_heads: 4}", "modle: unknown key; did you mean model?"),
        ("model: {zzz: 4}", "model.zzz: unknown key; known keys: num_layers, "),
        ("training: {epochs: many}", "training.epochs: expected a valid integer, found 'many'"),
        ("training: {epochs: 2.5}", "training.epochs: expected a valid integer, found 2.5"),
        ("training: {epochs: 0}", "training.epochs: expected at least 1, found 0"),
        ("model: {dropout_rate: 1.0}", "model.dropout_rate: expected less than 1, found 1.0"),
        (
            "model: {positions: rotary, d_model: 24}",
            "positions: rotary needs heads of an even width, found 3",
        ),
        ("model: {d_model: 130}", "num_heads (8) must divide d_model (130) if there is no h"),
        ("training: {schedule: {warmup: 3}}", "schedule.warmup: unknown key; did you mean"),
        (
            "model: {activation: tanh}",
            "model.activation: expected 'relu', 'gelu' or 'silu', found 'tanh'",
        ),
        ("model: {tied_embeddings: all}", "needs one vocabulary: set tokenizer.shared: true"),
        ("corpus: {name: demo, train: {tsv: x}}", "demo has its own sentences"),
        ("corpus: {name: files}", "name: files needs the files of train"),
        ("corpus: {train: {csv: a, tsv: b}}", "corpus.train: expected tsv or csv, found both; le"),
        ("corpus: {train: {source: x}}", "corpus.train: expected both source and target"),
        ("data: {batch_size: 8, batch_tokens: 99}", "exactly one of batch_tokens and batch_size"),
        ("data: {batch_tokens: 9}", "batch_tokens (9) is below max_length (64)"),
        ("data: [1]", "data: expected a section, found [1]"),
        ("training: {data_parallel: 0}", "expected 'auto' or at least 1, found 0"),
        ("tokenizer: {tags: bt}", "tokenizer.tags: expected a valid list, found 'bt'"),
        ("tokenizer: {tags: [bt, a, bt]}", "tags: expected each name once, found bt again"),
        (
            f"tokenizer: {{tags: {[f't{i}' for i in range(1001)]}}}",
            "tokenizer.tags: expected at most 1,000 names, found 1,001",
        ),
        ("tokenizer: {tags: [ü]}", "tokenizer.tags: expected names of at most 40 letters and"),
        ("tokenizer: {tags: ['<bt>']}", "of special tokens (s, unk, pad, 0x...), found '<bt>'"),
        ("tokenizer: {tags: [a b]}", "of special tokens (s, unk, pad, 0x...), found 'a b'"),
        ("tokenizer: {tags: [pad]}", "of special tokens (s, unk, pad, 0x...), found 'pad'"),
        ("tokenizer: {tags: ['0x41']}", "of special tokens (s, unk, pad, 0x...), found '0x41'"),
        (
            "corpus: {train: {tsv: x}}\ncorpora: [{name: demo, weight: 1, tag: bt}]",
            "corpora.0.tag: expected a tag of tokenizer.tags (none), found 'bt'; add it to t",
        ),
        ("1: 2", "1: expected strings, found 1"),
        ("training: {updates_per_epoch: 9}", "updates_per_epoch needs epochs, the number"),
        ("training: {updates_per_epoch: 9, epochs: 2, minutes: 5}", "minutes chooses whole passes"),
        ("corpus: {name: demo, source_language: ''}", "expected text of at least 1 character, fou"),
        ("corpus: {name: demo, target_language: English}", "two languages, found en and English"),
        ("corpus: {name: demo, source_language: de}", "expected two languages, found de and de, w"),
        ("corpus: {name: demo, source_language: fr}", "demo has the languages en and de, found fr"),
        (
            "corpus: {name: tatoeba, target_language: fr}",
            "has the languages en and de, found en and fr; set the",
        ),
    ]:
        base = {key: value for key, value in SMALLEST.items() if not text.startswith(f"{key}:")}
        assert message in refused(tmp_path, yaml.safe_dump(base) + text)


def test_files_that_are_not_a_configuration_are_refused(tmp_path):
    for text, message in [
        ("just words", "expected YAML sections such as 'model:', found str"),
        ("- a\n- list", "expected YAML sections such as 'model:', found list"),
        ("", "found nothing"),
        ("model: {a: [", "line 1: expected YAML"),
        ("a: b: c", "line 1: expected YAML"),
    ]:
        assert message in refused(tmp_path, text)


def test_absurd_sizes_are_refused(tmp_path):
    for key, value in [
        ("model.d_model", 10**12),
        ("model.dff", f"0x{'9' * 5000}"),
        ("data.batch_tokens", 10**11),
        ("data.max_length", 10**8),
        ("decoding.beam_size", 100_000),
    ]:
        section, name = key.split(".")
        base = {other: value for other, value in SMALLEST.items() if other != section}
        message = refused(tmp_path, yaml.safe_dump(base) + f"{section}: {{{name}: {value}}}")
        assert message.startswith(f": {key}: expected ")
        assert re.search("at most [0-9]+, found", message)
        assert len(message) < 300


def test_keys_given_twice_are_refused_with_their_lines(tmp_path):
    text = yaml.safe_dump(SMALLEST) + "training:\n  epochs: 3\n  seed: 1\n  epochs: 4\n"
    message = refused(tmp_path, text)
    assert ", line 8: epochs: expected each key once, found this key in line 6" in message
    with pytest.raises(InputError, match="line 1: dff: expected each key once"):
        read_config(SMALLEST, ("model={dff: 8, dff: 16}",))


def test_errors_stay_short(tmp_path):
    for text, message in [
        ("a: &a [*a]", "a: unknown key"),
        (f"a: !{'a' * 900} b", "line 5: expected YAML: could not determine a constructor"),
        (f"a: {'[' * 100_000}", "expected YAML sections, found too deep sections"),
        (f"{'a' * 100_000}: 1", "expected YAML: "),
        (f"'{'a' * 900}': 1", "aaa…: unknown key"),
        (f"model: {{dff: {'a' * 1000}}}", "found 'aaa"),
        ("a" * (1 << 20), "expected settings of at most 1 MiB, found a longer file"),
    ]:
        said = refused(tmp_path, yaml.safe_dump(SMALLEST) + text)
        assert message in said
        assert len(said) < 300


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="found nothing there"):
        read_config(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="found a directory"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    "override", ["epochs", "=3", "a..b=3", "training.epochs.x=1", "a." * 2000 + "b=1"]
)
def test_overrides_that_name_no_key_are_refused(override):
    with pytest.raises(InputError, match="--set"):
        read_config({**SMALLEST, "training": {"epochs": 2}}, (override,))
