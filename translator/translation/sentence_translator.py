"""Finds or samples translations of sentences that were read, and writes their text."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from translator.base.errors import InputError
from translator.search.engine import Engine, SearchHypothesis, SearchOptions, derive_seed
from translator.search.limits import LengthLimits, check_options, widest_beam
from translator.search.sampling import Sampling, make_samplers
from translator.text.agreement import LOST_SPANS, AgreementJudge, Disagreement
from translator.text.marks import words_without_marks
from translator.text.read_lines import CodecOptions, ReadSentence
from translator.text.repetition import is_loop
from translator.text.writing import TranslationWriter
from translator.tokenizers.subword import Tokenizer
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt, Hypothesis, without_equal_texts
from translator.translation.terms import TermWriter, terms_of, with_terms

if TYPE_CHECKING:
    from translator.config.schema import Config

NGRAM_SIZES = (4, 2, 1)  # n-grams that the next search after a looping translation may not repeat
CUT = "its translation is cut off after {} tokens, the maximum length"
WIDER = 2  # factor of the beam, if too few hypotheses have different texts


class SentenceTranslator:
    """Translates sentences with one set of options.

    Args:
        judge: compares translations with their sentences; None compares nothing.
    """

    def __init__(
        self,
        engine: Engine,
        options: SearchOptions,
        limits: LengthLimits,
        writer: TranslationWriter,
        vocab_size: int,
        judge: AgreementJudge | None = None,
    ) -> None:
        self.engine = engine
        self.options = options
        self.limits = limits
        self.writer = writer
        self.judge = judge
        self.widest_beam = widest_beam(vocab_size)
        self.terms = TermWriter(engine, writer, limits.model)

    def translate(self, sentences: Sequence[ReadSentence]) -> list[list[Hypothesis]]:
        """The best hypotheses of each sentence, no two with the same text.

        If the best hypothesis lacks a mask or disagrees with its sentence, the next good one of
        the same beam comes first. If a translation repeats itself over and over, a search without
        repetitions follows. Samples stay as they were drawn, because a choice would change their
        distribution.
        """
        if self.options.sampling is not None:
            return self._search(sentences, self.options)
        n_best_lists = self._search_distinct(sentences, self.options)
        self._replace_loops(sentences, n_best_lists)
        sentences = self._write_terms(sentences, n_best_lists)
        for hypotheses, sentence in zip(n_best_lists, sentences):
            if hypotheses and self._lacks_spans(sentence, hypotheses):
                doubts = (*hypotheses[0].doubts, Doubt(*LOST_SPANS))
                hypotheses[0] = hypotheses[0]._replace(doubts=doubts)
        return n_best_lists

    def _replace_loops(
        self, sentences: Sequence[ReadSentence], n_best_lists: list[list[Hypothesis]]
    ) -> None:
        """Replaces translations that repeat themselves, unless spans would be lost."""
        looping = list(range(len(sentences)))
        for size in NGRAM_SIZES:
            looping = [
                i
                for i in looping
                if n_best_lists[i] and is_loop(sentences[i].part.text, n_best_lists[i][0].text)
            ]
            options = self.options._replace(no_repeat_ngram=size)
            new_lists = self._search_distinct([sentences[i] for i in looping], options)
            for i, hypotheses in zip(looping, new_lists):
                lacks_spans = self._lacks_spans(sentences[i], hypotheses)
                if not lacks_spans or self._lacks_spans(sentences[i], n_best_lists[i]):
                    n_best_lists[i] = hypotheses

    def _write_terms(
        self, sentences: Sequence[ReadSentence], n_best_lists: list[list[Hypothesis]]
    ) -> list[ReadSentence]:
        """Writes terms of a glossary in place of the model's own words, or else in place of masks.

        If the model is shown the words, it knows their gender, and other words agree with them.

        Returns:
            The sentences in the form that led to the hypotheses that are now the best.
        """
        shown = list(sentences)
        as_words = {i: s.as_words for i, s in enumerate(sentences) if s.as_words is not None}
        new_lists = self._search_distinct(list(as_words.values()), self.options)
        self._replace_loops(list(as_words.values()), new_lists)
        for (i, sentence), hypotheses in zip(as_words.items(), new_lists):
            terms = terms_of(sentences[i])
            with_all_terms = [new for old in hypotheses if (new := with_terms(old, terms))]
            with_all_terms = with_all_terms or self.terms.replace_words(sentence, hypotheses, terms)
            if with_all_terms and not self._compare(sentence, with_all_terms[0].text):
                with_all_terms[0] = with_all_terms[0]._replace(doubts=())
                all_hypotheses = without_equal_texts([*with_all_terms, *n_best_lists[i]])
                n_best_lists[i] = all_hypotheses[: self.options.n_best]
                shown[i] = sentence
        return shown

    def _lacks_spans(self, sentence: ReadSentence, hypotheses: Sequence[Hypothesis]) -> bool:
        return not hypotheses or self.writer.lacks_spans(sentence, hypotheses[0].ids)

    def _search_distinct(
        self, sentences: Sequence[ReadSentence], options: SearchOptions
    ) -> list[list[Hypothesis]]:
        """The best hypotheses of each sentence, no two with the same text.

        Several token sequences can spell one text. Only the best of them is kept. If a
        sentence then has too few hypotheses, a wider beam is searched.
        """
        n_best_lists = self._search(sentences, options)
        wider = min(WIDER * options.beam_size, self.widest_beam)
        short = [i for i, row in enumerate(n_best_lists) if len(row) < options.n_best]
        if not short or wider <= options.beam_size:
            return n_best_lists
        wider_lists = self._search(
            [sentences[i] for i in short], options._replace(beam_size=wider, n_best=wider)
        )
        for i, others in zip(short, wider_lists):
            first, *rest = [*n_best_lists[i], *others]
            rest.sort(key=lambda hypothesis: -hypothesis.score)
            n_best_lists[i] = without_equal_texts([first, *rest])[: options.n_best]
        return n_best_lists

    def _search(
        self, sentences: Sequence[ReadSentence], options: SearchOptions
    ) -> list[list[Hypothesis]]:
        """Searches for all sentences.

        Only the first sentence of a line has the prefix. Attention takes time, so it is returned
        only for sentences that need it.
        """
        n_best_lists: list[list[Hypothesis]] = [[] for _ in sentences]
        groups: dict[SearchOptions, list[int]] = {}
        for i, sentence in enumerate(sentences):
            sentence_options = options._replace(
                prefix_ids=options.prefix_ids if sentence.is_first else (),
                return_alignment=options.return_alignment and sentence.needs_alignment,
            )
            groups.setdefault(sentence_options, []).append(i)
        for number, (group_options, members) in enumerate(groups.items()):
            n_best = group_options.n_best
            if group_options.sampling is None:  # a beam has these already
                group_options = group_options._replace(n_best=group_options.beam_size)
            group_options = group_options._replace(seed=derive_seed(self.options.seed, 0, number))
            ids = [sentences[i].ids for i in members]
            max_lengths = [self.limits.of(len(sentence), group_options) for sentence in ids]
            beams = self.engine.search(ids, max_lengths, group_options)
            for i, beam in zip(members, beams):
                if group_options.sampling is None:
                    n_best_lists[i] = self._choose(sentences[i], beam, n_best)
                else:
                    n_best_lists[i] = [self._write(sentences[i], sample, ()) for sample in beam]
        return n_best_lists

    def _choose(
        self, sentence: ReadSentence, beam: Sequence[SearchHypothesis], n_best: int
    ) -> list[Hypothesis]:
        """The best hypotheses of a beam with different texts. One that agrees comes first.

        Empty texts are left out if there are others. Hypotheses are written until there are enough
        and one agrees.
        """
        written: dict[str, Hypothesis] = {}
        faults: dict[str, tuple[bool, bool]] = {}  # whether it lacks spans, and disagrees
        for candidate in beam:
            hypothesis = self._write(sentence, candidate, beam)
            if hypothesis.text not in written:
                written[hypothesis.text] = hypothesis
                lacks_spans = self._lacks_spans(sentence, [hypothesis])
                faults[hypothesis.text] = lacks_spans, bool(hypothesis.doubts)
            texts = [text for text in written if text]
            if len(texts) >= n_best and (False, False) in map(faults.__getitem__, texts):
                break
        else:
            texts = [text for text in written if text] or list(written)
        if not texts:
            return []
        best = min(texts, key=faults.__getitem__)
        return [written[best], *(written[text] for text in texts if text != best)][:n_best]

    def _write(
        self, sentence: ReadSentence, candidate: SearchHypothesis, beam: Sequence[SearchHypothesis]
    ) -> Hypothesis:
        sentence = self.terms.choose_forms(sentence, candidate.ids)
        text = self.writer.write(sentence, candidate.ids, candidate.alignment)
        problems = [*self._compare(sentence, text)]
        if not self.writer.has_ended(candidate.ids):
            problems.insert(0, Disagreement("length", CUT.format(len(candidate.ids))))
        return Hypothesis(
            text,
            candidate.ids,
            candidate.log_probability,
            candidate.score,
            tuple(sentence.ids),
            support=tuple(_token_support(candidate, beam)),
            doubts=tuple(Doubt(*problem) for problem in problems),
            terms=tuple((term.text, term.translation) for term in terms_of(sentence)),
        )

    def _compare(self, sentence: ReadSentence, text: str) -> tuple[Disagreement, ...]:
        """The differences between a sentence and its translation, without marks and asides."""
        if self.judge is None:
            return ()
        texts = [sentence.part.text, text]
        if sentence.shown.marks:
            texts = [" ".join(words_without_marks(text)) for text in texts]
        return self.judge.compare(*texts)


def _token_support(hypothesis: SearchHypothesis, beam: Sequence[SearchHypothesis]) -> list[float]:
    """For each token of a hypothesis, the share of its beam that also has the token.

    Hypotheses are weighted by their probabilities. For a token's second occurrence, only hypotheses
    that have it twice count. Minimum Bayes risk decoding ranks by the sum: Kumar and Byrne
    (2004), https://aclanthology.org/N04-1022

    Returns:
        (T,) from 0 to 1; empty if the beam has no other hypothesis.
    """
    if len(beam) < 2:
        return []
    highest = max(candidate.log_probability for candidate in beam)
    weights = [math.exp(candidate.log_probability - highest) for candidate in beam]
    counts = [Counter(candidate.ids) for candidate in beam]
    total = sum(weights)
    seen: Counter[int] = Counter()
    support = []
    for token in hypothesis.ids:
        seen[token] += 1
        having = (w for w, count in zip(weights, counts) if count[token] >= seen[token])
        support.append(sum(having) / total)
    return support


def pass_on(sentence: ReadSentence) -> Hypothesis:
    """The hypothesis of a sentence that is not translated."""
    spans = terms_of(sentence) if sentence.carried is not None else ()
    terms = tuple((span.text, span.translation) for span in spans)
    return Hypothesis(sentence.passed_on, (), 0.0, 0.0, terms=terms)


def make_search_options(
    options: TranslationOptions,
    settings: "Config",
    target: Tokenizer,
    prefix: Sequence[str],
) -> tuple[SearchOptions, LengthLimits]:
    """Fills in the defaults of a run and checks the options against its model.

    Args:
        prefix: the words that every translation begins with, in the form for the model.
    """
    decoding = settings.decoding
    penalty, beam_size = options.length_penalty, options.beam_size
    [prefix_ids] = target.encode([" ".join(prefix)])
    search = SearchOptions(
        beam_size=decoding.beam_size if beam_size is None else beam_size,
        n_best=options.n_best,
        length_penalty=decoding.length_penalty if penalty is None else penalty,
        prefix_ids=tuple(prefix_ids[1:-1]),
        return_alignment=True,  # for sentences that need it
        sampling=Sampling(options.temperature, make_samplers(options)) if options.sample else None,
        seed=options.seed,
    )
    max_length = decoding.max_length if options.max_length is None else options.max_length
    limits = LengthLimits(settings.data.max_length - 1, max_length)
    check_options(search, limits, target.size)
    if target.unknown_id in search.prefix_ids:
        _refuse_prefix(options.prefix, target)
    return search, limits


def make_codec_options(options: TranslationOptions) -> CodecOptions:
    """The options for the text before and after the model."""
    return CodecOptions(
        options.raw,
        options.split,
        options.errors,
        (*options.tags, *filter(None, [options.formality])),
        options.prefix,
        options.glossary,
    )


def _refuse_prefix(prefix: str, tokenizer: Tokenizer) -> NoReturn:
    unknown = (c for c in prefix if tokenizer.unknown_id in tokenizer.encode([c])[0])
    raise InputError(
        f"prefix: expected {tokenizer.language} text, found {next(unknown, prefix)!r}, which"
        " the tokenizer has never seen; leave it out"
    )
