"""Equal texts are one hypothesis, others take their place, and loops are searched for again."""

import math
from collections.abc import Callable

import pytest

from translator.search.engine import SearchHypothesis, SearchOptions, derive_seed
from translator.search.limits import LengthLimits
from translator.search.sampling import Sampling
from translator.text.agreement import AgreementJudge
from translator.text.marks import take_out_marks
from translator.text.read_lines import ReadSentence
from translator.text.sentences import LinePart
from translator.text.shown import ShownText
from translator.translation.sentence_translator import SentenceTranslator

RANKED = [(1, 2), (3,), (4,), (5,), (6,), (7,), (8,), (9,)]  # tokens, the best first
CUT = 99  # the last token of what a length limit has cut
SPELT = {(1, 2): "ab", (3,): "ab", (4,): "c", (5,): "ab", (6,): "d", (7,): "c"}


class Engine:
    """Finds what a function of a sentence and the options says, and keeps how it was asked."""

    def __init__(self, find: Callable[[list[int], SearchOptions], list[SearchHypothesis]]) -> None:
        self.find = find
        self.asked: list[tuple[list[list[int]], SearchOptions]] = []

    def search(self, sentences, max_lengths, options):
        if sentences:
            self.asked.append((list(sentences), options))
        return [self.find(ids, options) for ids in sentences]


class Writer:
    """Writes tokens by a function; by another one translations lack spans."""

    def __init__(self, spell: Callable, lacks: Callable = lambda sentence, ids: False) -> None:
        self.spell = spell
        self.lacks_spans = lacks
        self.has_ended = lambda ids: ids[-1:] != (CUT,)

    def write(self, sentence, ids, alignment):
        return self.spell(tuple(ids))


def found(*ids: int, score: float = -1.0) -> SearchHypothesis:
    return SearchHypothesis(ids, score, score)


def ranked(ids: list[int], options: SearchOptions) -> list[SearchHypothesis]:
    """The ranking of all hypotheses, the same for each sentence."""
    return [found(*its, score=-1.0 - i) for i, its in enumerate(RANKED[: options.n_best])]


def spelt(ids: tuple[int, ...]) -> str:
    return SPELT.get(ids, str(ids))


def words(ids: tuple[int, ...]) -> str:
    """Each token is a word, and none is nothing."""
    return " ".join(["Haus"] * len(ids))


def sentence_of(text: str, token: int, **more) -> ReadSentence:
    shown = ShownText(text)
    return ReadSentence(
        LinePart(text, ""), shown, [0, token, 1], None, is_spelt=True, is_first=True
    )._replace(**more)


def translate(find, writer, sentences, options=None, vocab_size=100, judge=None) -> tuple:
    """The hypotheses of each sentence, and how the engine was asked."""
    engine, options = Engine(find), options or SearchOptions()
    limits = LengthLimits(20, None)
    made = SentenceTranslator(engine, options, limits, writer, vocab_size, judge)
    return made.translate(sentences), engine.asked


def test_samples_stay_as_they_were_drawn_also_those_of_equal_and_of_no_text():
    options = SearchOptions(n_best=4, sampling=Sampling())
    writer = Writer(lambda ids: "" if ids == (4,) else SPELT[ids])
    [drawn], asked = translate(ranked, writer, [sentence_of("x", 5)], options)
    assert [h.text for h in drawn] == ["ab", "ab", "", "ab"]
    assert len(asked) == 1


def test_equal_texts_are_one_hypothesis_and_others_fill_the_list():
    for n_best, beam_size, vocab_size, searches in [
        (3, 5, 100, [(5, 5)]),  # the rest of the beam fills the list
        (3, 4, 100, [(4, 4), (8, 8)]),  # a wider beam does
        (3, 4, 10, [(4, 4), (5, 5)]),  # none is wider than the vocabulary allows
        (6, 6, 12, [(6, 6)]),  # no search is made twice
        (1, 4, 100, [(4, 4)]),  # the best alone is searched once
    ]:
        options = SearchOptions(beam_size=beam_size, n_best=n_best)
        [hypotheses], asked = translate(
            ranked, Writer(spelt), [sentence_of("x", 5)], options, vocab_size
        )
        expected = [("ab", -1.0), ("c", -3.0), ("d", -5.0)][:n_best]
        assert [(h.text, h.score) for h in hypotheses] == expected
        assert [(its.beam_size, its.n_best) for _, its in asked] == searches


NUMBERS = {1: "8 Leute", 2: "38 Leute", 3: "Leute"}
LACKS_8 = "numbers that the translation lacks: 8"


