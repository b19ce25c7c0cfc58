"""What a training warns of before it starts."""

import types

import numpy as np

from translator.addons.monitoring import prospects
from translator.config.schema import Config
from translator.config.yaml_file import validate_config
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.tokenizers.subword import Tokenizers
from translator.training.clock import TimeBudget


def config_of(warmup: int = 10, **sections: dict) -> Config:
    schedule = {"name": "inverse_sqrt", "learning_rate": 1e-3, "warmup_steps": warmup}
    training = {"schedule": schedule, **sections.pop("training", {})}
    values = {"corpus": {"name": "tatoeba"}, "data": {"batch_size": 8}, "training": training}
    return validate_config({**values, **sections}, "test")


def warn(*arguments) -> list[str]:
    """The warnings but for that of too few updates, which the other figures are not about."""
    return [line for line in prospects.warn(*arguments) if "are too few" not in line]


def side(ids: np.ndarray) -> TokenArray:
    """Sentences of one token each."""
    return TokenArray.of(ids.astype("uint16"), np.ones(len(ids), int))


def data_of(
    validation: int = 100,
    source: np.ndarray | None = None,
    size: int = 10,
    shared: bool = False,
    unknown: int = -1,
) -> types.SimpleNamespace:
    """Encoded pairs as far as the warnings look at them; the target has each piece 60 times."""
    target = np.repeat(np.arange(size), 60)
    sides = side(target if source is None else source), side(target)
    tokenizers = [
        types.SimpleNamespace(
            size=size + 1,  # the last id is a special one, which no text has
            fingerprint="same" if shared else name,
            spells=lambda ids: ids[0] < size,
            unknown_id=unknown if name == "source" else -1,
        )
        for name in ("source", "target")
    ]
    held_out = EncodedPairs(side(np.zeros(validation)), side(np.zeros(validation)))
    return types.SimpleNamespace(
        train=EncodedPairs(*sides), validation=held_out, tokenizers=Tokenizers(*tokenizers)
    )


def test_too_few_updates_are_said_first_and_nothing_where_nothing_is_wrong():
    assert list(prospects.warn(config_of(warmup=5), data_of(), 10))[0] == (
        "warning: 10 updates are too few; 600 pairs need about 1,200: --set training.epochs=3600"
    )
    assert list(prospects.warn(config_of(), data_of(), 1000)) == []
    config = config_of(training={"epochs": 1, "minutes": 0.5})
    room = TimeBudget(20.0, start=3.0, update=0.1, validation=1.0)  # 10 s are gone
    [line] = [line for line in prospects.warn(config, data_of(), 10, room) if "are too few" in line]
    assert line.endswith("need about 1,200: --set training.minutes=5")  # 1.6 passes an update


def test_a_warm_up_as_long_as_the_training_or_a_schedule_that_ends_before_it_is_said():
    [line] = warn(config_of(warmup=4000), data_of(), 630)
    assert line == (
        "warning: training.schedule.warmup_steps: the warm-up of 4,000 updates is longer than the"
        " whole training of 630, so the learning rate stays too low; set it to 63, or raise"
        " training.epochs"
    )
    assert len(list(warn(config_of(warmup=631), data_of(), 630))) == 1
    assert list(warn(config_of(warmup=630), data_of(), 630)) == []
    ends = {"name": "linear", "learning_rate": 1e-3, "warmup_steps": 5, "total_steps": 204}

    def said(updates: int, **more: float) -> list[str]:
        return list(warn(config_of(training={"schedule": {**ends, **more}}), data_of(), updates))

    assert (said(204), said(816, final_rate=1e-5)) == ([], [])
    assert said(816) == [
        "warning: training.schedule.total_steps: the learning rate is 0 after 204 of 816 updates,"
        " and nothing is learnt from then on; leave it out, so that the rate falls until the end"
    ]


def test_few_validation_pairs_are_said():
    [line] = warn(config_of(), data_of(validation=9), 1000)
    assert line == (
        "warning: the validation split has 9 pairs, so BLEU and the choice of weights depend mostly"
        " on chance; give 100 or more pairs in corpus.validation, or raise corpus.split.validation"
    )
    assert len(list(warn(config_of(), data_of(validation=99), 1000))) == 1


def pieces(rare: int, often: int) -> np.ndarray:
    """Ids of some pieces that are seen four times, and of some that are seen 5,000 times."""
    return np.repeat(np.arange(rare + often), [4] * rare + [5000] * often)


def test_a_vocabulary_of_rare_pieces_is_said_with_a_size_unless_they_are_known():
    [line] = warn(config_of(), data_of(source=pieces(5, 5)), 1000)
    assert line == (
        "warning: tokenizer: 50% of the 10 pieces of the source vocabulary are seen fewer than 5"
        " times in training, which is too rarely to learn them; try more pairs"
    )
    rare = data_of(source=pieces(1500, 12), size=1512)  # 66,000 tokens
    [line] = warn(config_of(), rare, 1000)
    assert line.endswith("; try tokenizer.vocab_size of about 700, more pairs")
    for own in ({"source_model": "a", "target_model": "b"}, {"name": "bpemb"}):
        [line] = warn(config_of(tokenizer=own), rare, 1000)
        assert line.endswith("; try a smaller tokenizer, more pairs")
    assert list(warn(config_of(), data_of(source=pieces(4, 6)), 1000)) == []
    assert list(warn(config_of(), data_of(source=pieces(5, 5), shared=True), 1000)) == []
    rare = data_of(source=pieces(5, 5))
    assert list(warn(config_of(training={"init": "en-de"}), rare, 1000)) == []


def test_pieces_are_counted_in_chunks(monkeypatch):
    ids = np.random.default_rng(1).integers(0, 10, 500)
    for chunk in (1, 7, 1000):
        monkeypatch.setattr(prospects, "CHUNK", chunk)
        counted, _ = prospects._count_pieces(data_of(source=ids).train, [10, 10])
        assert counted.tolist() == np.bincount(ids, minlength=10).tolist()


def test_text_that_the_tokenizer_does_not_know_is_said():
    source = np.repeat([0, 1], [700, 300])
    [line] = warn(config_of(), data_of(source=source, size=2, unknown=1), 1000)
    assert line == (
        "warning: tokenizer: 30% of the source tokens are <unk>, because it has no pieces for their"
        " characters; use a tokenizer made for such text"
    )
    rare = np.repeat([0, 1], [995, 5])
    assert list(warn(config_of(), data_of(source=rare, size=2, unknown=1), 1000)) == []
