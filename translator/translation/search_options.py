"""Turns the options of a translation into those of a search, and of a codec."""

from collections.abc import Sequence
from typing import NoReturn

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.search.engine import SearchOptions
from translator.search.limits import LengthLimits, check_options
from translator.search.samplers import make_samplers
from translator.search.state import Sampling
from translator.text.codec_options import CodecOptions
from translator.text.memo import ShownWord
from translator.tokenizers.subword import Tokenizer
from translator.translation.options import TranslationOptions


def make_search_options(
    options: TranslationOptions,
    config: Config,
    target: Tokenizer,
    prefix: Sequence[ShownWord],
) -> tuple[SearchOptions, LengthLimits]:
    """Fills in the defaults of a run and checks the options against its model.

    Args:
        prefix: the words that every translation begins with, as the model is shown them.

    Returns:
        How to search, and how long translations may be.
    """
    decoding = config.decoding
    penalty, beam_size = options.length_penalty, options.beam_size
    [prefix_ids] = target.encode([" ".join(word.text for word in prefix)])
    search = SearchOptions(
        beam_size=decoding.beam_size if beam_size is None else beam_size,
        n_best=options.n_best,
        length_penalty=decoding.length_penalty if penalty is None else penalty,
        min_length=options.min_length,
        prefix_ids=tuple(prefix_ids[1:-1]),
        return_alignment=True,  # for sentences that need it
        sampling=Sampling(options.temperature, make_samplers(options)) if options.sample else None,
        seed=options.seed,
    )
    most = decoding.max_length if options.max_length is None else options.max_length
    limits = LengthLimits(config.data.max_length - 1, most)
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
        options.tags,
        options.prefix,
        options.glossary,
    )


def _refuse_prefix(prefix: str, tokenizer: Tokenizer) -> NoReturn:
    unknown = (c for c in prefix if tokenizer.unknown_id in tokenizer.encode([c])[0])
    raise InputError(
        f"prefix: expected {tokenizer.language} text, found {next(unknown, prefix)!r}, which"
        " the tokenizer has never seen; leave it out"
    )
