"""Tags at the beginning of a source line, such as ``<bt>``. They show a model the line's origin.

Caswell et al. (2019), "Tagged Back-Translation", https://arxiv.org/abs/1906.06442
"""

from collections.abc import Collection, Iterable, Iterator

from translator.base.errors import InputError
from translator.base.late import late_pattern
from translator.base.texts import listed

TAG = late_pattern(r"\s*<(\w[\w-]*)>(?:\s+|$)")


def write_tag(name: str) -> str:
    """Writes a tag for the beginning of a line."""
    return f"<{name}>"


def split_tags(line: str, tags: Collection[str]) -> tuple[tuple[str, ...], str]:
    """Takes the tags from the beginning of a line.

    Args:
        line: any text. A tag ends with white space or the line, so ``<b>bold</b>`` has none.
        tags: the names of tags; any other name is text.

    Returns:
        The names, and the rest of the line.
    """
    names: list[str] = []
    end = 0
    while tags and "<" in line and (match := TAG.match(line, end)) and match[1] in tags:
        names.append(match[1])
        end = match.end()
    return tuple(names), line[end:]


def first_tag(line: str) -> str | None:
    """The name of a tag at the beginning of a line, even of an unknown tag; None without a tag."""
    match = TAG.match(line) if "<" in line else None
    return match[1] if match else None


def check_tags(
    pairs: Iterable[tuple[str, str]], tags: Collection[str], origin: str
) -> Iterator[tuple[str, str]]:
    """Passes on pairs and refuses wrong tags; without known tags, it checks nothing."""
    if not tags:
        yield from pairs
        return
    for number, (source, target) in enumerate(pairs, start=1):
        unknown = first_tag(split_tags(source, tags)[1])
        if unknown is not None:
            raise InputError(
                f"{origin}, line {number}: expected a tag of tokenizer.tags"
                f" ({listed(list(tags))}), found {write_tag(unknown)}; correct the tag, or"
                " add its name to this key"
            )
        if written := split_tags(target, tags)[0]:
            raise InputError(
                f"{origin}, line {number}: expected tags only before the source, found"
                f" {write_tag(written[0])} before the target; remove that tag"
            )
        yield source, target
