"""Recording attention in processes of its own."""

import gzip

import numpy as np

from tests.commands import GERMAN, SENTENCE, captured, shell
from translator.addons.attention.record_files import load_records

OTHER, OTHER_GERMAN = "The dog loves the house.", "Der Hund liebt das Haus."


def test_half_precision_from_standard_input_and_gzip(tiny_run, tmp_path):
    with gzip.open(tmp_path / "lines.gz", "wt") as file:
        file.write(f"{SENTENCE}\n{OTHER}\n")
    stdin, file = tmp_path / "stdin.npz", tmp_path / "file.npz"
    arguments = ("attention", "--run", tiny_run, "--half", "--save")
    done = shell(*arguments, stdin, text=f"{SENTENCE}\n".encode())
    given = captured(*arguments, file, "--file", tmp_path / "lines.gz")
    assert (done.returncode, done.stdout.decode()) == (0, f"{GERMAN}\n")
    assert given[:2] == (0, f"{GERMAN}\n{OTHER_GERMAN}\n")
    for path in (stdin, file):
        with np.load(path) as arrays:
            assert arrays["1/cross"].dtype == np.float16


def test_a_line_that_cannot_be_read_keeps_the_records_before_it(tiny_run, tmp_path):
    (tmp_path / "lines.en").write_text(f"{SENTENCE}\n{OTHER}\n你好\n{SENTENCE}\n", "utf-8")
    code, out, err = captured(
        "attention", "--file", tmp_path / "lines.en", "--run", tiny_run,
        "--save", tmp_path / "maps.npz", "--html", tmp_path / "maps.html",
    )  # fmt: skip
    assert (code, out) == (2, f"{GERMAN}\n{OTHER_GERMAN}\n")
    assert "lines.en, line 3: expected en text" in err
    assert "maps.npz (2 records" in err
    assert [record.source for record in load_records(tmp_path / "maps.npz")] == [SENTENCE, OTHER]
    assert OTHER in (tmp_path / "maps.html").read_text("utf-8")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["lines.en", "maps.html", "maps.npz"]


def test_a_sentence_passed_on_is_printed_and_has_no_attention(tiny_run, tmp_path):
    given = captured(
        "attention", "你好", SENTENCE, "--errors", "replace", "--run", tiny_run,
        "--save", tmp_path / "maps.npz",
    )  # fmt: skip
    assert given[:2] == (0, f"你好\n{GERMAN}\n")
    [record] = load_records(tmp_path / "maps.npz")
    assert (record.source, record.sentence) == (SENTENCE, 2)
