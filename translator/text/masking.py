"""Puts masks in place of parts that a model cannot spell, in sentences and training pairs."""

import functools
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from translator.base.languages import language_table
from translator.base.late import late_pattern
from translator.text.copied_spans import COUNT, find_copied
from translator.text.glossary import Glossary
from translator.text.names import NameModel, core_of, is_capitalized, name_pattern
from translator.text.punctuation import MARKS, is_plain, plain_word
from translator.text.quantities.quantity import Quantity, write
from translator.text.quantities.reading import QuantityReader
from translator.text.shown import (
    COPIED,
    NAME,
    QUANTITY,
    UNSPELT,
    Intervals,
    ShownText,
    Span,
    replace_spans,
)
from translator.tokenizers.masks import MASKS_OF_A_KIND, NUMBER_MASKS, WORD_MASKS

if TYPE_CHECKING:
    import numpy as np

# Numbers that training text has as words
SIMPLE = frozenset(map(str, (*range(13), *range(15, 100, 5), 100, 1000, 10**6)))
MAY_BE_UNSPELT = late_pattern(r"[^\w\s.,?!'-]")
NO_GLOSSARY = Glossary()
REMEMBERED = 64  # texts, because several stages need the spans of a text
LONGEST_BEFORE = 40  # most characters of a title
INNER_POINT = late_pattern(r"\.(?=\s+[^\W\d_])")  # a point before another word


class Prefix(NamedTuple):
    """A forced beginning of translations, with masks for its addresses and numbers.

    Attributes:
        masks: by the keys of their spans; see `Span`.
        texts: the part of the text that each mask replaces.
    """

    text: str = ""
    masks: Mapping[str, str] = MappingProxyType({})
    texts: Mapping[str, str] = MappingProxyType({})
    shown: str = ""


NO_PREFIX = Prefix()


