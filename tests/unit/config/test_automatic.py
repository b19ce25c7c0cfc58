"""Keys that are left to the program."""

import pytest

from translator.base.errors import InputError
from translator.config.automatic import AUTOMATIC
from translator.config.yaml_file import config_to_yaml, read_config, replace_values

FILES = "corpus: {train: {tsv: pairs.tsv}}\n"


@pytest.fixture
def read(tmp_path):
    """Reads a configuration from text, with overrides."""

    def read_text(text: str, *overrides: str):
        path = tmp_path / "config.yaml"
        path.write_text(text, "utf-8")
        return read_config(path, overrides)

    return read_text


@pytest.mark.parametrize(
    "more", ["", "training: {minutes: 30, keep_last: 5}\n", "training: auto\nmodel: auto\n"]
)
def test_a_file_that_says_nothing_of_model_and_training_leaves_all(read, more):
    assert read(FILES + more).automatic == set(AUTOMATIC)


def test_what_a_file_says_is_kept(read):
    config = read(f"{FILES}tokenizer: {{vocab_size: 777}}\ndata: {{batch_size: 9}}\n")
    said = {"tokenizer.vocab_size", "data.batch_tokens"}
    assert config.automatic == set(AUTOMATIC) - said
    assert config.tokenizer.vocab_size == 777
    assert (config.data.batch_size, config.data.batch_tokens) == (9, None)


def test_a_file_with_a_model_or_a_training_has_the_defaults_of_the_schema(read):
    data = "data: {batch_tokens: 999}\n"
    for more in ("model: {dff: 64}\n", "model: {}\n", "training: {epochs: 3}\n"):
        assert read(FILES + data + more).automatic == set()


@pytest.mark.parametrize(
    "more", ["model: {dff: 64}\n", "training: {epochs: 3}\n", "model: {}\ndata: {noise: 0.1}\n"]
)
def test_the_size_of_batches_is_chosen_where_nothing_says_it(read, more):
    assert read(FILES + more).automatic == {"data.batch_tokens"}
    assert read(FILES + more, "data.batch_size=9").automatic == set()
    by_sentences = f"{FILES}{'' if 'data:' in more else 'data: {batch_size: 9}'}\n{more}"
    assert read(by_sentences, "data.batch_size=null").automatic == {"data.batch_tokens"}


def test_a_misspelt_key_is_named_before_what_else_is_wrong(read):
    text = f"{FILES}model: {{num_layers: 0}}\ntraining: {{minuts: 30, epochs: 0}}\n"
    with pytest.raises(InputError, match="training.minuts: unknown key; did you mean minutes"):
        read(text)


@pytest.mark.parametrize(
    "schedule",
    ["total_steps: 3000", "name: linear, total_steps: 3000", "final_rate: 1e-5", "name: cosine"],
)
def test_what_is_said_of_a_schedule_needs_not_fit_the_defaults_of_what_is_left(read, schedule):
    overrides = (f"training.schedule.{key}" for key in schedule.replace(": ", "=").split(", "))
    assert read(FILES, *overrides).automatic >= {"training.schedule.warmup_steps"}


def test_single_sections_and_keys_may_be_automatic(read):
    text = f"{FILES}data: {{batch_tokens: 999}}\nmodel: {{dff: 64}}\n"
    schedule = {f"training.schedule.{key}" for key in ("name", "learning_rate", "warmup_steps")}
    assert read(f"{text}training: {{epochs: 3, schedule: auto}}\n").automatic == schedule
    assert read(f"{text}training: {{epochs: auto}}\n").automatic == {"training.epochs"}
    assert read(f"{text}training: {{minutes: 3}}\n").automatic == {"training.epochs"}
    assert read(f"{text}training: auto\n").automatic == {
        name for name in AUTOMATIC if name.startswith("training.")
    }


