"""Confidence of hypotheses and words, doubts about lines, and how sentences are joined."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from tests.builders import table_of, translating
from translator.addons.confidence.assessor import Assessor, match_words, score_tokens
from translator.addons.confidence.fitting import judge
from translator.addons.confidence.logistic import LogisticModel
from translator.addons.confidence.model import ConfidenceModel
from translator.addons.confidence.source_words import SourceWords
from translator.text.learnt_words import LearntWords
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.sentences import LinePart
from translator.text.shown import COPIED, NAME, ShownText, Span
from translator.tokenizers.masks import WORD_MASKS
from translator.tokenizers.subword import Tokenizers
from translator.translation.results import Hypothesis, Score, Translation, WordConfidence, join

PIECES = ["<pad>", "<s>", "</s>", "▁Die", "▁Kat", "ze", "."]
START, END = 1, 2


def vocabulary(language: str) -> SimpleNamespace:
    """A tokenizer's pieces, in `PIECES`."""
    ids = {"start_id": START, "end_id": END}
    return SimpleNamespace(language=language, pieces=lambda ids: [PIECES[i] for i in ids], **ids)


TOKENIZERS = Tokenizers(vocabulary("en"), vocabulary("de"))


class ScoringEngine:
    """Gives the n-th token of every translation the log probability -n; it cannot search."""

    def __init__(self):
        self.asked = []

    def score(self, sentences, targets):
        self.asked += list(zip(sentences, targets))
        return [-np.arange(1.0, len(target)) for target in targets]


def assessor(**changes) -> Assessor:
    words = table_of(["the", "quick", "brown", "fox", "jumps", "over", "lazy", "dog", "cat"])
    known = SourceWords(words, {"die": -3.5, "katze": -3.5})
    model = ConfidenceModel(
        LogisticModel((1.0, 0.0, 0.0, -1.0, 0.0, 0.0), 0.0),
        LogisticModel((1.0, *[0.0] * 4, 1.0, *[0.0] * 4, -1.0, *[0.0] * 3), 0.0),
        0.3, 0.8, known, {},
    )  # fmt: skip
    lexicon = translating({"cat": {"katze": 0.5}})
    return Assessor(model._replace(**changes), TOKENIZERS, ScoringEngine(), lexicon)


GERMAN = "is this German? try --from de"


def sigmoid(x: float) -> float:
    return 1 / (1 + np.exp(-x))


def read(text: str, is_first: bool = True) -> ReadSentence:
    return ReadSentence(LinePart(text, " "), ShownText(text), [START, 4, END], None, True, is_first)


def test_a_hypothesis_has_the_confidence_of_its_mean_log_probability():
    made = assessor()
    found = Hypothesis("Die Katze.", (3, 4, 5, END), -2.0, -0.5)
    [[known], [unseen]] = made.assess(
        [read("the cat"), read("the badger")],
        [[found], [found]],
        0,
        with_words=False,
        with_doubts=False,
    )
    assert known.confidence == pytest.approx(sigmoid(-0.5))
    assert unseen.confidence == pytest.approx(sigmoid(-0.5 - 0.5))
    assert known.words == ()
    assert made.engine.asked == []  # type: ignore[attr-defined]
    sentences = [read("the cat"), read("the cat", is_first=False)]
    [[first], [second]] = made.assess(
        sentences, [[found], [found]], 2, with_words=False, with_doubts=False
    )
    assert first.confidence == pytest.approx(sigmoid(-1.0)), "tokens of a prefix do not count"
    assert second.confidence == pytest.approx(sigmoid(-0.5))


def test_words_have_the_confidence_of_their_tokens():
    for text in ("Die Katze.", '<b>Die</b> 🎉 <a href="x y">Katze</a>.<br/>'):  # no words
        found = Hypothesis(text, (3, 4, 5, 6, END), -2.0, -0.5)
        [[known]] = assessor().assess(
            [read("the cat")], [[found]], 0, with_words=True, with_doubts=False
        )
        assert [word.text for word in known.words] == ["Die", "Katze."]
        assert [word.confidence for word in known.words] == pytest.approx(
            [sigmoid(-1.0), sigmoid(-2.0 - 3.0 - 4.0)]
        )
    [[unseen]] = assessor().assess(
        [read("the badger")], [[found]], 0, with_words=True, with_doubts=False
    )
    assert unseen.words[0].confidence == pytest.approx(sigmoid(-1.0 - 1.0))


COVERED = LogisticModel((0.0, 0.0, 0.0, 0.0, 1.0, 2.0), 0.0)
ASSOCIATED = LogisticModel((*[0.0] * 12, 2.0, 1.0), 0.0)


