"""XML elements with text. Inline elements become tags of the text; translations are put back."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.sax.saxutils import escape, unescape

from translator.addons.documents.document import SPACES, Text, has_words_or_amounts
from translator.addons.documents.markup import BRACED, BRACED_NUMBER, has_same_markup
from translator.base.errors import InputError

GROUP, ALONE = "g", "x"  # names of tags for elements with text, and for all other elements
SCRIPTS = ("sub", "sup")  # names of tags for subscript and superscript, as in H₂O
TAG_ALONE = rf'<{ALONE} id="\d+"/>'
BEGIN = rf"(?:{'|'.join((GROUP, *SCRIPTS))})"
TAG = re.compile(rf'<{BEGIN} id="\d+">|</{BEGIN}>|{TAG_ALONE}')


def parse_xml(content: bytes, name: str) -> Any:
    """The tree of an XML file. The file may not refer to other files or define entities."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        problem = " ".join(str(error.msg).split())  # it names the line
        if re.search("limit|HUGE|Amplification", problem):  # advice for programs
            problem = "found texts, entities or levels that are too many or too large"
        raise InputError(f"{name}: expected XML: {problem}; correct it") from None
    tree = root.getroottree()
    declared = tree.docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise InputError(
            f"{name}: expected XML that defines no entities, found some; replace them by text"
        )
    return tree


def write_xml(tree: Any) -> bytes:
    """The content of an XML file in its encoding."""
    from lxml import etree

    declared = tree.docinfo
    content: bytes = etree.tostring(
        tree,
        encoding=declared.encoding or "UTF-8",
        xml_declaration=True,
        standalone=declared.standalone,
    )
    return content


def name_of(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class InlineText:
    """The text of an element, with a tag for each element in it.

    Args:
        is_alone: tells whether an inner element has no text to translate.
        is_word: tells whether such an inner element is a part of the sentence, such as code.
    """

    def __init__(
        self, element: Any, is_alone: Callable[[Any], bool], is_word: Callable[[Any], bool]
    ) -> None:
        self.element = element
        self._is_alone = is_alone
        has_names = any("{{" in text for text in element.itertext())
        self._is_word = is_word if not has_names else lambda inner: False
        self._words: dict[str, str] = {}  # tags by the placeholders that are shown instead
        self._parts: dict[str, Any] = {}  # elements by the numbers of their tags
        self._numbers = map(str, itertools.count(1))
        tagged = "".join(self._read(element))
        self.has_words = has_words_or_amounts(unescape(TAG.sub("", tagged)))
        if not self._parts:
            tagged = unescape(tagged)
        self.source = SPACES.sub(" ", tagged.strip())
        end = len(tagged.rstrip())
        self._around = tagged[: len(tagged) - len(tagged.lstrip())], tagged[end:]

    def to_text(self, place: str) -> Text:
        """The text to translate."""
        return Text(self.source, place, self._fit)

    def _fit(self, source: str, translation: str) -> str | None:
        if not self._parts:
            return translation
        return fit_tags(*map(self._with_tags, (source, translation)))

    def put(self, translation: str) -> None:
        """Replaces the text by a translation."""
        from lxml import etree

        before, after = self._around
        if self._parts:
            tagged = self._with_tags(f"{before}{translation}{after}")
            parsed = etree.fromstring(f"<text>{tagged}</text>")
        else:
            parsed = etree.Element("text")
            parsed.text = f"{before}{translation}{after}"
        self._fill(self.element, parsed)

    def _read(self, element: Any) -> Iterator[str]:
        yield escape(element.text or "")
        for child in element:
            yield from self._read_child(child)
            yield escape(child.tail or "")

    def _read_child(self, child: Any) -> Iterator[str]:
        if self._is_word(child):
            tag = self._tag(ALONE, child, "/")
            name = BRACED % len(self._words)
            self._words[name] = tag
            yield name
        elif self._is_alone(child) or self._says_nothing(child):
            yield self._tag(ALONE, child, "/")
        else:
            name = self._name_of(child)
            yield self._tag(name, child)
            yield from self._read(child)
            yield f"</{name}>"

    def _says_nothing(self, element: Any) -> bool:
        return not any(element.itertext())

    def _name_of(self, element: Any) -> str:
        """The name of the tag that replaces an element with text."""
        return GROUP

    def _with_tags(self, text: str) -> str:
        """A text with tags in place of the placeholders."""
        return BRACED_NUMBER.sub(lambda match: self._words.get(match[0], match[0]), text)

    def _tag(self, name: str, part: Any, end: str = "") -> str:
        number = next(self._numbers)
        self._parts[number] = part
        return f'<{name} id="{number}"{end}>'

    def _fill(self, element: Any, parsed: Any) -> None:
        """Fills an element with the texts and elements of a parsed text with tags."""
        for child in list(element):
            element.remove(child)
        element.text = parsed.text
        for tag in parsed:
            part = self._parts[tag.get("id")]
            if tag.tag != ALONE:
                self._fill(part, tag)
            part.tail = tag.tail
            element.append(part)


def fit_tags(source: str, translation: str) -> str | None:
    """A translation with its tags; its other characters of markup become entities.

    None if its tags, or the elements around them, differ from the source. Single tags must keep
    their order, because some of them mark a beginning and an end.
    """
    parts = re.split(f"({TAG.pattern})", translation)
    escaped = "".join(part if i % 2 else escape(unescape(part)) for i, part in enumerate(parts))
    alone, alone_before = (re.findall(TAG_ALONE, text) for text in (escaped, source))
    return escaped if alone == alone_before and has_same_markup(source, escaped) else None
