"""Which codec a run has: that of masks if its tokenizers have them, else that of stand-ins."""

from typing import Any

from translator.corpora import SentencePairs
from translator.text import mask_codec, stand_in_codec
from translator.text.codec import Codec, Parts
from translator.tokenizers.subword import Tokenizers


def open_codec(parts: Parts) -> Codec:
    """The codec of a run.

    Args:
        parts: the run's.

    Raises:
        ValueError: what the run knows of names is damaged; so do KeyError, TypeError and
            AttributeError.
    """
    if parts.tokenizers.target.masks:
        return mask_codec.MaskCodec(parts)
    return stand_in_codec.StandInCodec(parts)


def learn_names(train: SentencePairs, tokenizers: Tokenizers) -> dict[str, Any]:
    """What the codec of a new run needs to know of names, as JSON.

    Args:
        train: the training split without tags.
        tokenizers: of both sides.
    """
    if tokenizers.target.masks:
        return mask_codec.learn_names(train, tokenizers)
    return stand_in_codec.learn_names(train, tokenizers.source.language)
