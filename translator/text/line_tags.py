"""The tags that a line begins with, and the notices about them."""

from collections.abc import Collection, Iterator, Mapping

from translator.base.texts import listed
from translator.corpora.tags import first_tag, write_tag
from translator.text.characters import is_blank
from translator.text.read_lines import Notice
from translator.text.tags import KNOWN
from translator.tokenizers.marian_tokenizer import target_tokens
from translator.tokenizers.special_tokens import is_tag
from translator.tokenizers.subword import Tokenizer


class LineTags:
    """Compares the tags, or the target token, of lines with the tags of the training pairs.

    Args:
        counts: how many training pairs have each tag, as `RunRecord.tags`; empty if not known.
    """

    def __init__(self, tokenizer: Tokenizer, counts: Mapping[str, int]) -> None:
        self.tokenizer = tokenizer
        self.learnt_tags = [name for name, count in counts.items() if name and count]
        self.is_always_tagged = bool(self.learnt_tags) and not counts.get("", 0)
        self._target_tokens = target_tokens(tokenizer)  # empty after the first report

    def notices(self, tags: Collection[int], text: str) -> Iterator[Notice]:
        """A notice for a line whose beginning differs from all training pairs.

        Args:
            tags: the ids of the tags that it begins with or was given.
        """
        if self._target_tokens and not (tags or is_blank(text)):  # only the first line is reported
            known, self._target_tokens = listed(self._target_tokens), ()
            yield Notice(
                "target",
                f"expected a target token ({known}) at the beginning, found none; it chooses the"
                " language that the model writes, and --tag adds it to each line",
            )
        if not self.learnt_tags or is_blank(text):
            return
        first = first_tag(text) or ""
        tag = write_tag(first)
        ids = self.tokenizer.ids_of_tags(self.tokenizer.tags)
        names = [name for name, i in zip(self.tokenizer.tags, ids) if i in tags]
        if new := [name for name in names if name not in self.learnt_tags]:
            problem = f"{write_tag(new[0])}, which the model never saw"
        elif first and is_tag(tag) and first.lower() not in KNOWN and f"</{first}>" not in text:
            problem = f"{tag}, which the model reads as text"
        elif self.is_always_tagged and not tags:
            problem = "none; --tag adds one to each line"
        else:
            return
        expected = f"expected a tag of the training data ({listed(self.learnt_tags)})"
        yield Notice("tag", f"{expected}, found {problem}")
