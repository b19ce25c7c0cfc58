"""Elements of XML with text: it is read with inline elements as tags, and put back into them."""

import copy
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, unescape

from translator.addons.documents.document import SPACES, Text, as_it_is, has_words_or_amounts
from translator.addons.documents.markup import NAME, NAMES, has_same_markup
from translator.base.errors import InputError

GROUP, ALONE = "g", "x"  # names of tags that stand for elements with text, and for all others
SCRIPTS = ("sub", "sup")  # those of elements with what is written lower or higher, as in H₂O
TAG_ALONE = rf'<{ALONE} id="\d+"/>'
BEGIN = rf"(?:{'|'.join((GROUP, *SCRIPTS))})"
TAG = re.compile(rf'<{BEGIN} id="\d+">|</{BEGIN}>|{TAG_ALONE}')
CDATA = b"<![CDATA["


def parse_xml(content: bytes, name: str) -> Any:
    """The tree of an XML file, which may name no other file and define no entities.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no XML, or defines entities.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, strip_cdata=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        problem = " ".join(str(error.msg).split())  # it says the line
        raise InputError(f"{name}: expected XML: {problem}; correct it") from None
    tree = root.getroottree()
    encoding = tree.docinfo.encoding or "UTF-8"
    try:
        content.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        raise InputError(
            f"{name}: expected XML in UTF-8, found {encoding}; convert the file first"
        ) from None
    declared = tree.docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise InputError(
            f"{name}: expected XML without entities of its own, found some; write what they mean"
        )
    return tree


def write_xml(tree: Any, content: bytes) -> bytes:
    """The content of an XML file, as it was outside its root, and with its line ends.

    Args:
        tree: of the file, changed.
        content: as it was.
    """
    from lxml import etree

    encoding = tree.docinfo.encoding or "UTF-8"
    page = content.decode(encoding)
    root = tree.getroot()
    begin = "<" + (f"{root.prefix}:" if root.prefix else "") + name_of(root)
    before, after = (  # comments may have these signs, too
        sum(etree.tostring(each, encoding="unicode").count(sign) for each in siblings)
        for sign, siblings in (
            (begin, root.itersiblings(preceding=True)),
            (">", root.itersiblings()),
        )
    )
    start = len(begin.join(page.split(begin, before + 1)[: before + 1]))
    end = len(page.rsplit(">", after + 1)[0]) + 1
    text: str = etree.tostring(root, encoding="unicode", with_tail=False)
    if "\r\n" in page:
        text = text.replace("\n", "\r\n")
    return f"{page[:start]}{text}{page[end:]}".encode(encoding, "xmlcharrefreplace")


def name_of(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class InlineText:
    """The text of an element, with a tag for each element in it.

    Args:
        element: with text.
        is_alone: whether an element in it has no text that is translated.
        is_word: whether one that is alone has a place in the sentence, such as code.
        fit: of what it says without tags.
    """

    def __init__(
        self,
        element: Any,
        is_alone: Callable[[Any], bool],
        fit: Callable[[str, str], str | None] = as_it_is,
        is_word: Callable[[Any], bool] = lambda inner: False,
    ) -> None:
        self.element = element
        self._is_alone = is_alone
        has_names = any("{{" in text for text in element.itertext())
        self._is_word = is_word if not has_names else lambda inner: False
        self._words: dict[str, str] = {}  # tags by the names that stand for them
        self._parts: dict[str, Any] = {}  # elements, and signs that are no text
        self._numbers = map(str, itertools.count(1))
        whole = "".join(self._read(element))
        self.has_words = has_words_or_amounts(unescape(TAG.sub("", whole)))
        self._fit_plain = fit
        if not self._parts:
            whole = unescape(whole)
        self.source = SPACES.sub(" ", whole.strip())
        end = len(whole.rstrip())
        self._around = whole[: len(whole) - len(whole.lstrip())], whole[end:]

    def text(self, place: str) -> Text:
        """What is translated."""
        return Text(self.source, place, self._fit)

    def _fit(self, source: str, translation: str) -> str | None:
        if not self._parts:
            return self._fit_plain(source, translation)
        source, translation = map(self._with_tags, (source, translation))
        plain = (unescape(TAG.sub("", text)) for text in (source, translation))
        return None if self._fit_plain(*plain) is None else fit_tags(source, translation)

    def put(self, translation: str, into: Any = None) -> None:
        """Puts a translation in the place of the text.

        Args:
            translation: with the tags of the source.
            into: the element; that of the text if None. Into another one copies are put.
        """
        from lxml import etree

        before, after = self._around
        if self._parts:
            whole = self._with_tags(f"{before}{translation}{after}")
            read = etree.fromstring(f"<text>{whole}</text>")
        else:
            read = etree.Element("text")
            read.text = f"{before}{translation}{after}"
        target = self.element if into is None else into
        is_marked = not len(self.element) and CDATA in etree.tostring(self.element)
        self._fill(target, read, into is not None)
        if is_marked and self._may_be_marked(target.text):
            target.text = etree.CDATA(target.text)

    def _may_be_marked(self, text: str) -> bool:
        """Whether a text may be in a CDATA section, where no sign can be written as a number."""
        encoding = self.element.getroottree().docinfo.encoding or "UTF-8"
        return "]]>" not in text and text.encode(encoding, "ignore").decode(encoding) == text

    def _read(self, element: Any) -> Iterator[str]:
        yield from self._read_text(element.text)
        for child in element:
            yield from self._read_child(child)
            yield from self._read_text(child.tail)

    def _read_child(self, child: Any) -> Iterator[str]:
        if self._is_word(child):
            tag = self._tag(ALONE, child, "/")
            name = NAME % len(self._words)
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
        """The name of the tag that stands for an element with text."""
        return name if (name := name_of(element)) in SCRIPTS else GROUP

    def _with_tags(self, text: str) -> str:
        """A text with tags in place of the names."""
        return NAMES.sub(lambda found: self._words.get(found[0], found[0]), text)

    def _read_text(self, text: str | None) -> Iterator[str]:
        for i, part in enumerate(self._parts_of(text or "")):
            if part:
                yield self._tag(ALONE, part, "/") if i % 2 else escape(part)

    def _tag(self, name: str, part: Any, end: str = "") -> str:
        number = next(self._numbers)
        self._parts[number] = part
        return f'<{name} id="{number}"{end}>'

    def _parts_of(self, text: str) -> Sequence[str]:
        """What a text says and what is no text, such as an escape of a line end, by turns."""
        return (text,)

    def _written(self, text: str) -> str:
        """A text as it stands in the file."""
        return text

    def _fill(self, element: Any, read: Any, is_copy: bool) -> None:
        parts = [self._parts[tag.get("id")] for tag in read]
        elements = [part for part in parts if not isinstance(part, str)]
        is_new = is_copy or elements != list(element)
        for child in list(element) if is_new else ():
            element.remove(child)
        last = None
        texts = [self._written(read.text or "")]
        for tag, part in zip(read, parts):
            if isinstance(part, str):
                texts.append(part)
            else:
                _set_text(element, last, texts)
                last = copy.deepcopy(part) if is_copy else part
                if tag.tag != ALONE:
                    self._fill(last, tag, is_copy)
                if is_new:  # else it is in its place
                    element.append(last)
                texts = []
            texts.append(self._written(tag.tail or ""))
        _set_text(element, last, texts)


def _set_text(element: Any, last: Any, texts: Sequence[str]) -> None:
    """Sets the text of an element, or that behind the last one in it."""
    if last is None:
        element.text = "".join(texts) or None
    else:
        last.tail = "".join(texts) or None


def fit_tags(source: str, translation: str) -> str | None:
    """A translation of a text with tags, with its other signs as entities.

    Spaces at the ends of an element are put outside of it, unless the source has some there.

    None if its tags are not those of the source, or an element would be in another one, or those
    that stand alone would be in another order, as some of these are the begin and end of something.
    """
    parts = re.split(f"({TAG.pattern})", translation)
    made = "".join(part if i % 2 else escape(unescape(part)) for i, part in enumerate(parts))
    alone, was_alone = (re.findall(TAG_ALONE, text) for text in (made, source))
    is_same = alone == was_alone and has_same_markup(source, made)
    return _with_spaces_outside(source, made) if is_same else None


def _with_spaces_outside(source: str, translation: str) -> str:
    """A translation whose elements begin or end with spaces only where those of the source do."""
    ours, pieces = (re.split(f"({TAG.pattern})", text) for text in (source, translation))
    spaced = {
        name
        for name, i in _ends(ours)
        if (ours[i - 1][-1:] if name[0] == "/" else ours[i + 1][:1]).isspace()
    }
    ends = [(name, i) for name, i in _ends(pieces) if name not in spaced]
    for name, i in (*reversed(ends), *ends):  # for begins, then ends, the inner ones come first
        before, after = pieces[i - 1], pieces[i + 1]
        if name[0] == "/" and before[-1:].isspace():
            pieces[i - 1] = before.rstrip()
            pieces[i + 1] = after if after[:1].isspace() else before[-1] + after
        elif name[0] != "/" and after[:1].isspace():
            pieces[i - 1] = before if before[-1:].isspace() else before + after[0]
            pieces[i + 1] = after.lstrip()
    return "".join(pieces).strip()


def _ends(pieces: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The tags around elements, among texts and tags by turns: a name, and the number, of each."""
    begun: list[str] = []
    for i, tag in enumerate(pieces):
        if i % 2 and tag.startswith("</"):
            yield f"/{begun.pop()}", i
        elif i % 2 and not tag.endswith("/>"):
            begun.append(tag)
            yield tag, i
