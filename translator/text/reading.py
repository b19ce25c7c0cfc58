"""From a line of text to what the model takes: its sentences, or parts of them, as ids."""

from collections.abc import Callable
from typing import NamedTuple

from translator.base.errors import InputError
from translator.text.fitting import Fit, check_fit
from translator.text.sentences import Part, cut_to_fit, sentences_of
from translator.tokenizers.subword import Tokenizer


class EncodedPart(NamedTuple):
    """A part of a line, to be translated by itself.

    Attributes:
        part: it.
        ids: start and end included.
        is_spelt: whether they spell anything; else there is nothing to translate.
        is_first: whether it is the first of its line that does.
    """

    part: Part
    ids: list[int]
    is_spelt: bool
    is_first: bool = False


class LineReader:
    """Takes lines apart.

    Args:
        tokenizer: of the source language.
        longest: the most tokens that the model takes, start and end included.
        shown: makes of a text what the model is shown of it.
    """

    def __init__(
        self, tokenizer: Tokenizer, longest: int, shown: Callable[[str], str] = str
    ) -> None:
        self.tokenizer = tokenizer
        self.longest = longest
        self.shown = shown

    def encode(self, text: str) -> list[int]:
        """The ids of a text, start and end included, whatever their number.

        Raises:
            InputError: it is no Unicode text.
        """
        return self.tokenizer.encode([self.shown(text)])[0]

    def read(
        self,
        line: str,
        name: str,
        split: bool,
        report: Callable[[str], None],
        errors: str = "strict",
    ) -> list[EncodedPart]:
        """The parts of a line that are translated one by one, encoded.

        Args:
            line: any text.
            name: names it in errors.
            split: whether it is taken apart; else it is one sentence.
            report: is told where a sentence is cut, or a line passed on.
            errors: ``replace`` passes on a line of unknown characters.

        Returns:
            Nothing for an empty line.

        Raises:
            InputError: it is no Unicode text, consists of unknown characters
                only, or is not split and longer than the model takes.
        """
        [whole] = self._encode([line], name)
        if split:
            parts = sentences_of(line, self.tokenizer.language)
            encoded = [
                part
                for sentence, ids in zip(parts, self._encode([part.text for part in parts], name))
                for part in self._fit(sentence, ids, name, report)
            ]
        elif check_fit(whole, self.longest) is Fit.TOO_LONG:
            raise InputError(
                f"{name}: expected at most {self.longest} tokens, start and end included, found"
                f" {len(whole)}; split it"
            )
        else:
            encoded = [self._part(Part(line, ""), whole)]
        first = next((part for part in encoded if part.is_spelt), None)
        if check_fit(whole, self.longest) is not Fit.EMPTY and first is None:
            found = "only characters that the tokenizer has never seen"
            if errors == "strict":
                raise InputError(
                    f"{name}: expected {self.tokenizer.language} text, found {found}; take it out,"
                    " or translate with --errors replace, which passes it on"
                )
            report(f"{name}: {found}, passed on as they are")
        return [
            part._replace(is_first=part is first)
            for part in encoded
            if check_fit(part.ids, self.longest) is not Fit.EMPTY
        ]

    def _fit(
        self, sentence: Part, ids: list[int], name: str, report: Callable[[str], None]
    ) -> list[EncodedPart]:
        """The sentence, or what it is cut into where it is too long."""
        if check_fit(ids, self.longest) is not Fit.TOO_LONG:
            return [self._part(sentence, ids)]
        parts = cut_to_fit(
            sentence, lambda text: check_fit(self.encode(text), self.longest) is not Fit.TOO_LONG
        )
        report(
            f"{name}: a sentence of {len(ids)} tokens is cut into {len(parts)}, the model takes"
            f" {self.longest}"
        )
        return list(map(self._part, parts, self._encode([part.text for part in parts], name)))

    def _part(self, part: Part, ids: list[int]) -> EncodedPart:
        if self.shown(part.text) == part.text:
            return EncodedPart(part, ids, self.tokenizer.spells(ids))
        return EncodedPart(part, ids, self.tokenizer.spells(self.tokenizer.encode([part.text])[0]))

    def _encode(self, texts: list[str], name: str) -> list[list[int]]:
        try:
            return [self.encode(text) for text in texts]
        except InputError:
            raise InputError(f"{name}: expected UTF-8, found other bytes") from None