def test_the_first_hypothesis_that_agrees_leads_else_the_best_is_marked():
    for beam, n_best, expected, doubts in [
        ((1, 2, 3), 1, "8 Leute", []),
        ((3, 1, 2), 1, "8 Leute", []),
        ((3, 1, 2), 2, "8 Leute", []),
        ((3, 2), 1, "Leute", [LACKS_8]),
        ((2, 3), 1, "38 Leute", [f"{LACKS_8} (it has 38)"]),
    ]:
        [hypotheses], asked = translate(
            lambda *_, beam=beam: [found(each, score=-1.0 - i) for i, each in enumerate(beam)],
            Writer(lambda ids: NUMBERS[ids[0]]),
            [sentence_of("8 people", 5)],
            SearchOptions(n_best=n_best),
            vocab_size=8,
            judge=AgreementJudge("en", "de"),
        )
        assert [each.text for each in hypotheses][:1] == [expected]
        assert len(hypotheses) == n_best
        assert [doubt.text for doubt in hypotheses[0].doubts] == doubts
        assert len(asked) == 1
    text = "_Eight_ people (not 3) came."
    [[best]], _ = translate(
        lambda ids, options: [found(7)],
        Writer(lambda ids: "_Acht_ Leute (not 3) kamen."),
        [sentence_of(text, 5, shown=ShownText(text, marks=take_out_marks(text).marks))],
        judge=AgreementJudge("en", "de"),
    )
    assert best.doubts == ()


def test_a_hypothesis_that_keeps_its_spans_leads_else_the_best_is_marked():
    def find(ids, options):
        return [found(7), found(8, score=-2.0)] if ids[1] == 5 else [found(7)]

    writer = Writer(lambda ids: f"word {ids}", lambda sentence, ids: ids == (7,))
    sentences = [sentence_of("x", token) for token in (5, 6)]  # of no spans, which are invented
    [[kept], [lost]], _ = translate(find, writer, sentences)
    assert (kept.ids, kept.doubts) == ((8,), ())
    assert [doubt.kind for doubt in lost.doubts] == ["spans"]


def test_tokens_have_the_share_of_the_beam_that_has_them():
    likely, other = math.log(0.6), math.log(0.2)
    both = [SearchHypothesis((7, 7, 8), likely, 0.0), SearchHypothesis((7, 9), other, 0.0)]
    [[hypothesis]], _ = translate(lambda ids, options: both, Writer(str), [sentence_of("x", 5)])
    assert hypothesis.support == pytest.approx((1, 0.75, 0.75))
    [[alone]], _ = translate(lambda ids, options: both[:1], Writer(str), [sentence_of("x", 5)])
    assert alone.support == ()


def test_groups_of_sentences_and_chunks_of_lines_draw_by_different_seeds():
    seeds = set()
    for chunk in (0, 1):
        options = SearchOptions(prefix_ids=(7,), seed=derive_seed(5, chunk))
        sentences = [sentence_of("x", 5), sentence_of("y", 6, is_first=False)]
        _, asked = translate(lambda ids, options: [found(7)], Writer(words), sentences, options)
        seeds |= {its.seed for _, its in asked}
    assert len(seeds) == 4


def test_an_empty_hypothesis_is_left_out_where_there_is_another():
    def find(ids, options):
        both = [found(), found(7, score=-2.0)]
        return both[: options.beam_size] if ids[1] == 5 else both[:1]

    options = SearchOptions(beam_size=2, n_best=2)
    results, _ = translate(find, Writer(words), [sentence_of("x", 5), sentence_of("y", 6)], options)
    assert [[each.text for each in hypotheses] for hypotheses in results] == [["Haus"], [""]]


def looping(ids: list[int], options: SearchOptions) -> list[SearchHypothesis]:
    """Repeats a token until n-grams may not be repeated, in sentences with token 5."""
    count = {0: 5, 4: 4, 2: 2, 1: 1}[options.no_repeat_ngram]
    return [found(*(7,) * (count if ids[1] == 5 else 1))]


def test_a_loop_is_searched_for_without_repetitions_but_may_lose_no_span():
    sentences = [sentence_of("house", 5), sentence_of("home", 6)]
    results, asked = translate(looping, Writer(words), sentences)
    assert [hypotheses[0].text for hypotheses in results] == ["Haus", "Haus"]
    searches = [(len(searched), its.no_repeat_ngram) for searched, its in asked]
    assert searches == [(2, 0), (1, 4), (1, 2), (1, 1)]
    [[hypothesis]], _ = translate(looping, Writer(words), [sentence_of("House, house, house!", 5)])
    assert hypothesis.text == "Haus Haus Haus Haus Haus", "its source repeats itself, too"
    loses_one = Writer(words, lambda _, ids: len(ids) < 4)
    [[hypothesis]], _ = translate(looping, loses_one, [sentence_of("house", 5)])
    assert hypothesis.text == words((7,) * 4)


def test_what_a_length_limit_has_cut_is_told_and_comes_after_what_ends():
    def find(beam):
        return lambda ids, options: [found(*its) for its in beam]

    writer = Writer(lambda ids: f"Haus {len(ids)}")
    [[best]], _ = translate(find([(3, 4, CUT), (3, 4)]), writer, [sentence_of("house", 5)])
    assert (best.text, best.doubts) == ("Haus 2", ())
    [[best]], _ = translate(find([(3, 4, CUT)]), writer, [sentence_of("house", 5)])
    cut_off = "its translation is cut off after 3 tokens, the maximum length"
    assert best.doubts == (("length", cut_off),)
