"""Shows sentences to a model in the same way when it trains, validates, translates and scores."""

from collections.abc import Collection
from typing import NamedTuple

from translator.base.errors import InputError
from translator.corpora.tags import split_tags
from translator.text.abbreviations import with_written_abbreviations
from translator.text.characters import with_plain_characters
from translator.text.glossary import Glossary
from translator.text.masking import Masker, Prefix, put_masks
from translator.text.shown import ShownText, Span
from translator.text.stages import Ends, Masks, Stage, shown_by
from translator.text.truecasing import Truecaser


class Preprocessor(NamedTuple):
    """Shows sentences to a model.

    Attributes:
        masker: finds names, quantities and copied parts, and puts masks in their place.
        has_masks: whether the model has masks for them.
        truecaser: of the source language. It writes first words as within sentences; None leaves
            them.
        tags: the names of tags that may begin a source; these tags stay as they are.
    """

    masker: Masker
    has_masks: bool
    truecaser: Truecaser | None = None
    tags: tuple[str, ...] = ()

    @property
    def rewrites(self) -> bool:
        """Whether sentences change more than to plain characters before a model sees them."""
        return self.has_masks or self.truecaser is not None

    def masks(self, prefix: str = "", terms: Collection[tuple[str, str]] = ()) -> Masks:
        """The stage that puts masks into sentences whose translations begin with given words.

        Args:
            terms: of a glossary; see `Glossary`.
        """
        if terms and not self.has_masks:
            raise InputError(
                "glossary: expected a model with placeholders, found one without; leave out the"
                " glossary, or train with tokenizer.masks"
            )
        plain = Prefix(prefix, shown=prefix)
        forced = self.masker.read_prefix(prefix) if self.has_masks else plain
        return Masks(self.masker, forced, Glossary(terms, self.masker.languages))

    def stages(self, masks: Masks | None = None) -> tuple[Stage, ...]:
        """The stages of all sentences. `show_pair` changes training pairs in the same way."""
        masks = masks or Masks(self.masker)
        ends = Ends(self.truecaser, self.masker.languages, bool(masks.prefix.text))
        return (masks, ends) if self.has_masks else (ends,)

    def show_source(self, source: str) -> tuple[str, ShownText]:
        """The tags of a source, and the text after them in the form for the model."""
        tags, text = self.split(plain_source(source, self.masker.languages[0]))
        return tags, shown_by(self.stages(), ShownText(text))

    def show_pair(self, source: str, target: str) -> tuple[str, str]:
        """A training pair with masks for parts that both sides have."""
        source_language, target_language = self.masker.languages
        target = with_plain_characters(target, target_language)
        tags, text = self.split(plain_source(source, source_language))
        hidden_spans = [pair for pair in self.find_common(text, target) if not pair[0].is_shown]
        text, target = put_masks((text, target), hidden_spans)
        return tags + self.truecase(text), target

    def find_common(self, text: str, target: str) -> list[tuple[Span, Span]]:
        """The spans of both sides that masks may replace; none for a model without masks."""
        return self.masker.find_common(text, target) if self.has_masks else []

    def truecase(self, text: str) -> str:
        """A text with masks whose first word is written as within sentences."""
        return Ends(self.truecaser, self.masker.languages).hide(ShownText(text)).text

    def split(self, source: str) -> tuple[str, str]:
        """The tags that a source begins with, and the rest of it."""
        _, text = split_tags(source, self.tags)
        return source[: len(source) - len(text)], text


def plain_source(text: str, language: str) -> str:
    """A sentence to translate in plain characters, its abbreviations written out."""
    return with_written_abbreviations(with_plain_characters(text, language), language)
