"""Writes the text of a translation: the stages restore the hidden parts of its sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence

from translator.base.late import late_pattern, np
from translator.text.masking import NO_PREFIX, Prefix
from translator.text.punctuation import MARKS
from translator.text.read_lines import ReadSentence
from translator.text.shown import (
    AS_LETTERS,
    LETTERS,
    NAME,
    QUANTITY,
    TERM,
    Casing,
    ShownWord,
    Span,
)
from translator.text.stages import Stage, Written
from translator.text.word_table import WordTable
from translator.tokenizers.masks import MASKS, name_of_mask, with_masks
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.words import words_of

WITH_LETTERS = late_pattern(f"[^\\W_][{MASKS}]|[{MASKS}](?!s?(?!\\w))")  # but the -s of a genitive
UNIT = r"(\d-[A-ZÄÖÜ]\w+)-"  # a unit, joined with its noun
BEFORE_NOUN = late_pattern(rf"{UNIT} (?=[A-ZÄÖÜ])")
BEFORE_OTHERS = late_pattern(rf"{UNIT}(?![\w<*_]| (?:und|oder|bis)\b)")


class TranslationWriter:
    """Writes translations of sentences. A reader with the same stages has read the sentences.

    Args:
        stages: if there are none, translations stay as the model wrote them, with ``⟨1⟩``.
        lexicon: the lexicon of both languages. It helps to find the places of terms.

    Attributes:
        prefix: the words that every translation begins with, in the form for the model.
    """

    def __init__(
        self,
        tokenizers: Tokenizers,
        stages: Sequence[Stage] = (),
        prefix: Prefix = NO_PREFIX,
        lexicon: WordTable | None = None,
    ) -> None:
        self.tokenizers = tokenizers
        self.stages = stages
        self.prefix_texts = prefix.texts
        self.prefix: Sequence[str] = prefix.shown.split()
        self.lexicon = lexicon or WordTable()

    def lacks_spans(self, sentence: ReadSentence, ids: Sequence[int]) -> bool:
        """Whether a translation lacks or repeats a mask of source or prefix, or has another mask.

        Also True if letters touch a mask (never so in training), or if the translation has no word.
        """
        target = self.tokenizers.target
        masks = {span.mask for span in sentence.shown.spans}
        if sentence.is_first:
            masks.update(self.prefix_texts)
        text = target.decode(ids)
        if any(map(str.isalpha, sentence.shown.text)) and not any(map(str.isalpha, text)):
            return True
        counts = Counter(int(i) for i in ids)
        if any(counts[i] != (mask in masks) for mask, i in target.masks.items()):
            return True
        return bool(masks) and WITH_LETTERS.search(text) is not None

    def has_ended(self, ids: Sequence[int]) -> bool:
        """Whether the last token of a translation is the end token. Otherwise it was cut."""
        return len(ids) > 0 and ids[-1] == self.tokenizers.target.end_id

    def write(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: "np.ndarray | None"
    ) -> str:
        """Writes the translation of a sentence.

        Args:
            alignment: (T, S) how much each token attended to each source token; None
                if the sentence needs no alignment.
        """
        values = {
            ord(LETTERS[span.mask]): _translate(span, sentence) for span in sentence.shown.spans
        }
        if sentence.is_first:
            values |= {ord(LETTERS[mask]): text for mask, text in self.prefix_texts.items()}
        written = self._read_words(sentence, ids, alignment, values)
        for stage in reversed(self.stages):
            written = stage.restore(written, sentence)
        text = " ".join(written.words)
        has_capital = _begins_with_capital(text, sentence)
        text = text.translate(values)
        text = BEFORE_NOUN.sub(r"\1-", text) if "-" in text else text
        text = text[:1].upper() + text[1:] if has_capital else text
        return BEFORE_OTHERS.sub(r"\1", text) if "-" in text else text

    def _read_words(
        self,
        sentence: ReadSentence,
        ids: Sequence[int],
        alignment: "np.ndarray | None",
        values: Mapping[int, str],
    ) -> Written:
        """The words that a model wrote, with letters instead of the masks of its sentence."""
        target = words_of(self.tokenizers.target.pieces(ids))
        source = sentence.words or words_of(self.tokenizers.source.pieces(sentence.ids))
        attention = None
        if sentence.needs_alignment:
            from translator.text.word_alignment import word_alignment

            if alignment is None:
                alignment = np.zeros((len(target.numbers), len(source.numbers)), "float32")
            attention = _for_words(word_alignment(alignment, target, source), sentence.shown.words)
        foreign = {
            ord(mask): "" if self.stages else name_of_mask(mask)
            for mask, letter in LETTERS.items()
            if ord(letter) not in values
        }
        model_words = [with_masks(text) for text in target.texts]
        words = [word.translate(AS_LETTERS | foreign) for word in model_words]
        for t in range(1, len(words)):
            if words[t] != model_words[t] and not words[t].strip(MARKS):  # it was a foreign mask
                words[t - 1], words[t] = words[t - 1] + words[t], ""
        written = Written((), attention, self.has_ended(ids)).with_words(words)
        prefix = [word.translate(AS_LETTERS) for word in self.prefix if sentence.is_first]
        plain_prefix = self.tokenizers.target.plain(" ".join(prefix)).lower().split()
        has_prefix = [word.lower() for word in written.words[: len(prefix)]] == plain_prefix
        if has_prefix:  # as the tokenizer writes it; it stays as the user typed it
            written = written._replace(words=[*prefix, *written.words[len(prefix) :]])
        return written._replace(prefix=len(prefix))


def _begins_with_capital(text: str, sentence: ReadSentence) -> bool:
    """Whether the text needs a capital, because it begins with a term or a quantity."""
    source = next(filter(str.isalpha, sentence.part.text), "")
    letters = (
        LETTERS[span.mask]
        for span in sentence.shown.spans
        if span.kind == TERM or span.kind == QUANTITY and span.translation != span.text
    )
    return sentence.part.begins and source.isupper() and text.startswith(tuple(letters))


def _translate(span: Span, sentence: ReadSentence) -> str:
    is_upper = span.kind in (NAME, TERM) and sentence.shown.casing is Casing.CAPITALS
    return span.translation.upper() if is_upper else span.translation


def _for_words(alignment: "np.ndarray", words: Sequence[ShownWord]) -> "np.ndarray":
    """The attention to the words of a source, which the tokenizer may have split differently.

    Args:
        words: the words of the source. If their number is equal, nothing changes.
    """
    count = alignment.shape[1]
    if count == len(words):
        return alignment
    moved = np.zeros((alignment.shape[0], len(words)), alignment.dtype)
    for i in range(count if words else 0):
        moved[:, i * len(words) // count] += alignment[:, i]
    return moved
