"""Hostile texts in each format, changed and damaged: other parsers find the same file."""

import csv
import html.parser
import io
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from xml.sax.saxutils import escape

import polib
import pytest
import yaml
from lxml import etree
from markdown_it import MarkdownIt

from tests.unit.addons.documents.translating import (
    louder,
    open_document,
    translated,
    unpacked,
    without_markup,
    word,
)
from translator.addons.documents.files import READERS, Reading

PIECES = (
    "the dog", "Der Hund", "cats", "a", "I", "Mr.", "e.g.", "1,234.5", "5 %", "10 - 20", "3.", "#",
    "- ", "* ", "1) ", "> ", "| ", "||", "`", "``code``", "**", "_a_", "~~", "[x](y)", "![", "](",
    "[^1]", "[^1]:", "<b>", "</b>", "<i", "<br>", "<br/>", "</", "<!--", "-->", "<![CDATA[", "]]>",
    "&amp;", "&#0;", "&", "&lt;script&gt;", "{", "}", "{0}", "{{1}}", "{n, plural, one {a}}", "%s",
    "%(name)s", "%1$d", "%", "100%", "$x$", "$5", "\\", "\\n", "\\'", '"', "'", "„", "“", ":", ";",
    "?", "!", "…", "---", "===", "+++", "```", "    ", "\u00a0", "\u200b", "\u202e", "\u0301",
    "\U0001f600", "漢字", "עברית", "ſ", "İ", "ß", "http://a.b/c?d=e&f", "a@b.cd", "a.b.c", "@x",
    "&Open", "00:00:01,000", "NULL", "yes", "1e5", "0x1", "~", "=1+1", "x" * 200,
)  # fmt: skip
KEPT = ("code_inline", "html_inline", "link_open", "image")  # of Markdown
MARKDOWN = (
    *("{0}",) * 5, "# {0}", "- one dog\n- *one*\n  - {0}", "> {0}", "```\ndog\n```\n\n{0}",
    "| **a** | b |\n|---|---|\n| [dog](a_b.html) `a` | c |\n\n{0}",
)  # fmt: skip
HTML = (
    *("<p>{0} <i>it</i></p>\n",) * 5,
    "<h2>{0}</h2><pre>{0}\n  x</pre><!-- a -->",
    "<ul><li>{0}<br><b>it</b> <img src=a alt=b></li><li><ul><li>{0}</li></ul></li></ul>",
    '<table><tr><td><a href="x?a=1&amp;b=2" title=a>{0} <b>it</b></a></td><td>a</td></tr></table>',
    "<script>if (a < b) {{ x('y') }}</script><p><span translate=no>{0}</span> {0} <code>a</code>",
)
READING = Reading(("en", "de"), ("2",))


def texts(form: str, count: int) -> list[str]:
    """Hostile texts, each in one line and with a word."""
    draw = random.Random(form)
    found = (" ".join(draw.choices(PIECES, k=draw.randint(1, 8))) for _ in range(count))
    return [f"{text} dog" if draw.random() < 0.5 else f"dog{text}" for text in found]


def damaged(text: str) -> str:
    """What a model might write that has lost its way."""
    draw = random.Random(text)
    words = text.split() + draw.choices(PIECES, k=2)
    draw.shuffle(words)
    return " ".join(words[draw.randint(0, 1) :])


def as_xml(lines: list[str], line: str) -> str:
    legal = (re.sub(r"[\x00-\x08]", "", text) for text in lines)
    return "".join(line.format(escape(text)) for text in legal)


