"""Searches for translations of sentences that were read, or draws them, and writes their text."""

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

NGRAM_SIZES = (4, 2, 1)  # that may not be repeated in a search for a looping translation
CUT = "its translation is cut off at {} tokens, the most it may have"
WIDER = 2  # times the beam, if hypotheses of equal text leave too few


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

        Where the best one lacks a mask, or does not agree with its sentence, the next of the same
        beam that does comes first. Where it repeats itself over and over, the search is done again
        without repetitions. Samples stay as they were drawn: whatever chooses among them would
        change their distribution.
        """
        if self.options.sampling is not None:
            return self._search(sentences, self.options)
        found = self._search_distinct(sentences, self.options)
        self._leave_loops(sentences, found)
        sentences = self._write_terms(sentences, found)
        for i, (sentence, hypotheses) in enumerate(zip(sentences, found)):
            if hypotheses and self._lacks_spans(sentence, hypotheses):
                best, *others = hypotheses
                found[i] = [best._replace(doubts=(*best.doubts, Doubt(*LOST_SPANS))), *others]
        return found

    def _leave_loops(
        self, sentences: Sequence[ReadSentence], found: list[list[Hypothesis]]
    ) -> None:
        """Replaces translations that repeat themselves, but where spans would be lost."""
        members = list(range(len(sentences)))
        for size in NGRAM_SIZES:
            members = [
                i for i in members if found[i] and is_loop(sentences[i].part.text, found[i][0].text)
            ]
            options = self.options._replace(no_repeat_ngram=size)
            again = self._search_distinct([sentences[i] for i in members], options)
            for i, hypotheses in zip(members, again):
                if not self._loses_spans(sentences[i], hypotheses, found[i]):
                    found[i] = hypotheses

    def _write_terms(
        self, sentences: Sequence[ReadSentence], found: list[list[Hypothesis]]
    ) -> list[ReadSentence]:
        """Writes terms of a glossary in place of the model's own words, or else of their masks.

        Where the model is shown the words, it knows their gender and writes what agrees with them.

        Returns:
            The sentences as they were shown to the model for what was found.
        """
        read = list(sentences)
        shown = {i: each.as_words for i, each in enumerate(sentences) if each.as_words is not None}
        again = self._search_distinct(list(shown.values()), self.options)
        self._leave_loops(list(shown.values()), again)
        for i, hypotheses in zip(shown, again):
            terms = terms_of(sentences[i])
            has_them = [new for old in hypotheses if (new := with_terms(old, terms))]
            kept = has_them or self.terms.replace_words(shown[i], hypotheses, terms)
            if kept and not self._compare(shown[i], kept[0].text):
                best = kept[0]._replace(doubts=())
                all_of_them = without_equal_texts([best, *kept[1:], *found[i]])
                found[i], read[i] = all_of_them[: self.options.n_best], shown[i]
        return read

    def _loses_spans(
        self, sentence: ReadSentence, new: Sequence[Hypothesis], old: Sequence[Hypothesis]
    ) -> bool:
        """Whether new hypotheses lack the mask of a span that the old ones have."""
        return self._lacks_spans(sentence, new) and not self._lacks_spans(sentence, old)

    def _lacks_spans(self, sentence: ReadSentence, hypotheses: Sequence[Hypothesis]) -> bool:
        return not hypotheses or self.writer.lacks_spans(sentence, hypotheses[0].ids)

    def _search_distinct(
        self, sentences: Sequence[ReadSentence], options: SearchOptions
    ) -> list[list[Hypothesis]]:
        """The best hypotheses of each sentence, no two with the same text.

        Several token sequences can spell one text; the best of them stands for all. A
        sentence that has too few hypotheses then is given those of a wider beam.
        """
        found = self._search(sentences, options)
        wider = min(WIDER * options.beam_size, self.widest_beam)
        lacking = [i for i, hypotheses in enumerate(found) if len(hypotheses) < options.n_best]
        if not lacking or wider <= options.beam_size:
            return found
        more = self._search(
            [sentences[i] for i in lacking], options._replace(beam_size=wider, n_best=wider)
        )
        for i, others in zip(lacking, more):
            first, *rest = [*found[i], *others]
            rest.sort(key=lambda hypothesis: -hypothesis.score)
            found[i] = without_equal_texts([first, *rest])[: options.n_best]
        return found

    def _search(
        self, sentences: Sequence[ReadSentence], options: SearchOptions
    ) -> list[list[Hypothesis]]:
        """Searches for all sentences.

        Only the first of a line is given the prefix, and attention, which takes time, is asked
        for only where something is put back by it.
        """
        found: list[list[Hypothesis]] = [[] for _ in sentences]
        groups: dict[SearchOptions, list[int]] = {}
        for i, sentence in enumerate(sentences):
            needed = options._replace(
                prefix_ids=options.prefix_ids if sentence.is_first else (),
                return_alignment=options.return_alignment and sentence.needs_alignment,
            )
            groups.setdefault(needed, []).append(i)
        for number, (group_options, members) in enumerate(groups.items()):
            wanted = group_options.n_best
            if group_options.sampling is None:  # the beam has these anyway
                group_options = group_options._replace(n_best=group_options.beam_size)
            group_options = group_options._replace(seed=derive_seed(self.options.seed, 0, number))
            ids = [sentences[i].ids for i in members]
            most = [self.limits.of(len(sentence), group_options) for sentence in ids]
            beams = self.engine.search(ids, most, group_options)
            for i, hypotheses in zip(members, beams):
                if group_options.sampling is None:
                    found[i] = self._choose(sentences[i], hypotheses, wanted)
                else:
                    found[i] = [self._write(sentences[i], each, ()) for each in hypotheses]
        return found

    def _choose(
        self, sentence: ReadSentence, beam: Sequence[SearchHypothesis], n_best: int
    ) -> list[Hypothesis]:
        """The best hypotheses of a beam, no two with the same text, led by one that agrees.

        Those without a text are left out where there are others. No more are written than are
        needed: all of them if none agrees.
        """
        written: dict[str, Hypothesis] = {}
        faults: dict[str, tuple[bool, bool]] = {}  # lacks spans, disagrees
        for each in beam:
            hypothesis = self._write(sentence, each, beam)
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
        self, sentence: ReadSentence, found: SearchHypothesis, beam: Sequence[SearchHypothesis]
    ) -> Hypothesis:
        sentence = self.terms.choose_forms(sentence, found.ids)
        text = self.writer.write(sentence, found.ids, found.alignment)
        problems = [*self._compare(sentence, text)]
        if not self.writer.has_ended(found.ids):
            problems.insert(0, Disagreement("length", CUT.format(len(found.ids))))
        return Hypothesis(
            text,
            found.ids,
            found.log_probability,
            found.score,
            tuple(sentence.ids),
            support=tuple(_token_support(found, beam)),
            doubts=tuple(Doubt(*problem) for problem in problems),
            terms=tuple((term.text, term.translation) for term in terms_of(sentence)),
        )

    def _compare(self, sentence: ReadSentence, text: str) -> tuple[Disagreement, ...]:
        """What only one of a sentence and its translation says, without marks and asides."""
        if self.judge is None:
            return ()
        texts = [sentence.part.text, text]
        if sentence.shown.marks:
            texts = [" ".join(words_without_marks(each)) for each in texts]
        return self.judge.compare(*texts)


def _token_support(hypothesis: SearchHypothesis, beam: Sequence[SearchHypothesis]) -> list[float]:
    """For each token of a hypothesis the share of its beam that has it too.

    Hypotheses count as much as they are probable. A token that stands there twice has to stand
    in the others twice. Summed up, it is what minimum Bayes risk decoding ranks by: Kumar and
    Byrne (2004), https://aclanthology.org/N04-1022

    Returns:
        (T,) from 0 to 1; nothing if the beam has no other hypothesis, as it says nothing then.
    """
    if len(beam) < 2:
        return []
    best = max(each.log_probability for each in beam)
    weights = [math.exp(each.log_probability - best) for each in beam]
    counts = [Counter(each.ids) for each in beam]
    seen: Counter[int] = Counter()
    support = []
    for token in hypothesis.ids:
        seen[token] += 1
        times = seen[token]
        support.append(sum(w for w, count in zip(weights, counts) if count[token] >= times))
    total = sum(weights)
    return [each / total for each in support]


def passed_on(sentence: ReadSentence) -> Hypothesis:
    """What is put out for a sentence that is not translated."""
    terms = terms_of(sentence) if sentence.carried is not None else ()
    written = tuple((term.text, term.translation) for term in terms)
    return Hypothesis(sentence.passed_on, (), 0.0, 0.0, terms=written)


def make_search_options(
    options: TranslationOptions,
    settings: "Config",
    target: Tokenizer,
    prefix: Sequence[str],
) -> tuple[SearchOptions, LengthLimits]:
    """Fills in the defaults of a run and checks the options against its model.

    Args:
        prefix: the words that every translation begins with, as the model is shown them.
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
    most = decoding.max_length if options.max_length is None else options.max_length
    limits = LengthLimits(settings.data.max_length - 1, most)
    check_options(search, limits, target.size)
    if target.unknown_id in search.prefix_ids:
        _refuse_prefix(options.prefix, target)
    return search, limits


def make_codec_options(options: TranslationOptions) -> CodecOptions:
    """What the options say of the text before and after the model."""
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
