"""Equal texts are one hypothesis, others take their place, and loops are searched for again."""

import numpy as np

from translator.search.engine import SearchHypothesis, SearchOptions, derive_seed
from translator.search.limits import LengthLimits
from translator.search.state import Sampling
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Part
from translator.text.spans.showing import ShownText
from translator.translation.sentence_translator import SentenceTranslator

RANKED = [(1, 2), (3,), (4,), (5,), (6,), (7,), (8,), (9,)]  # tokens, the best first
SPELT = {(1, 2): "ab", (3,): "ab", (4,): "c", (5,): "ab", (6,): "d", (7,): "c"}


class ScriptedEngine:
    """Knows the ranking of all hypotheses, and keeps how it was asked."""

    name = "scripted"

    def __init__(self):
        self.asked = []

    def search(self, sentences, max_lengths, options):
        if sentences:
            self.asked.append((len(sentences), options.beam_size, options.n_best))
        found = [
            SearchHypothesis(ids, -1.0 - i, -1.0 - i, None)
            for i, ids in enumerate(RANKED[: options.n_best])
        ]
        return [found for _ in sentences]


class Spelling:
    """Writes tokens as `SPELT` has them."""

    def write(self, sentence: ReadSentence, ids: tuple[int, ...], alignment: np.ndarray | None):
        return SPELT.get(tuple(ids), str(ids))


def translated(n_best: int, beam_size: int, vocab_size: int = 100):
    engine = ScriptedEngine()
    options = SearchOptions(beam_size=beam_size, n_best=n_best)
    made = SentenceTranslator(engine, options, LengthLimits(20, None), Spelling(), vocab_size)
    sentence = ReadSentence(Part("x", ""), ShownText("x", ()), [0, 5, 1], None, is_spelt=True)
    return made.translate([sentence]), engine.asked


def test_samples_stay_as_they_were_drawn_also_those_of_equal_and_of_no_text():
    engine = ScriptedEngine()
    options = SearchOptions(n_best=4, sampling=Sampling())
    spelling = Spelling()
    spelling.write = lambda sentence, ids, alignment: "" if ids == (4,) else SPELT[tuple(ids)]
    made = SentenceTranslator(engine, options, LengthLimits(20, None), spelling, 100)
    sentence = ReadSentence(Part("x", ""), ShownText("x", ()), [0, 5, 1], None, is_spelt=True)
    [found] = made.translate([sentence._replace(label=sentence)])
    assert [h.text for h in found] == ["ab", "ab", "", "ab"]
    assert len(engine.asked) == 1


def test_equal_texts_are_one_hypothesis_and_the_rest_of_the_beam_fills_the_list():
    [found], asked = translated(n_best=3, beam_size=5)
    assert [(h.text, h.score) for h in found] == [("ab", -1.0), ("c", -3.0), ("d", -5.0)]
    assert asked == [(1, 5, 3), (1, 5, 5)]


def test_a_wider_beam_fills_the_list_if_the_beam_does_not():
    [found], asked = translated(n_best=3, beam_size=4)
    assert [(h.text, h.score) for h in found] == [("ab", -1.0), ("c", -3.0), ("d", -5.0)]
    assert asked == [(1, 4, 3), (1, 4, 4), (1, 8, 8)]


def test_the_first_of_equal_texts_keeps_its_place():
    [found], _ = translated(n_best=6, beam_size=6, vocab_size=12)
    assert [(h.text, h.score) for h in found] == [("ab", -1.0), ("c", -3.0), ("d", -5.0)]


def test_the_best_alone_is_searched_once():
    [found], asked = translated(n_best=1, beam_size=4)
    assert [h.text for h in found] == ["ab"]
    assert asked == [(1, 4, 1)]


def test_no_beam_is_wider_than_the_vocabulary_allows():
    [found], asked = translated(n_best=3, beam_size=4, vocab_size=10)
    assert asked == [(1, 4, 3), (1, 4, 4), (1, 5, 5)]
    assert [h.text for h in found] == ["ab", "c", "d"]


