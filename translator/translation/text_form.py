"""Keeps one form of address throughout a text, such as a file or what a request brings."""

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from translator.text.formality import can_be_told, forms_of
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation

if TYPE_CHECKING:
    from translator.translation.translator import Translator


class TextForm:
    """The form that the first translation of a text with an address shows.

    Those that show the other form are translated again, told of this one, so that only they cost
    time. Samples stay as they were drawn, and a model that cannot be told keeps no form.
    """

    def __init__(self, translator: "Translator", options: TranslationOptions) -> None:
        source, target = translator.tokenizers
        is_chosen = options.formality is not None
        self.is_kept = can_be_told(source.tags) and not (is_chosen or options.sample)
        self.translator, self.options = translator, options
        self.languages = source.language, target.language
        self.form: str | None = None

    def keep(self, translations: Sequence[Translation]) -> list[Translation]:
        """The next translations of the text, all of one form where the model writes it."""
        kept = list(translations)
        shown = [self._forms(each) for each in kept] if self.is_kept else []
        self.form = self.form or next((forms[0] for forms in shown if forms), None)
        places = [place for place, forms in enumerate(shown) if {*forms} - {self.form}]
        told = dataclasses.replace(self.options, formality=self.form)
        again = self.translator.translate([kept[place].source for place in places], told)
        for place, translation in zip(places, again):
            if not {*self._forms(translation)} - {self.form}:
                kept[place] = translation
        return kept

    def _forms(self, translation: Translation) -> list[str]:
        source, target = self.languages
        return forms_of(translation.text, target, translation.source, source)
