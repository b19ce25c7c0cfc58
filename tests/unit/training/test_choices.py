"""What is chosen for corpora of different sizes and for the time that is given."""

import re

import pytest

from translator.config.yaml_file import read_config, replace_values
from translator.corpora.sizes import CorpusSize, SideSize, measure_corpus
from translator.training.choices import (
    choose_encoding,
    choose_length,
    choose_model,
    choose_rate,
    sizes_for,
    vocab_size_for,
)
from translator.training.clock import TimeBudget
from translator.training.recipes import MOST_UPDATES, RECIPES, SECONDS_TO_FINISH, SIZES, recipe_for


def size(pairs: int, words: int = 10**6, letters: int = 60, in_common: float = 1.0) -> CorpusSize:
    """The size of a corpus whose sides have as many words and letters as both together."""
    side = SideSize(words, letters)
    return CorpusSize(pairs, (side, side), side, in_common, 120)


@pytest.fixture
def config(tmp_path):
    """A configuration of two files that leaves everything."""
    path = tmp_path / "config.yaml"
    path.write_text("corpus: {train: {source: a, target: b}}\n")
    return read_config(path)


def values(choices) -> dict:
    return {name: value for choice in choices for name, value in choice.values.items()}


def test_recipes_lie_between_the_rows_of_the_table():
    for recipe in RECIPES:
        assert recipe_for(recipe.pairs) == recipe
    assert recipe_for(0) == RECIPES[0]
    assert recipe_for(10**9) == RECIPES[-1]
    one, other, between = *RECIPES[2:4], recipe_for(60_000)
    assert one.updates > between.updates > other.updates
    assert one.vocab_size < between.vocab_size < other.vocab_size
    assert (between.size, recipe_for(80_000).size) == (one.size, other.size)


def test_vocabularies_grow_with_the_corpus_but_not_beyond_its_words():
    pairs = (10, 1_000, 3_000, 30_000, 10**6, 10**9)
    sizes = [vocab_size_for(size(count), True) for count in pairs]
    assert sizes == sorted(sizes)
    assert sizes[1] == RECIPES[0].vocab_size
    assert sizes[-1] == RECIPES[-1].vocab_size
    assert vocab_size_for(size(10**6, words=900), True) == 600
    assert vocab_size_for(size(10**4, letters=4_000), True) == 12_000, "as for Chinese"
    english, chinese = SideSize(900, 52), SideSize(9_000, 800)
    of_200 = CorpusSize(200, (english, chinese), SideSize(9_900, 850), 0.0, 120)
    assert vocab_size_for(of_200, False) == 1_100, "a piece for each Chinese character"
    english = SideSize(9_000, 52)
    of_5000 = CorpusSize(5_000, (english, chinese), SideSize(18_000, 850), 0.0, 120)
    assert vocab_size_for(of_5000, False) == 2_500


def test_two_alphabets_have_a_vocabulary_each_and_own_models_none(config):
    together, apart = (
        values(choose_encoding(config, size(5_000, in_common=share))) for share in (0.9, 0.1)
    )
    assert (together["tokenizer.shared"], apart["tokenizer.shared"]) == (True, False)
    for chosen, tied in ((together, "all"), (apart, "target")):
        encoding = replace_values(config, chosen, "here")
        model = choose_model(encoding, 5_000, SIZES[0])
        assert model.values["model.tied_embeddings"] == tied
    models = {"tokenizer.source_model": "a", "tokenizer.target_model": "b"}
    own = replace_values(config, models, "here")
    assert "tokenizer.vocab_size" not in values(choose_encoding(own, size(5_000)))


def test_what_is_chosen_fits_together(config):
    for pairs in (1, 900, 12_000, 10**5, 10**8):
        chosen = values(choose_encoding(config, size(pairs)))
        config = replace_values(config, chosen, "here")
        model, length = choose_model(config, pairs, SIZES[1]), choose_length(config, pairs, 50)
        config = replace_values(config, values([model, *length]), "here")
        chosen = choose_rate(config).values
        assert replace_values(config, chosen, "here").automatic == set()