class Masker:
    """Finds the parts of texts that masks replace, for a pair of languages.

    Args:
        masks_digits: whether the tokenizer shows every digit as 0, so that no digit is shown.
        spells: whether the model has a piece for a character; words with others are masked.
    """

    def __init__(
        self,
        languages: tuple[str, str],
        names: NameModel,
        masks_digits: bool = False,
        spells: Callable[[str], bool] = lambda character: True,
    ) -> None:
        self.languages = languages
        self.names = names
        self.masks_digits = masks_digits
        self._spells = functools.lru_cache(1 << 14)(spells)
        self._readers = tuple(map(QuantityReader, languages))
        self._exact = functools.lru_cache(REMEMBERED)(self._find_exact)
        named = language_table(languages[0], "titles")
        self._titles = set(map(plain_word, named.get("usual", ())))
        self._before_names = self._titles | set(map(plain_word, named.get("academic", ())))
        self._offices = frozenset(named.get("offices", ()))

    def read_prefix(self, text: str) -> Prefix:
        """A forced beginning with its masks. It uses the last masks and leaves texts the first."""
        free = {False: list(WORD_MASKS), True: list(NUMBER_MASKS)}
        masks: dict[str, str] = {}
        masked: list[tuple[Span, str]] = []
        for span in sorted(self._find_all_but_names(text, 1)):
            if span.key not in masks and free[span.is_number]:
                masks[span.key] = free[span.is_number].pop()
                masked.append((span, masks[span.key]))
        texts = {mask: span.text for span, mask in masked}
        return Prefix(text, masks, texts, replace_spans(text, masked))

    def mask(
        self,
        text: str,
        prefix: Prefix = NO_PREFIX,
        apart: Collection[int] = (),
        glossary: Glossary = NO_GLOSSARY,
    ) -> ShownText:
        """Puts masks in place of parts that the model has not learnt to spell.

        Args:
            text: a sentence of the source language. Masks in the sentence itself are masked.
            prefix: from `read_prefix`. Parts of it in the text get the same mask. A name in the
                prefix gets no mask, because the prefix has it in letters.
            apart: places, in characters without spaces, where a name ends because a mark of format
                follows.
            glossary: its terms are masked in any case.
        """
        terms = self.find_terms(text, glossary)
        taken = Intervals(terms)
        others = (span for span in self.find(text, apart) if taken.are_free(span.start, span.end))
        spans = [
            span
            for span in sorted([*terms, *others])
            if span.key in prefix.masks or not (span.is_shown or _is_name_of(prefix, span))
        ]
        prefix_masks = dict(prefix.masks)
        free = {
            kind: [mask for mask in masks[::-1] if mask not in prefix.texts]
            for kind, masks in ((False, WORD_MASKS), (True, NUMBER_MASKS))
        }
        pieces: list[str] = []
        masked: list[Span] = []
        end = unmasked = 0
        for span in spans:
            mask = prefix_masks.pop(span.key, "") or "".join(free[span.is_number][-1:])
            if not mask:
                unmasked += 1
                continue
            if free[span.is_number][-1:] == [mask]:
                free[span.is_number].pop()
            masked.append(span._replace(mask=mask))
            pieces += (text[end : span.start], mask)
            end = span.end
        return ShownText("".join([*pieces, text[end:]]), tuple(masked), unmasked)

    def find_terms(self, text: str, glossary: Glossary) -> list[Span]:
        """The terms of a text, in order, without terms inside copied parts."""
        copied = [span[:2] for span in self._exact(text, 0) if span.kind == COPIED]
        wholes = Intervals(copied)
        return [
            term
            for term in glossary.find(text)
            if term[:2] in copied or not wholes.contain(term.start, term.end)
        ]

    def find_fixed(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each part that keeps capitals, gets no marks and stays whole; sorted."""
        return [
            (span.start, span.end)
            for span in self._exact(text, 0)
            if span.kind != QUANTITY or any(map(str.isdigit, span.text))
        ]

    def find(self, text: str, apart: Collection[int] = ()) -> list[Span]:
        """All spans of a source text, in order, with spans that the model is shown; see `mask`."""
        spans = self._find_all_but_names(text, 0)
        taken = Intervals(spans)
        names = self._find_names(text, apart)
        return sorted([*spans, *(name for name in names if taken.are_free(name.start, name.end))])

    def _find_exact(self, text: str, side: int) -> tuple[Span, ...]:
        """Parts that are copied as they are, and quantities, in order."""
        quantities = self._readers[side].find(text)
        whole = Intervals(
            (quantity.start, quantity.end)
            for quantity in quantities
            if quantity.kind != "code" or " " in quantity.text
        )
        copied = [  # no part of a quantity, such as 31.12.2026 or an IBAN in groups
            (start, end) for start, end in find_copied(text) if not whole.contain(start, end)
        ]
        taken = Intervals(copied)
        spans = [_copied_span(COPIED, text, *extent) for extent in copied]
        spans += (
            self._quantity_span(quantity, side)
            for quantity in quantities
            if taken.are_free(quantity.start, quantity.end)
        )
        return tuple(sorted(spans))

    def _find_all_but_names(self, text: str, side: int) -> Sequence[Span]:
        """Copied parts, quantities, and words with characters that have no piece."""
        spans = self._exact(text, side)
        if text.isascii() and (is_plain(text) or MAY_BE_UNSPELT.search(text) is None):
            return spans
        words = list(self._find_unspelt(text, Intervals(spans)))
        taken = Intervals(words)
        return [*(span for span in spans if taken.are_free(span.start, span.end)), *words]

    def _find_unspelt(self, text: str, spans: Intervals) -> Iterator[Span]:
        """Words with a character that the model has no piece for, without marks around them.

        A word does not count if all these characters are in other spans, as in "£5". If only a part
        of the word is such a span, as in "⟨5⟩", the whole word is one span.
        """
        for match in re.finditer(r"\S+", text):
            word = match.group()
            inner = word.strip(MARKS) or word
            start = match.start() + word.index(inner)
            end = start + len(inner)
            places = [start + i for i, c in enumerate(inner) if not self._spells(c)]
            if all(not spans.are_free(i, i + 1) for i in places):
                continue
            if not any(spans.contain(place - 1, place + 1) for place in (start, end)):
                yield _copied_span(UNSPELT, text, start, end)

    def _quantity_span(self, quantity: Quantity, side: int) -> Span:
        """A quantity as a span, with its form in the other language."""
        target = self.languages[1 - side]
        return Span(
            quantity.start,
            quantity.end,
            quantity.text,
            QUANTITY,
            quantity.key,
            is_number=True,
            is_shown=self._is_shown(quantity),
            translation=write(quantity, target),
        )

    def _is_shown(self, quantity: Quantity) -> bool:
        """Whether the model translates a quantity itself: a simple quantity in words, or 1."""
        if not quantity.in_words:
            return quantity.text == "1" and not self.masks_digits
        kind, value, *_ = quantity.key.split(" ")
        if kind == "time":
            return value.endswith(":00")
        return kind in ("number", "amount") and value in SIMPLE

    def _find_names(self, text: str, apart: Collection[int]) -> Iterator[Span]:
        """Words with a capital. New words in a row are one span; known words are shown.

        A point inside a sentence, as in "J. Doe", belongs to its word.
        """
        open_span: tuple[int, int] | None = None
        for place, match in enumerate(re.finditer(r"\S+", text)):
            if match.group().islower() and open_span is None:  # most words are
                continue
            core = core_of(match.group())
            start = match.start() + match.group().find(core)
            has_point = INNER_POINT.match(text, start + len(core)) is not None
            is_initial = has_point and len(core) == 1 and core.isupper()
            is_new = is_initial or bool(core) and self.names.is_new_name(match.group())
            is_new &= plain_word(core) not in self._titles
            is_new |= is_capitalized(core) and self._is_titled(core, text, start)
            core += "." * (is_new and has_point)
            if open_span is not None:
                follows = is_new and text[open_span[1] : start].isspace()
                if follows and match.start() - place not in apart:
                    open_span = open_span[0], start + len(core)
                    continue
                yield _copied_span(NAME, text, *open_span)
            open_span = (start, start + len(core)) if is_new else None
            if not is_new and is_capitalized(core):
                name = _copied_span(NAME, text, start, start + len(core))
                yield name._replace(is_shown=True)
        if open_span is not None:
            yield _copied_span(NAME, text, *open_span)

    def _is_titled(self, core: str, text: str, start: int) -> bool:
        """Whether a word with a capital is a name after a title, as Young is after "Mr."."""
        before = text[max(start - LONGEST_BEFORE, 0) : start].split()
        return (
            bool(before)
            and plain_word(before[-1]) in self._before_names
            and plain_word(core) not in self._offices
        )

    # Pairs ------------------------------------------------------------------------------------

    def find_common(self, source: str, target: str) -> list[tuple[Span, Span]]:
        """The spans that both sides have the same number of times, in the order of the source."""
        source_spans = self.find(source)
        if not source_spans:
            return []
        by_key: dict[str, list[Span]] = defaultdict(list)
        for span in self._find_all_but_names(target, 1):
            by_key[span.key].append(span)
        taken = Intervals(itertools.chain.from_iterable(by_key.values()))
        for name in dict.fromkeys(span.text for span in source_spans if span.kind == NAME):
            for match in name_pattern(self.names.translation(name)).finditer(target):
                if taken.are_free(*match.span()):
                    taken.add([match.span()])
                    key = f"{NAME} {name}"
                    by_key[key].append(Span(*match.span(), match.group(), NAME, key))
        counts = Counter(span.key for span in source_spans)
        partners = {
            key: iter(sorted(spans)) for key, spans in by_key.items() if len(spans) == counts[key]
        }
        return [(span, next(partners[span.key])) for span in source_spans if span.key in partners]


def _is_name_of(prefix: Prefix, span: Span) -> bool:
    """Whether a span is a name in the forced beginning."""
    return span.kind == NAME and name_pattern(span.text).search(prefix.text) is not None


def _copied_span(kind: str, text: str, start: int, end: int) -> Span:
    """A span that both languages write alike; a placeholder for a number has a number's mask."""
    original = text[start:end]
    is_number = kind == COPIED and re.fullmatch(COUNT, original) is not None
    return Span(start, end, original, kind, f"{kind} {original}", is_number, translation=original)


def put_masks(
    pair: tuple[str, str],
    span_pairs: Sequence[tuple[Span, Span]],
    generator: "np.random.Generator | None" = None,
) -> tuple[str, str]:
    """A pair of texts with the same mask for both spans of each pair of spans.

    Args:
        span_pairs: spans of both texts. When the masks run out, the remaining spans stay.
        generator: draws the order of the masks; without it, they are used in order.
    """
    order = range(MASKS_OF_A_KIND)
    masks = {
        kind: iter([characters[i] for i in (generator.permutation(order) if generator else order)])
        for kind, characters in ((False, WORD_MASKS), (True, NUMBER_MASKS))
    }
    sides: tuple[list[tuple[Span, str]], ...] = ([], [])
    for spans in span_pairs:
        mask = next(masks[spans[0].is_number], None)
        for side, span in zip(sides, spans if mask else ()):
            side.append((span, mask or ""))
    source, target = (replace_spans(text, side) for text, side in zip(pair, sides))
    return source, target