def test_what_the_lexicon_and_the_beam_say_counts():
    made = assessor(sentence=COVERED, word=ASSOCIATED)
    for support, mean, least in (
        ((0.5, 0.25, 0.75, 1.0), 0.625, (0.5, 0.25)), ((), 0.8, (0.8, 0.8))
    ):  # fmt: skip
        found = Hypothesis("Die Katze.", (3, 4, 5, END), -2.0, -0.5, support=support)
        [[assessed]] = made.assess(
            [read("the cat")], [[found]], 0, with_words=True, with_doubts=False
        )
        assert assessed.confidence == pytest.approx(sigmoid(3 / 6 + 2 * mean))  # 3 letters of 6
        assert [word.confidence for word in assessed.words] == pytest.approx(
            [sigmoid(2 * least[0]), sigmoid(2 * least[1] + 0.5)]
        )
    given = Score(-2.0, 4, ("▁Die", "▁Kat", "ze", "</s>"))  # has the usual support
    found = made.assess_score(given, "the cat", np.full(4, -0.5))
    assert found.confidence == pytest.approx(sigmoid(0.5 + 1.6))
    assert [word.confidence for word in found.words] == pytest.approx([sigmoid(1.6), sigmoid(2.1)])


SHOWN = Hypothesis("Die Katze.", (3, 4, 5, 6, END), -2.0, -0.5, (START, 4, END))


def test_confidence_is_fitted_to_scores_given_what_the_model_was_shown():
    class TranslatesTheCat:
        tokenizers, engine, words = TOKENIZERS, ScoringEngine(), LearntWords()

        def make_reader(self, options):
            return self

        def read(self, text, place):
            return SourceLine(text, (read(text),))

        def translate_read(self, lines, options):
            return [Translation(line.text, (SHOWN,)) for line in lines]

    translator = TranslatesTheCat()
    judged = judge(translator, None, [("the cat", ["Die Katze."])])
    assert [tuple(source) for source, _ in translator.engine.asked] == [SHOWN.source_ids]
    assert judged.is_right.tolist() == [1.0, 1.0]


def test_a_cut_hypothesis_is_scored_with_an_end_that_is_no_word():
    engine = ScoringEngine()
    [scored] = score_tokens(engine, TOKENIZERS, [([START, 4, END], (3, 4))])
    assert engine.asked == [([START, 4, END], [START, 3, 4, END])]
    assert scored.log_probabilities.tolist() == [-1.0, -2.0]
    assert scored.words.texts == ("Die", "Kat")
    assert score_tokens(engine, TOKENIZERS, []) == []


def test_printed_words_are_found_among_those_that_the_model_wrote():
    for printed, written, places in [
        ("Die Katze.", "die katze .", [(0, 1), (1, 2)]),
        ("am 17 Mai", "AM 00 MAI", [(0, 1), (1, 2), (2, 3)]),
        ("Xaver von Au kommt", "Tom kommt", [(0, 1), (0, 1), (0, 1), (1, 2)]),
        ("Die sehr Katze", "Die Katze", [(0, 1), (0, 2), (1, 2)]),
        ("sehr", "", [(0, 1)]),
    ]:
        found = match_words(printed.split(), written.split())
        assert [(place.start, place.stop) for place in found] == places


NAMED = "words that the training data does not have"


def test_a_line_is_doubtful_for_a_reason():
    for text, expected in (
        ("The cat.", []),
        ("Die Katze.", [("language", GERMAN)]),
        ("The katze.", [("language", GERMAN)]),
        ("The quick katze.", [("words", f"{NAMED}: katze")]),
        ("Собака спит.", [("language", "is this English?")]),
        ("the big badger", [("words", f"{NAMED}: big, badger")]),
        ("the a b c d e f a", [("words", f"{NAMED}: a, b, c, d, e and 1 more")]),
    ):
        assert list(assessor().doubts(SourceLine(text, (read(text),)))) == expected, text
    german = read("Die Katze.")
    passed_on = SourceLine("Die Katze.", (german._replace(is_spelt=False),))
    assert assessor().doubts(passed_on) == ()
    assert assessor(source_words=None).doubts(SourceLine("Die Katze.", (german,))) == ()


def test_low_confidence_has_two_levels_and_names_the_word():
    certain = LogisticModel((0.0,) * 14, 3.0)
    rows = [  # of the mean log probability, the words, and the doubt
        (-1.0, certain, None),  # confident enough
        (-6.0, certain, ("confidence", "low confidence (*): check 'Die'")),
        (-6.0, None, ("wrong", "probably wrong (confidence *): check 'Katze'")),  # a word of 0.0001
    ]
    for mean, word, expected in rows:
        judge = assessor(doubtful_below=0.2, **({"word": word} if word else {}))
        hypothesis = Hypothesis("Die Katze.", (3, 4, 5, END), 4 * mean, -0.5)
        worse = hypothesis._replace(text="Ein Tier.")
        [[best, second]] = judge.assess(
            [read("the cat")], [[hypothesis, worse]], 0, with_words=False, with_doubts=True
        )
        assert (best.words, second.doubts) == ((), ())
        doubts = [(kind, re.sub(r"\d\.\d+", "*", text)) for kind, text in best.doubts]
        assert doubts == [expected] * bool(expected), expected


