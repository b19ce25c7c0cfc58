"""`translator attention` and `draw` as a user types them."""

import errno
import io
import sys

import numpy as np
import pytest
import tqdm

from tests.commands import GERMAN, SENTENCE, captured, run
from translator.addons.attention.record_files import RecordWriter, load_records
from translator.base.errors import InputError
from translator.cli.main import main
from translator.translation.options import TranslationOptions

OTHER, OTHER_GERMAN = "The dog loves the house.", "Der Hund liebt das Haus."


@pytest.fixture(scope="module")
def saved(tiny_run, tmp_path_factory):
    """Two hypotheses of each of three sentences, from two lines with an empty one between."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "lines.en").write_text(f"{SENTENCE} {OTHER}\n\nThe cat.\n", "utf-8")
    code, out, err = captured(
        "attention", "--file", folder / "lines.en", "--run", tiny_run, "--n-best", 2,
        "--save", folder / "maps.npz", "--html", folder / "maps.html",
    )  # fmt: skip
    assert code == 0, err
    return folder, out


def test_picture_scores_and_page_of_one_sentence(capfd, tiny_run, tmp_path):
    picture, scores, page = (tmp_path / f"maps.{ending}" for ending in ("svg", "npz", "html"))
    view = ("--kind", "encoder", "--layer", 2)
    outputs = ("--out", picture, "--save", scores, "--html", page)
    code, out, err = run(capfd, "attention", SENTENCE, "--run", tiny_run, *view, *outputs)
    assert (code, out) == (0, f"{GERMAN}\n")
    assert all(str(path) in err for path in (picture, scores, page))
    assert "layer 2" in picture.read_text()
    [record] = load_records(scores)
    assert (record.source, record.hypothesis, record.model.name) == (SENTENCE, GERMAN, "tiny")
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_every_sentence_of_a_line_has_its_records(saved):
    folder, out = saved
    records = list(load_records(folder / "maps.npz"))
    assert [(r.sentence, r.rank) for r in records] == [(i, j) for i in (1, 2, 3) for j in (1, 2)]
    assert [r.source for r in records[::2]] == [SENTENCE, OTHER, "The cat."]
    assert [r.hypothesis for r in records[:4:2]] == [GERMAN, OTHER_GERMAN]
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[0] for line in lines] == ["1", "1", "2", "2", "3", "3"]
    assert [line[2] for line in lines] == [r.hypothesis for r in records]
    for line, record in zip(lines, records):
        assert float(line[1]) == pytest.approx(record.score, abs=1e-4)


def test_records_are_those_of_each_sentence_alone(saved, tiny_translator):
    """In a batch with longer sentences, a sentence has the attention that it has alone."""
    folder, _ = saved
    for record in load_records(folder / "maps.npz"):
        [translation] = tiny_translator.translate([record.source], TranslationOptions(n_best=2))
        alone = list(tiny_translator.attention([translation]))[record.rank - 1]
        assert alone.target_tokens == record.target_tokens
        for kind in ("encoder", "decoder", "cross"):
            assert np.allclose(alone.maps(kind).scores, record.maps(kind).scores, atol=1e-5)


def test_the_progress_bar_counts_the_lines_of_all_files(tiny_run, tmp_path, monkeypatch):
    """A line of two sentences counts once, and so does an empty line."""
    seen = []

    class Watched(tqdm.tqdm):
        def update(self, n=1):
            super().update(n)
            if self.total is not None:  # the others show how long loading takes
                seen.append((self.n, self.total))

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(tqdm, "tqdm", Watched)
    monkeypatch.setattr(sys, "stderr", Terminal())
    (tmp_path / "a.en").write_text(f"{SENTENCE} {OTHER}\n", "utf-8")
    (tmp_path / "b.en").write_text(f"\n{SENTENCE}\n{OTHER}\n", "utf-8")
    files = ("--file", str(tmp_path / "a.en"), "--file", str(tmp_path / "b.en"))
    for command in (("translate",), ("attention", "--save", str(tmp_path / "maps.npz"))):
        seen.clear()
        main([*command, *files, "--run", str(tiny_run)])
        assert seen == sorted(seen)
        assert {total for _, total in seen} == {4}
        assert seen[-1][0] == 4


def test_drawn_page_equals_the_page_at_once(capfd, saved, tmp_path):
    folder, _ = saved
    assert run(capfd, "draw", folder / "maps.npz", "--html", tmp_path / "again.html")[0] == 0
    assert (tmp_path / "again.html").read_bytes() == (folder / "maps.html").read_bytes()
    third = ("--html", tmp_path / "one.html", "--sentence", 3)
    assert run(capfd, "draw", folder / "maps.npz", *third)[0] == 0
    page = (tmp_path / "one.html").read_text("utf-8")
    assert ("The cat." in page, SENTENCE in page) == (True, False)


def test_only_sentences_that_cannot_be_translated_leave_nothing(capfd, tiny_run, tmp_path):
    (tmp_path / "empty.en").touch()
    for given in (("你好", "--errors", "replace"), ("--file", tmp_path / "empty.en"), (" ",)):
        for option, name in (("--save", "a.npz"), ("--html", "a.html")):
            output = ("--run", tiny_run, option, tmp_path / name)
            code, out, err = run(capfd, "attention", *given, *output)
            assert (code, out) == (2, "你好\n" * (given[0] == "你好"))
            assert "translator: expected a sentence, found none that can be translated" in err
            assert "Exception ignored" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["empty.en"]


class OneLine(io.StringIO):
    """A pipe whose reader leaves after the first line, or a stream that cannot encode a second."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, text):
        if "\n" in self.getvalue():
            raise self.error
        return super().write(text)


