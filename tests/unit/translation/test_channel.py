"""A model of the other direction ranks hypotheses by what they say of their sentence."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.letters import Letters
from translator.base.errors import InputError
from translator.search.engine import SearchHypothesis
from translator.text.read_lines import ReadSentence
from translator.text.sentences import LinePart
from translator.text.shown import ShownText
from translator.tokenizers.subword import Tokenizers
from translator.translation.channel import ChannelModel

SPELT = {1: "whole", 2: "half", 3: "far", 4: "x" * 90, 5: "WHOLE"}  # hypotheses by their token


class German(Letters):
    """The target language, in which a hypothesis is one token."""

    language = "de"

    def decode(self, ids):
        return SPELT[ids[0]]


class Judge:
    """Finds sentences probable behind "whole", and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def score(self, sources, targets):
        spelt = [bytes(ids[1:-1]).decode() for ids in sources]
        self.asked += spelt
        return [np.array([-1.0 if text == "whole" else -4.0]) for text in spelt]


def channel_of(judge: Judge, language: str = "en", small: bool = False) -> ChannelModel:
    other = Letters()
    other.language = language
    run = SimpleNamespace(
        tokenizers=Tokenizers(German(), other),
        engine=judge,
        settings=SimpleNamespace(data=SimpleNamespace(max_length=64)),
        codec=SimpleNamespace(preprocessor=SimpleNamespace(truecase=str.lower if small else str)),
        run=SimpleNamespace(path="runs/back"),
    )
    return ChannelModel(lambda: run, Tokenizers(Letters(), German()))


def ranked(channel: ChannelModel, *beam: tuple[int, float]) -> list[tuple[int, float]]:
    """The tokens and the scores of a beam, whose hypotheses have a score each."""
    sentence = ReadSentence(LinePart("It", ""), ShownText("it"), [0, 105, 1], None, True)
    hypotheses = [SearchHypothesis((token, 1), 2 * score, score) for token, score in beam]
    [found] = channel.rank([sentence], [hypotheses], 1.0)
    return [(each.ids[0], round(each.score, 3)) for each in found]


def test_what_tells_the_whole_sentence_comes_first_of_those_that_are_near():
    judge = Judge()
    assert ranked(channel_of(judge), (2, -1.0), (1, -1.1)) == [(1, -1.225), (2, -1.5)]
    assert judge.asked == ["half", "whole"]
    judge = Judge()
    ranked(channel_of(judge, small=True), (2, -1.0), (5, -1.1))
    assert judge.asked == ["half", "whole"], "a run that truecases is shown small beginnings"
    judge = Judge()
    found = ranked(channel_of(judge), (2, -1.0), (1, -1.1), (3, -1.5))
    assert found == [(1, -1.225), (2, -1.5), (3, -2.0)]
    assert judge.asked == ["half", "whole"]


def test_where_there_is_no_choice_nothing_is_judged():
    judge = Judge()
    channel = channel_of(judge)
    assert ranked(channel, (2, -1.0)) == [(2, -1.0)]
    assert ranked(channel, (2, -1.0), (1, -1.9)) == [(2, -1.0), (1, -1.9)]
    assert ranked(channel, (2, -1.0), (4, -1.1)) == [(2, -1.0), (4, -1.1)], "too long"
    assert ranked(channel, (1, -1.0), (2, -1.1)) == [(1, -1.0), (2, -1.1)], "shorter"
    assert channel.rank([], [], 1.0) == []
    assert judge.asked == []


def test_a_run_of_other_languages_is_refused():
    with pytest.raises(
        InputError, match=r"^decoding.channel: expected a run from de to en without"
    ):
        channel_of(Judge(), language="fr").run  # noqa: B018
    assert channel_of(Judge(), language="English").run.tokenizers.source.language == "de"