class SeedKeepingEngine(ScriptedEngine):
    """Keeps the seeds that it was given."""

    def search(self, sentences, max_lengths, options):
        self.asked.append(options.seed)
        return [[SearchHypothesis((7,), -1.0, -1.0, None)] for _ in sentences]


def test_groups_of_sentences_and_chunks_of_lines_draw_by_different_seeds():
    asked = []
    for chunk in (0, 1):
        engine = SeedKeepingEngine()
        options = SearchOptions(prefix_ids=(7,), seed=derive_seed(5, chunk))
        limits = LengthLimits(20, None)
        made = SentenceTranslator(engine, options, limits, Words(), 100)
        first, second = sentence_of("x", 5), sentence_of("y", 6)
        made.translate([first, second._replace(is_first=False)])
        asked += engine.asked
    assert len(asked) == 4
    assert len(set(asked)) == 4


class EmptyHandedEngine:
    """Ends some translations at once, with the best score."""

    name = "empty-handed"

    def search(self, sentences, max_lengths, options):
        lengths = [(0, 1)[: options.beam_size] if ids[1] == 5 else (0,) for ids in sentences]
        return [
            [SearchHypothesis((7,) * length, -1.0, -1.0 - length, None) for length in of_sentence]
            for of_sentence in lengths
        ]


class TokenWords:
    """Writes each token as a word, and none as nothing."""

    def write(self, sentence: ReadSentence, ids: tuple[int, ...], alignment: np.ndarray | None):
        return " ".join(["Haus"] * len(ids))

    def lacks_spans(self, sentence: ReadSentence, ids: tuple[int, ...]):
        return False


def test_an_empty_hypothesis_is_left_out_where_there_is_another():
    options, limits = SearchOptions(beam_size=2, n_best=2), LengthLimits(20, None)
    made = SentenceTranslator(EmptyHandedEngine(), options, limits, TokenWords(), 100)
    found = made.translate([sentence_of("x", 5), sentence_of("y", 6)])
    assert [[each.text for each in hypotheses] for hypotheses in found] == [["Haus"], [""]]


class LoopingEngine:
    """Repeats a token until n-grams may not be repeated."""

    name = "looping"

    def __init__(self, looping: set[int]):
        self.looping = looping
        self.asked = []

    def search(self, sentences, max_lengths, options):
        self.asked.append((len(sentences), options.no_repeat_ngram, options.n_best))
        limit = {0: 5, 4: 4, 2: 2, 1: 1}[options.no_repeat_ngram]
        return [
            [SearchHypothesis((7,) * (limit if ids[1] in self.looping else 1), -1.0, -1.0, None)]
            for ids in sentences
        ]


class Words:
    """Writes each token as a word."""

    def write(self, sentence: ReadSentence, ids: tuple[int, ...], alignment: np.ndarray | None):
        return " ".join(["Haus"] * len(ids)) + "."

    def lacks_spans(self, sentence: ReadSentence, ids: tuple[int, ...]):
        return False


def sentence_of(text: str, token: int) -> ReadSentence:
    return ReadSentence(
        Part(text, ""),
        ShownText(text, ()),
        [0, token, 1],
        None,
        is_spelt=True,
        is_first=True,
        needs_alignment=False,
    )


def test_a_translation_that_repeats_itself_is_searched_for_without_repetitions():
    engine = LoopingEngine({5})
    options = SearchOptions(beam_size=4)
    made = SentenceTranslator(engine, options, LengthLimits(20, None), Words(), 100)
    found = made.translate([sentence_of("house", 5), sentence_of("home", 6)])
    assert [hypotheses[0].text for hypotheses in found] == ["Haus.", "Haus."]
    assert [asked for asked in engine.asked if asked[0]] == [
        (2, 0, 1), (1, 4, 1), (1, 2, 1), (1, 1, 1)
    ]  # fmt: skip


class StubbornEngine(LoopingEngine):
    """Repeats a token whatever it is told."""

    def search(self, sentences, max_lengths, options):
        return super().search(sentences, max_lengths, SearchOptions())


