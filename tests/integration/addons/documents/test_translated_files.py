"""``translator translate FILE`` translates the texts of files, and glossaries hold in them."""

import io
import json

from tests.commands import GERMAN, SENTENCE, captured

PAGE = "<!DOCTYPE html>\n<p class='x'>The  man <b>sees</b>\n the cat.</p>\n"
GERMAN_PAGE = "<!DOCTYPE html>\n<p class='x'>Der Mann <b>sieht</b> die Katze.</p>\n"


def test_a_file_goes_to_standard_output_or_into_a_folder(tiny_run, tmp_path):
    page, notes = tmp_path / "page.html", tmp_path / "notes.md"
    page.write_text(PAGE, "utf-8")
    notes.write_text(f"# {SENTENCE}\n\n- {SENTENCE}\n", "utf-8")
    code, out, err = captured("translate", page, "--run", tiny_run)
    assert (code, out) == (0, GERMAN_PAGE), err
    folder = tmp_path / "german"
    folder.mkdir()
    assert captured("translate", page, notes, "--run", tiny_run, "--out", folder)[:2] == (0, "")
    assert (folder / "page.html").read_text("utf-8") == out
    assert (folder / "notes.md").read_text("utf-8") == f"# {GERMAN}\n\n- {GERMAN}\n"
    other = tmp_path / "lines.data"
    other.write_text(f'{{"a": "{SENTENCE}"}}', "utf-8")
    _, out, _ = captured("translate", other, "--format", "json", "--run", tiny_run)
    assert json.loads(out) == {"a": GERMAN}


def test_standard_input_may_be_a_file_and_lines_that_look_like_one_are_told(
    tiny_run, tmp_path, monkeypatch
):
    def translate(*arguments):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
        return captured("translate", "--run", tiny_run, *arguments)

    told = "standard input: looks like html; --format html translates only its texts"
    code, out, err = translate("--format", "html")
    assert (code, out, told in err) == (0, GERMAN_PAGE, False)
    assert told in translate()[2]
    assert told not in translate("--quiet")[2]
    page = tmp_path / "a page"
    page.write_text(PAGE, "utf-8")
    told = f"a page: looks like html; translator translate '{page}' translates"
    assert told in translate("--file", page)[2]


def test_what_cannot_be_done_is_one_line_and_leaves_all_as_it_was(tiny_run, tmp_path):
    for name in ("a.html", "b.html", "a.xyz", "a.xlf"):
        (tmp_path / name).write_text(PAGE, "utf-8")
    (tmp_path / "a.csv").write_text("a,b\nc,d\n", "utf-8")
    (tmp_path / "a.docx").write_text("x", "utf-8")
    (tmp_path / "d.txt").mkdir()
    (tmp_path / "l.txt").symlink_to(tmp_path / "l.txt")
    for arguments, problem in [
        (("{tmp}/a.html", "{tmp}/b.html"), "expected --out FOLDER with several files"),
        (("{tmp}/a.html", "--out", "{tmp}/none"), "none: expected an existing folder, found none"),
        (("{tmp}/a.html", "--out", "{tmp}"), "a.html"),
        (("{tmp}/a.xyz",), "a.xyz: expected a file with a known ending, found .xyz; name its"),
        (("{tmp}/a.xlf",), "a.xlf: translate --format xliff: was removed in 0.3.0; the Tr"),
        (("{tmp}/a.html", "--json"), "--file, --from-line, --json or --n-best with names of files"),
        (("A man.", "--out", "{tmp}"), "A man.: expected a file with --out, --format or --column"),
        (("{tmp}/a.html", "A man."), "a.html: expected a sentence, found the name of a file"),
        (("notes.md",), "notes.md: expected a file, found nothing there"),
        (("{tmp}/d.txt",), "d.txt: expected a file, found a folder"),
        (("{tmp}",), ": expected a file, found a folder"),
        (("{tmp}/l.txt",), "l.txt: expected a file, found a link that leads nowhere"),
        (("{tmp}/a.csv",), "a.csv: expected a column, found none; choose one by"),
        (("{tmp}/a.docx",), "a.docx: expected a whole document, found a damaged file"),
    ]:
        given = [argument.format(tmp=tmp_path) for argument in arguments]
        code, out, err = captured("translate", *given, "--run", tiny_run)
        assert (code, out) == (2, ""), err
        assert problem in err
        assert "Traceback" not in err
        assert (tmp_path / "a.html").read_text("utf-8") == PAGE
        assert len(list(tmp_path.iterdir())) == 8


def test_a_text_that_would_break_a_file_stays_and_is_told(tiny_run, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>你好</p><p>The man sees the cat.</p>", "utf-8")
    code, out, err = captured("translate", page, "--run", tiny_run)
    assert (code, out) == (1, f"<p>你好</p><p>{GERMAN}</p>")
    assert f"{page}, line 1: only characters that" in err


def test_a_glossary_says_how_terms_are_translated(tiny_run, tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("cat\tdas Dingsda|dem Dingsda\nman\tHerr\nAcme Save\t\n", "utf-8")
    arguments = ("--run", tiny_run, "--glossary", terms)
    code, out, err = captured("translate", "The man sees the cat.", *arguments)
    assert code == 0, err
    assert "Dingsda" in out
    assert "Herr" in out
    assert "Katze" not in out
    line = json.loads(captured("translate", "The dog sees Acme Save.", *arguments, "--json")[1])
    assert "Acme Save" in line["hypotheses"][0]["text"]
    assert line["hypotheses"][0]["terms"] == [{"source": "Acme Save", "target": "Acme Save"}]
    code, out, err = captured("translate", "x", "--run", tiny_run, "--glossary", tmp_path / "none")
    assert (code, out) == (2, "")
    assert "none: expected a text file, found nothing there" in err
