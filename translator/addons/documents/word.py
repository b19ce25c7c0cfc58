"""Documents of Word (.docx)."""

import copy
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from translator.addons.documents.document import Document
from translator.addons.documents.office import (
    CODE,
    Format,
    Style,
    divide,
    document_of,
    is_code,
    unpack,
    wrap_code,
)
from translator.addons.documents.plain_text import GAP
from translator.addons.documents.xml_texts import ALONE, GROUP, InlineText, name_of, parse_xml
from translator.base.errors import InputError

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PARAGRAPH, RUN, LETTERS, FORMAT, PAGE_BREAK = (
    f"{WORD}{name}" for name in ("p", "r", "t", "rPr", "lastRenderedPageBreak")
)
HYPHENS = {f"{WORD}noBreakHyphen": "\u2011", f"{WORD}softHyphen": "\xad"}  # with their characters
HYPHEN, GAPS = re.compile("([\u2011\xad])"), re.compile(f"({GAP.pattern})")
BREAKS = frozenset(f"{WORD}{name}" for name in ("br", "cr"))
ENDS = BREAKS | {f"{WORD}tab"}
VALUE = f"{WORD}val"
PARAGRAPH_STYLE, RUN_STYLE = f"{WORD}pPr/{WORD}pStyle", f"{FORMAT}/{WORD}rStyle"
UNDERLINE = f"{FORMAT}/{WORD}u"
PARTS = re.compile(r"word/(?:document|header|footer|footnotes|endnotes|comments|styles)\d*\.xml")
FORGOTTEN = {  # elements of a run's format that only record its typing
    f"{WORD}{name}" for name in ("lang", "noProof", "rsid", "szCs", "bCs", "iCs")
}
GROUPS = frozenset((  # elements that have runs; moved text counts only in its new place
    "hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "bdo", "dir", "fldSimple",
))  # fmt: skip
FILLED = "MERGEFIELD"  # begins the instruction of a mail-merge field
SCRIPTS = {"subscript": "sub", "superscript": "sup"}  # names of tags for such runs
PROPERTIES = "Pr"  # ends the names of elements that describe the element around them


def read_word(content: bytes, name: str) -> Document:
    """Reads a document of Word: its paragraphs, headers, footers, notes and comments."""
    parts = unpack(content, name, PARTS.fullmatch)
    if not any(path.startswith("word/document") for path in parts):
        raise InputError(f"{name}: expected a document of Word, found another file")
    trees = {path: parse_xml(part, f"{name}, {path}") for path, part in parts.items()}
    if not all(tree.getroot().tag.startswith(WORD) for tree in trees.values()):
        raise InputError(
            f"{name}: expected a usual document of Word, found Strict Open XML; save it as a"
            " Word document"
        )
    paragraphs = [paragraph for tree in trees.values() for paragraph in tree.iter(PARAGRAPH)]
    styles = {key: style for tree in trees.values() for key, style in _styles(tree).items()}
    return document_of(content, trees, (_texts_of(paragraph, styles) for paragraph in paragraphs))


def _styles(tree: Any) -> dict[str, Style]:
    """The styles by their ids in the file."""
    styles = {}
    for style in tree.iter(f"{WORD}style"):
        name, base = (style.find(f"{WORD}{tag}") for tag in ("name", "basedOn"))
        key = style.get(f"{WORD}styleId", "")
        styles[key] = Style(
            key if name is None else name.get(VALUE, ""),
            None if base is None else base.get(VALUE),
        )
    return styles


def _style(element: Any, path: str) -> str:
    style = element.find(path)
    return "" if style is None else style.get(VALUE, "")


def _texts_of(paragraph: Any, styles: Mapping[str, Style]) -> Sequence[InlineText]:
    """The texts of a paragraph; its runs are changed. Code has no texts."""
    if is_code(_style(paragraph, PARAGRAPH_STYLE), styles):
        return ()
    for run in list(paragraph.iter(RUN)):
        if is_code(_style(run, RUN_STYLE), styles) and run.find(LETTERS) is not None:
            wrap_code(run)
    _join_runs(paragraph)
    return [_WordText(part) for part in divide(paragraph, FORM)]


def _ends_part(run: Any) -> bool:
    """Whether a run is a tab or a gap, or begins a new page or column."""
    if _is_text(run) and GAP.fullmatch(_text_of(run)):
        before = run.getprevious()
        is_indent = before is not None and _ends_line(before) and run.find(UNDERLINE) is None
        return not is_indent
    inner = [child for child in run if child.tag != FORMAT] if run.tag == RUN else []
    return not _ends_line(run) and bool(inner) and all(child.tag in ENDS for child in inner)


def _ends_line(run: Any) -> bool:
    inner = [child for child in run if child.tag != FORMAT] if run.tag == RUN else []
    return bool(inner) and all(
        child.tag in BREAKS and child.get(f"{WORD}type") in (None, "textWrapping")
        for child in inner
    )


def _text_in(element: Any) -> str:
    if _is_group(element):
        return "".join(map(_text_in, _inner(element)))
    return "".join(map(_text_of, element if element.tag == CODE else (element,)))