def lacks(names: list[str], text: str) -> list[str]:
    """The doubt about a translation of a line in which masks stood for these names."""
    spans = (Span(0, 0, name, NAME, mask=mask) for name, mask in zip(names, WORD_MASKS))
    named = read("Tom.")._replace(shown=ShownText("Tom.", tuple(spans)))
    line = SourceLine("", (named,))
    return [doubt.text for doubt in assessor().doubts(line, text) if doubt.kind == "names"]


def test_a_line_is_doubtful_for_a_name_that_its_translation_lacks():
    both = ["Keanu", "Anna Bay"]
    for names, text, lost in [
        (both, "Keanus Katze sah Anna Bay", None),
        (both, "KEANU SAH ANNA BAY", None),
        (both, "Anna Bay sah die Katze", "Keanu"),
        (both, "Anna sah die Katze", "Keanu, Anna Bay"),
    ]:
        assert lacks(names, text) == [f"names that the translation lacks: {lost}"] * bool(lost)


def doubts_of(*sentences: ReadSentence) -> list[str]:
    line = SourceLine("", sentences)
    return [doubt.text for doubt in assessor().doubts(line)]


def test_each_sentence_of_a_line_is_judged_by_itself():
    english = read("The quick brown fox jumps over the lazy dog.")
    assert doubts_of(english, read("Die Katze.")) == [GERMAN]
    assert doubts_of(english, read("Die.")) == [f"{NAMED}: Die"]
    assert doubts_of(read("Die."), read("Katze.")) == [GERMAN]  # together
    assert doubts_of(english, read("Badger sees the cat.")) == [f"{NAMED}: Badger, sees"]
    both = doubts_of(read("Die Katze."), read("The cat jumps over the badger."))
    assert both == [GERMAN, f"{NAMED}: badger"]


def test_unseen_words_and_new_names_are_named_as_they_were_given():
    for shown, given, named in [
        ("Nato", "NATO", "NATO"),
        ("Ok the dog.", "ok the dog.", "ok"),
        ("The *badger*, half-badger.", "THE *BADGER*, HALF-BADGER.", "BADGER, HALF-BADGER"),
        ("The badger.", "The <b>badger</b>.", "badger"),
        ("Straße.", "STRASSE.", "STRASSE"),
        ("The badger.", "The {x}.", "badger"),  # nothing like it was given
    ]:
        sentence = read(shown)._replace(part=LinePart(given, ""))
        assert doubts_of(sentence) == [f"{NAMED}: {named}"]
    keanu = ("the", "cat", ("Keanu,", "Keanu", NAME), "the", "dog", ("12", "12", COPIED))
    for words, doubts in [
        ((("Unfriend", "Unfriend", NAME), "the", "cat."), [f"{NAMED}: Unfriend"]),
        ((("Katze Die", "Katze Die", NAME),), [GERMAN]),  # one name of two words
        (keanu, []),
        *((("the", "dog", (span, span, COPIED)), []) for span in ("12,3", "v1.2.3")),
    ]:
        sentence = with_spans(*words)
        assert doubts_of(sentence) == doubts
        carried = with_spans(*words, is_spelt=False, carried=sentence.part.text)
        assert doubts_of(carried) == doubts


def with_spans(*words: str | tuple[str, str, str], **changes) -> ReadSentence:
    """A sentence of words, or of words with a span and its kind, which is shown as another."""
    given, shown, spans = [], [], []
    for mask, word in zip(WORD_MASKS, words):
        whole, span, kind = (word, "", "") if isinstance(word, str) else word
        given.append(whole)
        shown.append(whole.replace(span, mask) if span else whole)
        spans += [Span(0, 0, span, kind, mask=mask)] if span else []
    text = ShownText(" ".join(shown), tuple(spans))
    return read(" ".join(given))._replace(shown=text, **changes)


def test_a_line_has_the_mean_confidence_of_its_words_and_all_of_them():
    one = Hypothesis("a b c", (3,), -1.0, -1.0, confidence=0.9, words=(WordConfidence("a", 0.5),))
    two = Hypothesis("d", (4,), -1.0, -1.0, confidence=0.1, words=(WordConfidence("d", 0.2),))
    one, two = one._replace(support=(0.5,)), two._replace(support=(0.75,))
    one = one._replace(text='<a href="x y">a</a> b c 🎉')  # tags and emoji do not weigh
    copied = Hypothesis("★", (), 0.0, 0.0)
    parts = [LinePart("x", " "), LinePart("y", " "), LinePart("z", "")]
    [joined] = join(parts, [[one], [two], [copied]], 1, spaces=True)
    assert joined.confidence == pytest.approx((3 * 0.9 + 0.1) / 4)
    assert [word.text for word in joined.words] == ["a", "d"]
    assert joined.support == (0.5, 0.75)
    [only] = join(parts[:1], [[copied]], 1, spaces=True)
    assert only.confidence is None
