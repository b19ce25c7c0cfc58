"""Names that training hardly saw: the model is shown a frequent name in their place.

A model spells such a name piece by piece and seldom gets it right. A frequent name it
translates reliably, and the new name is taken from the source.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from translator.text.memo import NAME, ShownWord, Span
from translator.text.punctuation import MARKS, plain_word, split_marks
from translator.text.spans.intervals import Intervals
from translator.text.stand_ins.kind import NO_FIT, Place, SpanKind, StandIn
from translator.text.stand_ins.known_names import CLITIC, JOINT, KnownNames, is_title
from translator.text.stand_ins.name_contexts import name_words
from translator.text.stand_ins.titled_names import Titles, without_title
from translator.text.word_forms import word_forms

LONGEST_PREPOSITION = 8  # characters, with the space after it
NAME_WORDS = 5  # the most words of one name
APOSTROPHE = re.compile(r"(?<=[^\W\d_])[´`](?=[^\W\d_])")  # accents used as apostrophes
SAINT = "St."  # a part of the name after it
FOLLOWING = re.compile(r" (\w+)")  # the next word, if there is no mark before it


class NameKind(SpanKind):
    """New names and names with a title, which are shown as usual names of the training data.

    Args:
        known: what the run knows of names; it has a usual one.
        languages: codes of source and target; they decide about titles, and what the words beside
            a name say about it.
        exchanges_usual: whether a usual name of a sentence is shown as the next one, for sentences
            in which the model drops it.
        by_capital: whether nothing but names has a capital inside sentences: a known word with
            one that follows a new name belongs to it, and at the beginning of a sentence the
            capital says nothing.
    """

    name = NAME
    is_tried_again = True

    def __init__(
        self,
        known: KnownNames,
        languages: tuple[str, str],
        exchanges_usual: bool = False,
        by_capital: bool = True,
    ) -> None:
        self.known = known
        self.usual = known.usual_names
        self.by_capital = by_capital and known.contexts is None
        self.words = name_words(languages[0])
        self.exchanges_usual = exchanges_usual
        self.titles = Titles.of_languages(*languages)
        persons = [name for name in self.usual if name not in known.places]
        places = [name for name in self.usual if name in known.places]
        self.in_roles = {"person": (*persons, *places), "place": (*places, *persons)}
        any_name = "|".join(map(re.escape, self.usual))
        self.plain = re.compile(rf"(?<!\w)(?:{any_name})(?=s?(?!\w))")
        self.inflected = re.compile(rf"({any_name})(s|['’]s?|-.*)?", re.IGNORECASE)

    def prepare(self, text: str) -> str:
        """Writes accents between letters as apostrophes, and one space between words."""
        return " ".join(APOSTROPHE.sub("'", text).split())

    def find(self, text: str) -> Iterator[StandIn]:
        """Finds names with a title, new ones, and usual ones if these are exchanged."""
        titled = self.titles.find(text, self.known.is_any_name) if self.titles else ()
        found = [StandIn(*each, "") for each in titled]
        taken = Intervals((one.start, one.end) for one in found)
        for others in (self._find_new(text), self._find_usual(text)):
            free = [one for one in others if taken.are_free(one.start, one.end)]
            taken.add((one.start, one.end) for one in free)
            found += free
        found.sort()
        are_places = [self._is_place(text, one.start) for one in found]
        other = "person" if any(are_places) else ""
        for one, is_place in zip(found, are_places):
            yield one._replace(role="place" if is_place else other)

    def _is_place(self, text: str, start: int) -> bool:
        """Whether a name seems to be that of a place, by the word before it."""
        before = text[max(start - LONGEST_PREPOSITION, 0) : start].split()
        return bool(before) and before[-1].lower() in self.words.before_places

    def _find_usual(self, text: str) -> Iterator[StandIn]:
        """Finds usual names if these are exchanged; each is shown as the next usual name."""
        if self.exchanges_usual:
            following = dict(zip(self.usual, (*self.usual[1:], self.usual[0])))
            for found in self.plain.finditer(text):
                yield StandIn(*found.span(), following[found.group()])

    def _find_new(self, text: str) -> Iterator[StandIn]:
        """Finds new names; up to `NAME_WORDS` of them in a row are one.

        A known word with a capital that follows a new name belongs to it, as in "Keanu Bay". So
        does, in every language, the word after a new short form, as in "Dr. Smith", and the short
        form of "saint" before a new name, as in "St. Louis".
        """
        has_title = False  # the word before
        open_name: tuple[int, int, int] | None = None  # start, end and number of words
        divided = _divided(text)
        words = divided.split()
        for place, found in enumerate(re.finditer(r"\S+", divided)):
            before, core, after = split_marks(found.group())
            is_apart = bool(before) or not text[found.start() - 1].isspace()
            name = self.known.new_name(words, place)
            start = found.start() + len(before)
            if core + after == SAINT and place + 1 < len(words) and not _follows_name(words, place):
                name = core if self.known.new_name(words, place + 1) else name
            elif (
                name and _begins(words, place) and self._is_no_name(name, text[start + len(name) :])
            ):
                name = ""
            if (
                not name
                and (self.by_capital or has_title)
                and open_name is not None
                and not is_apart
            ):
                known_name = CLITIC.sub("", core)
                name = known_name if len(known_name) > 1 and known_name[0].isupper() else ""
            if open_name is not None and (not name or is_apart or open_name[2] == NAME_WORDS):
                yield StandIn(open_name[0], open_name[1], "")
                open_name = None
            has_title = bool(name) and is_title(words, place)
            if not name:
                continue
            end = start + len(name) + has_title  # with its point
            first, _, count = open_name or (start, end, 0)
            if (core != name or after) and not has_title:
                yield StandIn(first, end, "")
                open_name = None
            else:
                open_name = first, end, count + 1
        if open_name is not None:
            yield StandIn(open_name[0], open_name[1], "")

    def _is_no_name(self, word: str, rest: str) -> bool:
        """Whether a new word that begins a sentence is no name, as its capital says nothing.

        A form of a known word is none, nor is a word before one that hardly follows names.

        Args:
            word: without marks and ending.
            rest: the text after it.
        """
        if not self.by_capital:
            return False
        following = FOLLOWING.match(rest)
        if following is not None and following[1].lower() in self.words.not_after:
            return True
        return word_forms(self.known.words).has(plain_word(word))

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """The first usual name that the sentence does not have yet.

        In a sentence with the name of a place, places are shown as places and persons as persons,
        but not where other stand-ins are tried.
        """
        names = self.usual if self.exchanges_usual else self.in_roles.get(stand_in.role, self.usual)
        return stand_in.shown or next(
            (name for name in names if name.lower() not in used), self.usual[0]
        )

    def title_of(self, given: str) -> str:
        """See `SpanKind.title_of`."""
        return given.removesuffix(without_title(given))

    def find_given(self, word: ShownWord) -> list[str]:
        """New names. A usual name as well, so that its own translation is not replaced."""
        names = list(super().find_given(word))
        if not names and _stem(word.given) in self.usual:
            return [_stem(word.given)]
        return names

    def find_stand_ins(self, word: str) -> Iterator[Span]:
        """A usual name, with or without an ending."""
        for found in re.finditer(r"\S+", _divided(word)):
            before, core, _ = split_marks(found.group())
            if self.inflected.fullmatch(core):
                start = found.start() + len(before)
                yield Span(start, start + len(core), core)

    def is_stand_in(self, text: str, shown: str) -> bool:
        """See `SpanKind.is_stand_in`."""
        found = self.inflected.fullmatch(text)
        return found is not None and found[1].lower() == shown.lower()

    def fit(self, stand_in: str, given: str) -> float:
        """A usual name that the sentence has stands for no other one."""
        return NO_FIT if given in self.usual and not self.is_stand_in(stand_in, given) else 0.0

    def write(self, place: Place) -> str:
        """Writes a name with the ending of its stand-in, and its title as the target has it."""
        found = self.inflected.fullmatch(place.stand_in)
        ending = (found[2] or "") if found else ""
        given = place.given
        if self.titles is not None:
            before = place.source_words[place.source_word - 1] if place.source_word else ""
            given = self.titles.translate(given, before, ending == "s")
        if ending == "s" and given[-1] in "sßxz":
            ending = "'"
        return given + ending

    def for_prefix(self, prefix: str, sentences: Iterable[str]) -> "NameKind":
        """A kind that recognises in the prefix only the new names of the sentences.

        The prefix is in the target language, whose words the run does not know.
        """
        names = {
            part
            for sentence in map(self.prepare, sentences)
            for found in self.find(sentence)
            for part in sentence[found.start : found.end].split()
        }
        others = {plain_word(word) for word in prefix.split() if _stem(word) not in names}
        known = self.known._replace(words=self.known.words | others, contexts=None)
        return NameKind(known, ("", ""), by_capital=False)  # no rules of any language


def _begins(words: Sequence[str], place: int) -> bool:
    """Whether a word begins a sentence, perhaps after a bullet, or one that is quoted."""
    earlier = words[place - 1] if place else ""
    if earlier.endswith((":", "!", "?", "…")) or earlier.endswith(",") and words[place][0] in MARKS:
        return True
    return not any(any(map(str.isalpha, word)) for word in itertools.islice(words, place))


def _follows_name(words: Sequence[str], place: int) -> bool:
    """Whether a word follows one with a capital inside the sentence, as "St." in "Main St."."""
    return place > 0 and words[place - 1][:1].isupper() and not _begins(words, place - 1)


def _divided(text: str) -> str:
    """A text as long as the given one, with spaces for what joins words, as in "He/she"."""
    return JOINT.sub(lambda found: " " * len(found.group()), text)


def _stem(word: str) -> str:
    return CLITIC.sub("", split_marks(word)[1])
