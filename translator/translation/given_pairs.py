"""Encodes sentences with given translations, such as references."""

from collections.abc import Iterable, Sequence

from translator.base.errors import InputError
from translator.base.texts import list_of_texts
from translator.text.fitting import Fit, check_fit
from translator.text.reading import LineReader
from translator.tokenizers.subword import Tokenizers


def list_pairs(
    sources: str | Iterable[str], targets: str | Iterable[str]
) -> tuple[list[str], list[str]]:
    """Both sides of some pairs as lists.

    Raises:
        InputError: one side is not text, or they are not equally many.
    """
    both = list_of_texts(sources, "sources"), list_of_texts(targets, "targets")
    if len(both[0]) != len(both[1]):
        raise InputError(
            f"expected as many translations as sentences, found {len(both[1])} for {len(both[0])}"
        )
    return both


def encode_pairs(
    tokenizers: Tokenizers,
    max_length: int,
    sources: Sequence[str],
    targets: Sequence[str],
    first_line: int = 1,
) -> tuple[list[list[int]], list[list[int]]]:
    """Encodes pairs for a model.

    Args:
        tokenizers: the model's.
        max_length: the most tokens that it takes, start and end included.
        sources: the sentences.
        targets: a translation of each.
        first_line: the number that errors give the first pair.

    Returns:
        The ids of both sides, start and end included.

    Raises:
        InputError: a sentence or a translation is longer than the model takes.
    """
    reader = LineReader(tokenizers.source, max_length, split=False)
    nothing = [tokenizers.source.start_id, tokenizers.source.end_id]
    source_ids = []
    for number, text in enumerate(sources, first_line):
        sentences = reader.read(text, f"line {number}").sentences
        source_ids.append(sentences[0].ids if sentences else nothing)
    target_ids = tokenizers.target.encode(targets)
    for number, ids in enumerate(target_ids, first_line):
        if check_fit(ids, max_length) is Fit.TOO_LONG:
            raise InputError(
                f"line {number}: expected a translation of at most {max_length} tokens, start and"
                f" end included, found {len(ids)}; split the pair"
            )
    return source_ids, target_ids
