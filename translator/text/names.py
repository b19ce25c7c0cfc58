"""Names that training never saw: shown to the model as one that it has often seen.

A model spells an unseen name piece by piece and seldom gets to its end. What it
is shown instead it translates surely; the name itself stands in the source.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translator.text.numbers import MARKS, match
from translator.text.truecasing import is_word
from translator.tokenizers.special_tokens import UNKNOWN

USUAL_FROM = 100  # sentence pairs that a usual name stands in
NAME_WORDS = 5  # of one name at most
APOSTROPHE = re.compile(r"(?<=[^\W\d_])[´`](?=[^\W\d_])")  # accents that stand for it
CLITIC = re.compile(r"['’](s|ll|d|ve|re)?$")


class KnownNames(NamedTuple):
    """What a run knows of names.

    Attributes:
        words: all words of the training side, as `plain` writes them.
        usual: the name that it has most often, the same in both languages; None
            where it has none often.
    """

    words: frozenset[str]
    usual: str | None

    @classmethod
    def learn(cls, sources: Sequence[str], targets: Sequence[str]) -> "KnownNames":
        """Reads the training side."""
        words: set[str] = set()
        counts: Counter[str] = Counter()
        for source, target in zip(sources, targets):
            given = source.split()
            words.update(given)
            inside = {word.strip(MARKS) for word in given[1:] if word[:1].isupper()}
            if inside:
                counts.update(inside & {word.strip(MARKS) for word in target.split()})
        usual = next((n for n, count in counts.most_common(1) if count >= USUAL_FROM), None)
        return cls(frozenset(map(plain, words)) - {""}, usual)

    def lack(self, word: str) -> bool:
        """Whether a word, without marks around it, is a name that training never saw.

        Such as "Berlin-based" is none.
        """
        if not word[:1].isupper() or any(map(str.isdigit, word)) or re.search(r"-[a-z]", word):
            return False
        return bool(self.words) and plain(word) not in self.words


class ShownWord(NamedTuple):
    """A word as the model is shown it.

    Attributes:
        text: it.
        given: what stands there in the sentence; the words of a name are one.
        name: the new name in it.
    """

    text: str
    given: str
    name: str | None


def show_names(sentence: str, known: KnownNames) -> list[ShownWord]:
    """The words of a sentence, new names in the guise of the usual one.

    Args:
        sentence: any text.
        known: with a usual name.
    """
    sentence = APOSTROPHE.sub("'", sentence)
    words: list[ShownWord] = []
    is_open = False  # whether a name may go on
    for given in sentence.split():
        before, core, after = take_apart(given)
        name = CLITIC.sub("", core)
        if not known.lack(name):
            words.append(ShownWord(given, given, None))
            is_open = False
            continue
        after = core[len(name) :] + after
        if is_open and not before and words[-1].given.count(" ") + 1 < NAME_WORDS:
            last = words.pop()
            name, given = f"{last.name} {name}", f"{last.given} {given}"
            before = take_apart(last.text)[0]
        words.append(ShownWord(before + known.usual + after, given, name))
        is_open = not after
    return words


def show_prefix(prefix: str, sentences: Iterable[str], known: KnownNames) -> list[ShownWord]:
    """The words of a forced beginning, in the guise of the usual one where a sentence has them so.

    It is of the target language, so that words unknown to the source's are no names.
    """
    shown = (word.name or "" for sentence in sentences for word in show_names(sentence, known))
    names = {part for name in shown for part in name.split()}
    others = {plain(word) for word in prefix.split() if _stem(word) not in names}
    return show_names(prefix, known._replace(words=known.words | others))


def is_disguised(shown: Sequence[ShownWord], seen: Sequence[str], usual: str) -> bool:
    """Whether these are the words that the model saw, new names in their guise."""
    if len(shown) != len(seen):
        return False
    pairs = zip(shown, seen)
    return all(usual.lower() in text.lower() for word, text in pairs if word.name)


def restore_names(
    words: list[str], shown: Sequence[ShownWord], alignment: np.ndarray, usual: str
) -> list[str]:
    """Puts names back where the usual one stands for them.

    Args:
        words: of the translation.
        shown: of the source.
        alignment: (words, shown) how much each looked at each.
        usual: the usual name.
    """
    cores = [take_apart(word) for word in words]
    inflected = re.compile(re.escape(usual) + r"(s|['’]s?|-.*)?", re.IGNORECASE)
    wanted = [t for t, (_, core, _) in enumerate(cores) if inflected.fullmatch(core)]
    given = [s for s, word in enumerate(shown) if word.name or _stem(word.given) == usual]
    chosen = match([[float(alignment[t, s]) for s in given] for t in wanted])
    restored = list(words)
    for i, j in chosen.items():
        before, core, after = cores[wanted[i]]
        name = shown[given[j]].name
        if name is not None:
            ending = core[len(usual) :]
            if ending == "s" and name[-1] in "sßxz":
                ending = "'"
            restored[wanted[i]] = before + name + ending + after
    return restored


def _stem(word: str) -> str:
    return CLITIC.sub("", take_apart(word)[1])


def copy_unknown(
    words: list[str], originals: Sequence[str], new: Sequence[bool], alignment: np.ndarray
) -> list[str]:
    """Takes from the source what could not be spelt, and what looks at a new name.

    Args:
        words: of the translation; pieces of a name that stand side by side are one.
        originals: the words of the source.
        new: whether each of them is a new name, or could not be spelt.
        alignment: (words, originals) how much each looked at each.
    """
    restored = list(words)
    name, begin = -1, -1  # of the source, and where it was put, while its pieces go on
    for t, word in enumerate(words):
        unknown = UNKNOWN in word
        s = int(alignment[t].argmax()) if alignment.shape[1] else -1
        if s < 0 or not (unknown or new[s] and _has_letters_only(word)):
            name = -1
            continue
        before, _, after = take_apart(word)
        if s == name and not unknown:
            restored[t] = ""
            restored[begin] += after
        else:
            restored[t] = before + originals[s].strip(MARKS) + after
            name, begin = s, t
    return restored


def _has_letters_only(word: str) -> bool:
    return is_word(word) and not any(map(str.isdigit, word))


def take_apart(word: str) -> tuple[str, str, str]:
    """The marks before a word, the word, and those after it."""
    core = word.strip(MARKS)
    if not core:
        return word, "", ""
    before, _, after = word.partition(core)
    return before, core, after


def plain(word: str) -> str:
    """A word without capitals and the marks around it."""
    return word.lower().replace("’", "'").strip(MARKS)
