"""Measures how long files take to translate, and whether memory grows with them.

    python benchmarks/files.py --run en-de

Each row is a separate process: lines of text, ten times as many lines, the last lines of a file of
200 MB (`--from-line`), and a document of Word with 50 sentences on each page. The sentences come
from the phrasebook. With --try there are fewer, from the demo.
"""

import itertools
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import harness
from translating import precision_of

import translator
from translator.cli import errors_as_one_line
from translator.config.corpus import CorpusConfig
from translator.corpora.corpus import load_corpus
from translator.corpora.demo import load_demo_corpus

SENTENCES_OF_PAGE, SENTENCES_OF_PARAGRAPH = 50, 5
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
KINDS = "http://schemas.openxmlformats.org"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{KINDS}/package/2006/content-types"><Default'
    ' Extension="xml" ContentType="application/vnd.openxmlformats-officedocument'
    '.wordprocessingml.document.main+xml"/><Default Extension="rels"'
    ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{KINDS}/package/2006/relationships"><Relationship'
    f' Id="a" Type="{KINDS}/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/></Relationships>',
}


def main() -> None:
    """Translates the files and prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--lines", type=int, default=3_000, help="(default: 3,000)")
    parser.add_argument("--megabytes", type=int, default=200, help="(default: 200)")
    parser.add_argument("--pages", type=int, default=300, help="(default: 300)")
    options = parser.parse(lines=5, megabytes=1, pages=1)
    with harness.folder_and_run(options) as (folder, run):
        opened = translator.load(run)
        sources = sentences_of(opened, options.small)
        lines = list(itertools.islice(itertools.cycle(sources), 10 * options.lines))
        made = {
            f"{options.lines:,} lines": write_lines(folder / "some.txt", lines[: options.lines]),
            f"{10 * options.lines:,} lines": write_lines(folder / "more.txt", lines),
            f"the last {options.lines:,} lines of {options.megabytes} MB": write_large(
                folder / "large.txt", lines[: options.lines], options.megabytes * 10**6
            ),
            f"{options.pages} pages (.docx)": write_document(
                folder / "a.docx", sources, options.pages
            ),
        }
        rows: list[harness.Row] = []
        for what, arguments in made.items():
            command = [*harness.PROGRAM, "translate", "--run", str(run), "--quiet", *arguments]
            used = harness.watch(command)
            rows.append([what, round(used.seconds, 1), f"{used.anonymous / 1e6:.0f} MB"])
        harness.show(
            options,
            f"files-{run.name}",
            f"Translating files with {run.name}",
            ["", "seconds", "most memory"],
            rows,
            precision_of(opened),
        )


def sentences_of(opened: translator.Translator, small: bool) -> Sequence[str]:
    """Sentences in the language that a model translates."""
    if small:
        return [pair.source for pair in load_demo_corpus().test][:100]
    source, target = (each.language for each in opened.tokenizers)
    config = CorpusConfig(name="phrasebook", source_language=source, target_language=target)
    return list(load_corpus(config).train.sources)


def write_lines(path: Path, lines: Sequence[str]) -> list[str]:
    """Writes a file; returns the arguments that translate it."""
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return ["--file", str(path)]


def write_large(path: Path, lines: Sequence[str], size: int) -> list[str]:
    """Writes lines again and again; returns the arguments that translate them once."""
    text = "".join(f"{line}\n" for line in lines).encode()
    times = size // len(text) + 1
    with path.open("wb") as file:
        for _ in range(times):
            file.write(text)
    return ["--file", str(path), "--from-line", str((times - 1) * len(lines) + 1)]


def write_document(path: Path, sources: Sequence[str], pages: int) -> list[str]:
    """Writes a document of Word; returns the arguments that translate it."""
    sentences = itertools.islice(itertools.cycle(sources), pages * SENTENCES_OF_PAGE)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in PARTS.items():
            archive.writestr(name, part)
        body = "".join(map(_paragraph, _in_groups(sentences, SENTENCES_OF_PARAGRAPH)))
        document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
    (path.parent / "out").mkdir()
    return [str(path), "--out", str(path.parent / "out")]


def _in_groups(items: Iterator[str], count: int) -> Iterator[Sequence[str]]:
    while group := list(itertools.islice(items, count)):
        yield group


def _paragraph(sentences: Sequence[str]) -> str:
    from xml.sax.saxutils import escape

    return f"<w:p><w:r><w:t>{escape(' '.join(sentences))}</w:t></w:r></w:p>"


if __name__ == "__main__":
    with errors_as_one_line():
        main()
