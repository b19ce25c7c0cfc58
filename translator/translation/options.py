"""The options of a translation, checked when they are made."""

import dataclasses
import numbers
from collections.abc import Sequence

from translator.base.errors import InputError
from translator.base.texts import find_lone_surrogate, listed, quoted
from translator.search.sampling import SAMPLERS
from translator.text.formality import FORMS, has_formality

MAX_SEED = 2**31 - 1
ERRORS = ("strict", "replace")
_WHOLE_NUMBERS = ("beam_size", "n_best", "max_length", "top_k", "seed")
_NUMBERS = ("length_penalty", "temperature", "top_p")
_SWITCHES = ("raw", "split", "per_sentence", "word_confidence", "sample")
_SAMPLING_OPTIONS = ("temperature", *SAMPLERS, "seed")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TranslationOptions:
    """How to translate. Values that depend on the model are checked by `Translator.translate`.

    Attributes:
        beam_size: K, 1 for greedy search; the run's ``decoding.beam_size`` if None.
        length_penalty: hypotheses rank by log probability / length^length_penalty; the run's
            ``decoding.length_penalty`` if None.
        n_best: how many hypotheses to return, at most K; no two have the same text. With
            ``sample`` the number of samples, which may have equal texts.
        max_length: the most tokens of a sentence's translation, end included; longer ones
            are cut. If None, the run's ``decoding.max_length``; without that, twice the source
            tokens plus ten, within the model's limit.
        prefix: text that every translation begins with.
        raw: whether to leave numbers and capitals in the form of the tokenizer, and to show the
            model capitals, addresses, placeholders, tags and the like as the user typed them.
        split: whether to translate each sentence of a line separately. A line that is too long for
            the model is always cut.
        tags: names of tags of the run, such as ``bt``, that are added to lines without tags.
        formality: ``formal`` or ``informal``, for a model with these tags; if None, the model
            chooses the form of address of each sentence.
        glossary: terms and their translations. ``|`` divides the forms of a translation. A term
            without a translation stays as it is.
        per_sentence: whether to return a translation for each sentence instead of each line.
        word_confidence: whether to return the confidence of each word. This takes another pass
            of the model over every hypothesis.
        sample: whether to draw each next token from the model's distribution instead of
            searching. Samples are independent, in the order in which they were drawn. With the
            same engine, the same call draws the same samples again.
        temperature: with ``sample``, the divisor of the logits. Below 1, probable tokens become
            more probable.
        top_k: with ``sample``, how many of the most probable tokens to draw from; all if None.
        top_p: with ``sample``, draw from the fewest most probable tokens that have this share of
            the probability together; from all if None.
        seed: with ``sample``, the seed of the random numbers.
        errors: ``replace`` leaves text that cannot be translated as it is, ``strict`` raises an
            error.

    Raises:
        InputError: a value has the wrong type, the prefix is not Unicode text, or options of
            searching and of sampling are mixed.
    """

    beam_size: int | None = None
    length_penalty: float | None = None
    n_best: int = 1
    max_length: int | None = None
    prefix: str = ""
    raw: bool = False
    split: bool = True
    tags: tuple[str, ...] = ()
    formality: str | None = None
    glossary: tuple[tuple[str, str], ...] = ()
    per_sentence: bool = False
    word_confidence: bool = False
    sample: bool = False
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 1
    errors: str = "replace"

    def __post_init__(self) -> None:
        self._check(_WHOLE_NUMBERS, numbers.Integral, "a whole number")
        self._check(_NUMBERS, numbers.Real, "a number")
        self._check(_SWITCHES, bool, "True or False")
        self._check(("prefix",), str, "a string")
        self._check(("tags",), tuple, "a tuple of names")
        self._check(("glossary",), tuple, "a tuple of pairs")
        for term in self.glossary:
            if not isinstance(term, tuple) or list(map(type, term)) != [str, str]:
                raise InputError(
                    f"glossary: expected pairs of term and translation, found {quoted(term)}; for"
                    ' example glossary=(("office", "Büro"),)'
                )
        if (surrogate := find_lone_surrogate(self.prefix)) is not None:
            raise InputError(
                f"prefix: expected Unicode text, found a lone surrogate, {surrogate!a};"
                " leave it out"
            )
        if self.glossary and self.raw:
            raise InputError("glossary: expected a glossary or --raw, found both; remove one")
        for name, allowed in (("errors", ERRORS), ("formality", (*FORMS, None))):
            if (value := getattr(self, name)) not in allowed:
                expected = " or ".join(filter(None, allowed))
                raise InputError(f"{name}: expected {expected}, found {quoted(value)}")
        self._check_sampling()

    def _check_sampling(self) -> None:
        if self.sample and self.beam_size is not None:
            raise InputError(
                f"beam size: expected none with sampling, found {quoted(self.beam_size)};"
                " leave it out, and set n-best to the number of samples"
            )
        if not 0 <= self.seed <= MAX_SEED:
            raise InputError(f"seed: expected 0 to {MAX_SEED}, found {quoted(self.seed)}")
        for name in () if self.sample else _SAMPLING_OPTIONS:
            value, default = getattr(self, name), getattr(type(self), name)
            if value != default:
                raise InputError(f"{_label(name)}: expected sampling, found a search; add --sample")

    def _check(self, names: tuple[str, ...], kind: type, expected: str) -> None:
        for name in names:
            value, default = getattr(self, name), getattr(type(self), name)
            is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
            if not is_right and not (value is None and default is None):
                raise InputError(f"{_label(name)}: expected {expected}, found {quoted(value)}")


def _label(name: str) -> str:
    """The name of an option in errors."""
    return name.replace("_", "-" if name in ("n_best", *SAMPLERS) else " ")


def checked_options(
    options: TranslationOptions | None, tags: Sequence[str] | None = None
) -> TranslationOptions:
    """The options, or the default ones for None, checked against the model's tags."""
    if options is None:
        return TranslationOptions()
    if not isinstance(options, TranslationOptions):
        raise InputError(
            f"options: expected TranslationOptions, found {type(options).__name__}; for"
            " example TranslationOptions(beam_size=4)"
        )
    if options.formality and tags is not None and not has_formality(tags):
        raise InputError(
            f"formality: expected a model with the tags {' and '.join(FORMS)}, found one without;"
            " leave it out"
        )
    for name in options.tags:
        if tags is not None and name not in tags:
            expected = f"one of the run's tags ({listed(tags)})" if tags else "no tag"
            advice = "" if tags else "; this run was trained without tokenizer.tags"
            raise InputError(f"tag: expected {expected}, found {quoted(name)}{advice}")
    return options