def test_the_given_time_is_used_and_not_more(config):
    for said in [
        {},
        {"training.r_drop_alpha": 0.0},
        {"training.r_drop_alpha": 1.0},
        {"training.r_drop_after": 0},
        {"training.r_drop_alpha": 1.0, "training.r_drop_after": 0},
        {"training.r_drop_alpha": 1.0, "training.r_drop_after": 4},
        {"training.r_drop_alpha": 1.0, "training.r_drop_after": 10_000},
    ]:
        given = replace_values(config, said, "here")
        speed = {"start": 10.0, "update": 0.1, "validation": 1.0}
        for seconds in (120, 300, 600, 1_200):
            chosen = values(choose_length(given, 29_000, 100, TimeBudget(seconds, **speed)))
            r_drop = {**chosen, **said}
            plain = min(chosen["training.epochs"], r_drop["training.r_drop_after"])
            if not r_drop["training.r_drop_alpha"]:
                plain = chosen["training.epochs"]
            updates = chosen["training.epochs"] * 100
            validations = -(-chosen["training.epochs"] // chosen["validation.every_epochs"])
            used = 10 + 0.1 * (2 * updates - 100 * plain) + validations
            assert 0.7 * seconds < used + SECONDS_TO_FINISH <= 1.05 * seconds
            assert chosen["training.schedule.warmup_steps"] <= 0.15 * updates
        longest = TimeBudget(1e6, **speed)
        enough = values(choose_length(given, 29_000, 100, longest))["training.epochs"]
        assert enough == int(MOST_UPDATES * recipe_for(29_000).updates / 100)


def test_r_drop_comes_where_there_is_time_for_it(config):
    speed = {"start": 10.0, "update": 0.1, "validation": 1.0}
    after = [
        values(choose_length(config, 29_000, 100, budget))["training.r_drop_alpha"]
        for budget in (TimeBudget(seconds, **speed) for seconds in (600, 3_000))
    ]
    assert after == [0, 1]
    chosen = values(choose_length(config, 29_000, 100))
    assert 0 < chosen["training.r_drop_after"] < chosen["training.epochs"]
    assert values(choose_length(config, 10**6, 100))["training.r_drop_alpha"] == 0


def test_going_on_from_a_run_takes_fewer_updates_at_a_lower_rate(config):
    going_on = replace_values(config, {"training.init": "en-de", "model.d_model": 512}, "here")
    new, old = (values(choose_length(these, 29_000, 100)) for these in (config, going_on))
    assert old["training.epochs"] < new["training.epochs"]
    assert (old["training.r_drop_alpha"], old["training.r_drop_after"]) == (1, 0)
    assert values(choose_length(going_on, 10**6, 100))["training.r_drop_alpha"] == 0
    rates = []
    for scratch in SIZES:
        keys = {"training.init": "a-run", "model.d_model": scratch.d_model}
        choice = choose_rate(replace_values(config, keys, "here"))
        rates.append(choice.values["training.schedule.learning_rate"])
        assert rates[-1] <= scratch.learning_rate / 2
        assert f"width {scratch.d_model}" in choice.reason
    assert rates == [1.5e-3, 1.5e-3, 1e-3, 2.5e-4]


def test_a_width_that_is_said_has_its_own_rate(config):
    rates = {64: 3e-3, 128: 3e-3, 256: 2e-3, 384: 1.3e-3, 512: 1e-3, 1_024: 1e-3}
    for width, rate in rates.items():
        chosen = choose_rate(replace_values(config, {"model.d_model": width}, "here"))
        assert chosen.values["training.schedule.learning_rate"] == rate


def test_long_epochs_are_validated_within(config):
    chosen = values(choose_length(config, 10**7, 40_000))
    assert chosen["training.epochs"] == 2
    assert chosen["validation.every_epochs"] == 1
    assert 3_000 < chosen["validation.every_updates"] < 5_000
    assert values(choose_length(config, 1_000, 10))["validation.every_updates"] is None
    own = replace_values(config, {"validation.every_epochs": 2}, "here")
    assert values(choose_length(own, 10**7, 40_000))["validation.every_updates"] is None
    own = replace_values(config, {"validation.every_updates": 5}, "here")
    assert values(choose_length(own, 1_000, 10))["validation.every_epochs"] == 1


def test_dropout_grows_with_how_often_a_pair_is_seen(config):
    def rate(epochs: int) -> float:
        given = replace_values(config, {"training.epochs": epochs}, "here")
        return values(choose_length(given, 29_000, 10))["model.dropout_rate"]

    assert [rate(epochs) for epochs in (1, 8, 23, 38, 90)] == [0.1, 0.1, 0.2, 0.3, 0.3]


def test_given_epochs_are_kept_and_what_is_given_leaves_room_for_the_warm_up(config):
    for given, pairs, updates, name, value in (
        ({"training.epochs": 3}, 29_000, 10, "training.epochs", 3),
        ({"training.epochs": 3}, 29_000, 10, "training.schedule.warmup_steps", 4),
        ({"training.epochs": 1}, 9, 1, "training.schedule.warmup_steps", 0),  # of one update
        ({"training.epochs": 1}, 9, 1, "validation.every_epochs", 1),
        ({"training.schedule.total_steps": 100}, 29_000, 100, "training.schedule.warmup_steps", 15),
    ):
        chosen = values(choose_length(replace_values(config, given, "here"), pairs, updates))
        assert chosen[name] == value, given


def test_where_the_time_is_short_the_model_may_be_smaller(config):
    sizes = sizes_for(config, 165_000)
    assert sizes == [SIZES[2], SIZES[1], SIZES[0]]
    slow, fast = (TimeBudget(600, 5.0, update, 1.0) for update in (0.4, 0.1))
    assert (slow.is_enough(165_000), fast.is_enough(165_000)) == (False, True)
    of_model = choose_model(config, 165_000, SIZES[1])
    assert of_model.values["model.d_model"] == SIZES[1].d_model
    assert of_model.reason.endswith("and the time")
    own = replace_values(config, {"model.dff": 300}, "here")
    assert sizes_for(own, 165_000) == [SIZES[2]]


@pytest.mark.parametrize("minutes", [0.5, 5, 15])
def test_too_little_time_for_an_epoch_trains_one_and_says_how_long_it_takes(config, minutes):
    config = replace_values(config, {"training.minutes": minutes}, "here")
    prepared = 40.0
    room = TimeBudget(60 * minutes - prepared, start=10.0, update=1.0, validation=1.0)
    first, *_ = choose_length(config, 10**5, 1_000, room)
    assert (first.values["training.epochs"], first.values["training.r_drop_alpha"]) == (1, 0.0)
    said = re.fullmatch(r"for a part .* epoch takes (.*) minutes .* of (.*); .*", first.reason)
    needed, given = map(float, said.groups())
    exact = (prepared + 10 + 1_000 + SECONDS_TO_FINISH) / 60
    assert given == minutes
    assert exact <= needed < 1.1 * exact, "with validations"


def test_a_corpus_is_measured_also_without_spaces(tmp_path):
    pairs = [("Der Hund bellt.", "Собака лает."), ("Ja", "Да"), ("Nein nein", "Нет")]
    lines = "".join(f"{s}\t{t}\n" for s, t in pairs)
    (tmp_path / "a.tsv").write_text(lines, "utf-8")
    (tmp_path / "config.yaml").write_text(f"corpus: {{train: {{tsv: {tmp_path}/a.tsv}}}}\n")
    found = measure_corpus(read_config(tmp_path / "config.yaml").corpus)
    assert (found.pairs, found.together.words, found.long) == (3, 10, 15)
    assert [side.words for side in found.sides] == [6, 4]
    assert found.taken == ("validation", "test")
    held_out = {"corpus.validation": {"tsv": f"{tmp_path}/a.tsv"}}
    with_files = replace_values(read_config(tmp_path / "config.yaml"), held_out, "here")
    assert measure_corpus(with_files.corpus).taken == ()
    assert found.letters_in_common == 0
    assert 20 < found.together.letters < 30
    assert found.together.letters == sum(side.letters for side in found.sides)
    (tmp_path / "a.tsv").write_text("I see.\t我看见了。\n", "utf-8")
    languages = "source_language: en, target_language: zh"
    corpus = f"corpus: {{{languages}, train: {{tsv: {tmp_path}/a.tsv}}}}\n"
    (tmp_path / "config.yaml").write_text(corpus)
    found = measure_corpus(read_config(tmp_path / "config.yaml").corpus)
    assert [side.words for side in found.sides] == [2, 4]


def test_a_length_is_chosen_that_fits_into_given_batches(config):
    own = replace_values(config, {"data.batch_tokens": 70}, "here")
    long = size(5_000)._replace(long=400)
    lengths = [values(choose_encoding(these, long))["data.max_length"] for these in (config, own)]
    assert lengths == [176, 70]
    own = replace_values(config, {"data.max_length": 4_096}, "here")
    assert values(choose_encoding(own, size(5_000)))["data.batch_tokens"] == 4_096


def test_enough_sentences_are_held_out_where_no_file_has_them(config):
    def shares(pairs: int, *taken: str) -> set[float | None]:
        chosen = values(choose_encoding(config, size(pairs)._replace(taken=taken)))
        return {chosen.get(f"corpus.split.{split}") for split in ("validation", "test")}

    both = "validation", "test"
    found = [shares(pairs, *both) for pairs in (30, 1_000, 5_000, 20_000, 10**6)]
    assert found == [{0.1}, {0.1}, {0.04}, {0.01}, {0.01}]
    assert (shares(5_000), shares(5_000, "validation")) == ({None}, {0.04, None})


@pytest.mark.parametrize("epochs", [3, 100])
def test_the_factor_of_noam_gives_the_rate_that_is_chosen(config, epochs):
    noam = {"training.schedule.name": "noam", "training.epochs": epochs}
    own = replace_values(config, noam, "here")
    model = choose_model(own, 5_000, SIZES[1])
    own = replace_values(own, values([model, *choose_length(own, 5_000, 20)]), "here")
    warmup = own.training.schedule.warmup_steps
    factor = choose_rate(own).values["training.schedule.learning_rate"]
    highest = factor * SIZES[1].d_model ** -0.5 * warmup**-0.5
    assert highest == pytest.approx(SIZES[1].learning_rate, rel=0.05)