def test_a_time_that_is_set_decides_over_the_epochs_of_the_file(read):
    text = f"{FILES}data: {{batch_tokens: 999}}\nmodel: {{dff: 64}}\n"
    epochs = f"{text}training: {{epochs: 3}}\n"
    assert read(text, "training.minutes=5").automatic == {"training.epochs"}
    assert read(epochs, "training.minutes=5").automatic == {"training.epochs"}
    assert read(epochs, "training.minutes=5", "training.epochs=4").automatic == set()
    assert read(epochs, "training.minutes=null").automatic == set()


def test_a_time_that_is_set_decides_over_the_end_of_a_schedule(read):
    schedule = "{name: linear, learning_rate: 1e-3, warmup_steps: 5, total_steps: 90}"
    text = f"{FILES}training: {{epochs: 3, schedule: {schedule}}}\n"
    minutes, end = "training.minutes=5", "training.schedule.total_steps=70"
    found = [
        read(text, *overrides).training.schedule.total_steps
        for overrides in ((), (minutes,), (minutes, end), (minutes, "training.epochs=3"))
    ]
    assert found == [90, None, 70, 90]
    whole = f"training.schedule={schedule}"
    assert read(text, minutes, whole).training.schedule.total_steps == 90
    assert read(text, minutes, "training={epochs: 4}").training.epochs == 4
    assert read(text, minutes, "training=null").training.minutes is None


def test_sections_can_be_left_by_an_override(read):
    text = f"{FILES}data: {{batch_tokens: 999}}\nmodel: {{dff: 64}}\ntraining: {{epochs: 3}}\n"
    of_model = {name for name in AUTOMATIC if name.startswith("model.")}
    assert read(text, "model=auto").automatic == of_model
    assert read(text, "model=auto", "model.dff=9").automatic == of_model - {"model.dff"}
    schedule = {f"training.schedule.{key}" for key in ("name", "learning_rate", "warmup_steps")}
    assert read(text, "training.schedule=auto").automatic == schedule


def test_keys_of_mixed_corpora_can_be_set(read):
    text = f"{FILES}corpora: [{{name: tatoeba, weight: 0.5}}]\n"
    config = read(text, "corpora.0.weight=0.2", "corpus.split.validation=0.1")
    assert config.corpora[0].weight == 0.2
    assert config.corpus.split.validation == 0.1
    with pytest.raises(InputError, match="the number of an entry, below 1, found 1"):
        read(text, "corpora.1.weight=0.2")
    with pytest.raises(InputError, match="the number of an entry before a key"):
        read(text, "corpora.weight=0.2")


def test_chosen_values_are_no_longer_automatic_and_are_checked(read):
    config = read(FILES)
    chosen = replace_values(config, {"model.dff": 64, "training.schedule.warmup_steps": 7}, "here")
    assert (chosen.model.dff, chosen.training.schedule.warmup_steps) == (64, 7)
    left = config.automatic - {"model.dff", "training.schedule.warmup_steps"}
    assert chosen.automatic == left
    with pytest.raises(InputError, match="^here: model.dff: expected .*, found 0"):
        replace_values(config, {"model.dff": 0}, "here")


def test_a_run_s_own_file_has_no_automatic_keys(read):
    config = read(FILES)
    values = {
        name: 2 for name in ("model.num_layers", "model.d_model", "model.num_heads", "model.dff")
    }
    text = config_to_yaml(replace_values(config, values, "here"))
    assert "auto" not in text.partition("model:")[2].partition("training:")[0]
    assert read(text).automatic == set()


def test_corpora_that_cannot_be_mixed_are_refused(read):
    for text, message in [
        (f"{FILES}corpora: [{{name: demo, weight: much}}]\n", "weight: expected .*, found 'much'"),
        (f"{FILES}corpora: [{{name: demo, weight: 0}}]\n", "weight: expected .*, found 0"),
        (f"{FILES}corpora: [{{name: demo}}]\n", "weight: expected this key"),
        (f"{FILES}corpora: [{{nme: demo}}]\n", "corpora.0.nme: unknown key; did you mean name"),
        (f"{FILES}corpora: [{{weight: 1.0}}]\n", "expected files in train"),
    ]:
        with pytest.raises(InputError, match=message):
            read(text)
