"""What is told of the tag, or the target token, that a line begins with or lacks."""

from collections.abc import Collection, Iterator, Mapping

from translator.base.texts import listed
from translator.config.encoding import TAG_NAME
from translator.corpora import first_tag, write_tag
from translator.text.characters import is_blank
from translator.text.read_lines import Notice
from translator.text.spans.tags import BLOCKS, INLINE, VOID
from translator.tokenizers.marian_tokenizer import target_tokens
from translator.tokenizers.subword import Tokenizer


class LineTags:
    """Compares the tags of lines with those of the training pairs.

    Args:
        counts: how many training pairs have each tag, as `RunRecord.tags`; empty if not known.
    """

    def __init__(self, tokenizer: Tokenizer, counts: Mapping[str, int]) -> None:
        self.tokenizer = tokenizer
        self.learnt = [name for name, count in counts.items() if name and count]
        self.always = bool(self.learnt) and not counts.get("", 0)
        self._target_tokens = target_tokens(tokenizer)  # until a line without one was told

    def notices(self, tags: Collection[int], text: str) -> Iterator[Notice]:
        """A notice for a line that begins as no training pair did.

        Args:
            tags: the ids of those that it begins with, or that it was given.
        """
        if is_blank(text):
            return
        if self._target_tokens and not tags:  # is told of the first line alone
            known, self._target_tokens = listed(self._target_tokens), ()
            yield Notice(
                "target",
                f"expected a target token ({known}) at the beginning, found none; the model reads"
                " there which language to write, and --tag gives one to all lines",
            )
        if not self.learnt:
            return
        expected, other = (
            f"expected a tag of the training data ({listed(self.learnt)})",
            first_tag(text),
        )
        names = self.tokenizer.tags
        new = [n for n, i in zip(names, self.tokenizer.ids_of_tags(names)) if i in tags]
        new = [name for name in new if name not in self.learnt]
        if new:
            yield Notice("tag", f"{expected}, found {write_tag(new[0])}, which the model never saw")
        elif other is not None and _is_tag(other, text):
            yield Notice("tag", f"{expected}, found {write_tag(other)}, which is text here")
        elif self.always and not tags:
            yield Notice("tag", f"{expected}, found none; --tag gives one to all lines")


def _is_tag(name: str, text: str) -> bool:
    """Whether the name of what a text begins with can be meant as a tag, and not as markup."""
    is_markup = name.lower() in INLINE | BLOCKS | VOID or f"</{name}>" in text
    return bool(TAG_NAME.fullmatch(name)) and not is_markup