def tags_of_page(content: bytes) -> Counter[str]:
    found: Counter[str] = Counter()

    class Parser(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found[f"<{tag} {attrs}>"] += 1

        def handle_endtag(self, tag):
            found[f"</{tag}>"] += 1

    parser = Parser()
    parser.feed(content.decode())
    parser.close()
    return found


def shape_of_markdown(content: bytes) -> list[object]:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("reference")
    tokens = parser.parse(content.decode())  # a footnote of a word is no address
    return [
        (token.type, Counter(each.type for each in token.children if each.type in KEPT))
        if token.type == "inline"
        else (token.type, token.level, token.info, token.content)
        for token in tokens
    ]


def shape_of_values(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape_of_values(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape_of_values(each) for each in value]
    return "" if isinstance(value, str) else value


def paragraphs(page: str) -> int:
    return sum(1 for _ in etree.fromstring(page.encode()).iter("{*}p"))


def shape_of_catalogue(content: bytes) -> list[object]:
    found = polib.pofile(content.decode() + "\n")
    return [(each.msgid, each.msgid_plural, each.obsolete) for each in found]


def shape_of_table(content: bytes) -> list[object]:
    return [[row[0], len(row)] for row in csv.reader(io.StringIO(content.decode(), newline=""))]


def table(lines: list[str]) -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerows(enumerate(lines))
    return output.getvalue()


def times(content: bytes) -> list[str]:
    rows = content.decode().split("\n")
    return [row for row in rows if re.match(r"\d\d:\d\d:\d\d,\d{3} --> ", row)]


FORMATS: dict[str, tuple[Callable[[list[str]], bytes], Callable[[bytes], object]]] = {
    "text": (
        lambda lines: "\n\n".join(lines).encode(),
        lambda content: len(content.decode().split("\n\n")),
    ),
    "markdown": (
        lambda lines: "\n\n".join(
            line.format(re.sub(r"\A(?=```|<|    )", "dog", text))
            for line, text in zip(itertools.cycle(MARKDOWN), lines)
        ).encode(),
        shape_of_markdown,
    ),
    "html": (
        lambda lines: "".join(
            line.format(escape(text)) for line, text in zip(itertools.cycle(HTML), lines)
        ).encode(),
        tags_of_page,
    ),
    "subtitles": (
        lambda lines: "".join(
            f"{i}\n{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02},000 --> 99:00:00,000\n"
            f"{line.replace('-->', '').replace('00:00:01,000', '')}\n\n"
            for i, line in enumerate(lines, 1)
        ).encode(),
        times,
    ),
    "gettext": (
        lambda lines: (
            'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
            + "".join(
                'msgid "{}"\nmsgstr ""\n\n'.format(re.sub(r'["\\]', r"\\\g<0>", f"{i} {line}"))
                for i, line in enumerate(lines)
            )
        ).encode(),
        shape_of_catalogue,
    ),
    "json": (
        lambda lines: json.dumps({f"text{i}": [line, i] for i, line in enumerate(lines)}).encode(),
        lambda content: shape_of_values(json.loads(content)),
    ),
    "yaml": (
        lambda lines: yaml.safe_dump({f"text{i}": line for i, line in enumerate(lines)}).encode(),
        lambda content: shape_of_values(yaml.load(content, yaml.CSafeLoader)),
    ),
    "table": (lambda lines: table(lines).encode(), shape_of_table),
    "word": (
        lambda lines: word(as_xml(lines, "<w:p><w:r><w:t>{}</w:t></w:r></w:p>")),
        lambda content: paragraphs(unpacked(content, "word/document.xml")),
    ),
    "opendocument": (
        lambda lines: open_document(as_xml(lines, "<text:p>{}</text:p>")),
        lambda content: paragraphs(unpacked(content, "content.xml")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", READERS)
def test_a_hostile_file_is_the_same_in_another_language(form, count):
    make, shape = FORMATS[form]
    content = make(texts(form, count))
    before = shape(content)
    document = READERS[form](content, "a", READING)
    assert len(document.texts) > count / 2
    assert translated(document, louder) != content
    for change in (louder, damaged, without_markup, lambda _: "<b>A & B {{0}} 1. # | *x"):
        made = translated(READERS[form](content, "a", READING), change)
        assert shape(made) == before