def test_what_was_recorded_is_kept_where_output_ends(capfd, tiny_run, tmp_path, monkeypatch):
    lines, maps, page = (tmp_path / name for name in ("lines.en", "maps.npz", "maps.html"))
    lines.write_text(f"{SENTENCE}\n{OTHER}\n{SENTENCE}\n", "utf-8")
    output = ("--save", maps, "--html", page)
    for error, exit_code in (
        (BrokenPipeError(errno.EPIPE, "gone"), 1),
        (UnicodeEncodeError("ascii", "ß", 0, 1, "no"), 2),
        (KeyboardInterrupt(), 130),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", OneLine(error))
            code, _, err = run(capfd, "attention", "--file", lines, "--run", tiny_run, *output)
        assert code == exit_code
        assert "(2 records)" in err
        assert [record.source for record in load_records(maps)] == [SENTENCE, OTHER]
        assert OTHER_GERMAN in page.read_text("utf-8")
        maps.unlink()
        page.unlink()


def test_lines_around_one_that_cannot_be_translated_are_recorded_in_half(capfd, tiny_run, tmp_path):
    path = tmp_path / "lines.en"
    path.write_text(f"{SENTENCE}\n{SENTENCE}\n你好\n{SENTENCE}\n", "utf-8")
    save = ("--half", "--save", tmp_path / "maps.npz")
    code, _, err = run(capfd, "attention", "--run", tiny_run, "--file", path, *save)
    assert code == 1
    assert "sentence 3: only characters that the tokenizer has never seen, left as" in err
    assert "(3 records)" in err
    with np.load(tmp_path / "maps.npz") as arrays:
        assert arrays["2/cross"].dtype == np.float16


@pytest.mark.parametrize("at", [1, 4])
def test_ctrl_c_within_a_record_leaves_those_before_it(capfd, tiny_run, tmp_path, monkeypatch, at):
    """A record is three arrays, or fewer."""
    path, written, write = tmp_path / "maps.npz", [], RecordWriter._write
    path.write_bytes(b"as it was")

    def interrupted(writer, name, array):
        written.append(name)
        if len(written) == at:
            with writer._archive.open(f"{name}.npy", "w") as member:
                member.write(b"half")
                raise KeyboardInterrupt
        write(writer, name, array)

    monkeypatch.setattr(RecordWriter, "_write", interrupted)
    (tmp_path / "lines.en").write_text(f"{SENTENCE}\n{OTHER}\n", "utf-8")
    lines = ("--file", tmp_path / "lines.en")
    code, out, err = run(capfd, "attention", *lines, "--run", tiny_run, "--save", path)
    assert code == 130
    if at < 4:
        assert (out, err.strip()) == ("", "translator: interrupted")
        assert path.read_bytes() == b"as it was"
    else:
        assert out == f"{GERMAN}\n"
        assert "(1 record)" in err
        assert [record.source for record in load_records(path)] == [SENTENCE]


def test_records_are_those_of_translations_of_a_sentence_each(tiny_translator):
    text = f"{SENTENCE} {OTHER}"
    whole = tiny_translator.translate([text])
    for wrong, message in (
        (whole, "found one of several sentences; translate"),
        *((each, "translations: expected results of translate, found")
          for each in ([SENTENCE], SENTENCE, [None])),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            list(tiny_translator.attention(wrong))
    apart = tiny_translator.translate([text], TranslationOptions(per_sentence=True))
    assert [record.source for record in tiny_translator.attention(apart)] == [SENTENCE, OTHER]
    [record] = tiny_translator.attention(apart[0])  # counts as a list of one
    assert record.source == SENTENCE