def test_a_loop_that_stays_is_cut_short_unless_it_has_spans():
    made = SentenceTranslator(
        StubbornEngine({5}), SearchOptions(beam_size=4), LengthLimits(20, None), Words(), 100
    )
    plain = sentence_of("house", 5)
    found = made.translate([plain, plain._replace(needs_alignment=True)])
    assert [hypotheses[0].text for hypotheses in found] == ["Haus.", "Haus Haus Haus Haus Haus."]


def test_a_search_without_repetitions_may_not_lose_a_span():
    class LongWords(Words):
        def lacks_spans(self, sentence: ReadSentence, ids: tuple[int, ...]):
            return len(ids) < 4

    made = SentenceTranslator(
        LoopingEngine({5}), SearchOptions(beam_size=4), LengthLimits(20, None), LongWords(), 9
    )
    sentence = sentence_of("house", 5)
    found = made.translate([sentence, sentence._replace(needs_alignment=True)])
    assert [hypotheses[0].text for hypotheses in found] == ["Haus.", "Haus Haus Haus Haus."]


def test_a_source_that_repeats_itself_may_be_translated_so():
    engine = LoopingEngine({5})
    made = SentenceTranslator(
        engine, SearchOptions(beam_size=4), LengthLimits(20, None), Words(), 100
    )
    [[found]] = made.translate([sentence_of("House, house, house!", 5)])
    assert found.text == "Haus Haus Haus Haus Haus."


class DroppingEngine:
    """Translates each token by itself, but drops those that it does not know."""

    name = "dropping"

    def __init__(self, known: set[int]):
        self.known = known
        self.asked = []

    def search(self, sentences, max_lengths, options):
        self.asked.append([tuple(ids) for ids in sentences])
        return [
            [SearchHypothesis(tuple(i for i in ids if i in self.known), -1.0, -1.0, None)]
            for ids in sentences
        ]


class SpanWriter:
    """A translation lacks a span unless it has all tokens of the sentence."""

    always_aligns = False

    def write(self, sentence: ReadSentence, ids: tuple[int, ...], alignment: np.ndarray | None):
        return "".join(map(str, ids))

    def lacks_spans(self, sentence: ReadSentence, ids: tuple[int, ...]) -> bool:
        return len(ids) < len(sentence.ids)


def test_other_stand_ins_are_tried_until_the_model_keeps_one():
    others = tuple(sentence_of("x", token) for token in (2, 3, 4))
    engine = DroppingEngine({0, 1, 3, 4, 6})
    options, limits = SearchOptions(), LengthLimits(20, None)
    made = SentenceTranslator(engine, options, limits, SpanWriter(), 100)
    sentences = [sentence_of("x", 5)._replace(others=others), sentence_of("y", 6)]
    found = [hypotheses[0].ids for hypotheses in made.translate(sentences)]
    ids = [each.ids for each in (*sentences, *others)]
    assert engine.asked[1:] == [[tuple(ids[2])], [tuple(ids[3])]]
    assert found == [tuple(ids[3]), tuple(ids[1])]


def test_the_first_stand_ins_stay_if_no_other_helps():
    engine = DroppingEngine({0, 1, 9})
    others = (sentence_of("x", 2),)
    made = SentenceTranslator(engine, SearchOptions(), LengthLimits(20, None), SpanWriter(), 100)
    [[found]] = made.translate([sentence_of("x", 5)._replace(others=others)])
    assert found.source_ids == tuple(sentence_of("x", 5).ids)


class LengthEngine:
    """Translates by one token; the score is minus the first id of the sentence."""

    name = "length"

    def search(self, sentences, max_lengths, options):
        return [[SearchHypothesis((7,), -ids[1], -ids[1], None)] for ids in sentences]


def test_a_word_is_translated_as_a_phrase_where_that_scores_better():
    options, limits = SearchOptions(beam_size=1), LengthLimits(20, None)
    made = SentenceTranslator(LengthEngine(), options, limits, TokenWords(), 100)
    sentences = [
        sentence_of("Close", 8)._replace(label=sentence_of("close", 6)),
        sentence_of("Stop", 5)._replace(label=sentence_of("stop", 9)),
        sentence_of("x", 4),
    ]
    found = made.translate(sentences)
    assert [hypotheses[0].score for hypotheses in found] == [-6, -5, -4]