class _WordText(InlineText):
    """The text of a paragraph. In Word, it has a run for each format.

    Runs of the most common format are plain text; all other runs have tags.
    """

    def __init__(self, paragraph: Any) -> None:
        runs = list(_runs_of(paragraph))
        self._formats = {run: _format_of(run) for run in runs}
        letters: dict[bytes, int] = {}
        for run, key in self._formats.items():
            letters[key] = letters.get(key, 0) + len(_text_of(run))
        self._usual_format = max(letters, key=lambda key: letters[key], default=b"")
        self._usual = next((run for run in runs if self._is_usual(run)), None)
        super().__init__(
            paragraph,
            lambda element: (
                element not in self._formats
                and (not _is_group(element) or next(_runs_of(element), None) is None)
            ),
            is_word=lambda element: element.tag == CODE,
        )

    def _is_usual(self, element: Any) -> bool:
        return self._formats.get(element) == self._usual_format

    def _read(self, element: Any) -> Iterator[str]:
        if element.tag == RUN:
            yield escape(_text_of(element))
            return
        for child in _inner(element):
            if self._is_usual(child):
                yield from self._read(child)
            elif not name_of(child).endswith(PROPERTIES):
                yield from self._read_child(child)

    def _says_nothing(self, element: Any) -> bool:
        return not _text_in(element)

    def _fill(self, element: Any, parsed: Any) -> None:
        if element.tag == RUN:
            _set_text(element, parsed.text or "")
            return
        inner = _inner(element)
        for child in list(inner):
            if not name_of(child).endswith(PROPERTIES):
                inner.remove(child)
        self._append_text(inner, parsed.text)
        for tag in parsed:
            part = self._parts[tag.get("id")]
            if tag.tag != ALONE:
                self._fill(part, tag)
            inner.append(part)
            self._append_text(inner, tag.tail)

    def _name_of(self, element: Any) -> str:
        script = element.find(f"{FORMAT}/{WORD}vertAlign")
        return GROUP if script is None else SCRIPTS.get(script.get(VALUE), GROUP)

    def _append_text(self, element: Any, text: str | None) -> None:
        if text:
            element.append(_run_like(self._usual, text))


def _join_runs(element: Any) -> None:
    """Joins runs of text with the same format, and separates gaps and other elements from text.

    Word divides a run where a word was typed later or is misspelt. A run may also contain tabs and
    line breaks.
    """
    for child in list(element):
        if child.tag == f"{WORD}proofErr":
            element.remove(child)
        elif child.tag == RUN:
            _divide(child)
        elif _is_group(child):
            _join_runs(_inner(child))
    children = itertools.groupby(
        list(element), key=lambda child: _format_of(child) if _is_text(child) else child
    )
    for _, (first, *later_runs) in children:
        if later_runs:
            _set_text(first, "".join(map(_text_of, (first, *later_runs))))
            for run in later_runs:
                element.remove(run)
        if _is_text(first):
            _divide_at_gaps(first)


def _divide_at_gaps(run: Any) -> None:
    """Divides a run of text so that each of its gaps becomes a run."""
    texts = [text for text in GAPS.split(_text_of(run)) if text]
    if len(texts) > 1:
        _set_text(run, texts[0])
        for text in reversed(texts[1:]):
            run.addnext(_run_like(run, text))


def _divide(run: Any) -> None:
    """Divides a run into runs of text, and runs of tabs, breaks and the like."""
    for mark in run.findall(PAGE_BREAK):
        run.remove(mark)
    kinds = itertools.groupby([child for child in run if child.tag != FORMAT], key=_has_letters)
    _, *later_groups = [list(children) for _, children in kinds] or [[]]
    formats = run.findall(FORMAT)
    previous = run
    for children in later_groups:
        new_run = run.makeelement(RUN, dict(run.attrib))
        new_run.extend([*map(copy.deepcopy, formats), *children])
        previous.addnext(new_run)
        previous = new_run


def _inner(element: Any) -> Any:
    """The element that has the runs; in a control this is an inner element."""
    content = element.find(f"{WORD}sdtContent")
    return element if content is None else content


def _runs_of(element: Any) -> Iterator[Any]:
    """Yields the runs of text in an element, but no runs of paragraphs inside it."""
    for child in _inner(element):
        if _is_text(child):
            yield child
        elif _is_group(child):
            yield from _runs_of(child)


def _is_group(element: Any) -> bool:
    """Whether an element may have runs whose text is translated."""
    says = element.get(f"{WORD}instr", "").upper().split()
    return name_of(element) in GROUPS and says[:1] != [FILLED]


def _is_text(element: Any) -> bool:
    """Whether an element is a run that has only text."""
    return (
        element.tag == RUN
        and all(child.tag == FORMAT or _has_letters(child) for child in element)
        and any(map(_has_letters, element))
    )


def _has_letters(element: Any) -> bool:
    return element.tag == LETTERS or element.tag in HYPHENS


def _text_of(run: Any) -> str:
    letters = filter(_has_letters, run)
    return "".join(HYPHENS.get(child.tag) or child.text or "" for child in letters)


def _run_like(run: Any, text: str) -> Any:
    """A new run with the format of another run."""
    new = copy.deepcopy(run)
    new.tail = None
    _set_text(new, text)
    return new


def _set_text(run: Any, text: str) -> None:
    for child in [child for child in run if child.tag != FORMAT]:
        run.remove(child)
    for i, part in enumerate(HYPHEN.split(text)):
        if i % 2:
            run.extend(run.makeelement(tag) for tag, sign in HYPHENS.items() if sign == part)
        elif part or part == text:
            run.append(run.makeelement(LETTERS, {SPACE: "preserve"}))
            run[-1].text = part


def _format_of(run: Any) -> bytes:
    """A key for the format of a run."""
    from lxml import etree

    format_tag = run.find(FORMAT)
    tags = [] if format_tag is None else [tag for tag in format_tag if tag.tag not in FORGOTTEN]
    return b"".join(sorted(etree.tostring(tag, with_tail=False, method="c14n") for tag in tags))


FORM = Format(
    _ends_part, _ends_line, lambda group: _inner(group) if _is_group(group) else None, _text_in
)
