"""The commands translate, score and export in this process."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.commands import GERMAN, SENTENCE, refused, run
from translator.base.errors import InputError

MASK = "⟨#?[1-9]⟩"
both_engines = pytest.mark.parametrize(
    "engine", ["ctranslate2", pytest.param("keras", marks=pytest.mark.slow)]
)


def test_json_lines_hold_everything_that_the_guide_lists(capfd, tiny_run):
    _, out, _ = run(
        capfd, "translate", SENTENCE, "", "--run", tiny_run,
        "--json", "--n-best", 2, "--beam-size", 2,
    )  # fmt: skip
    first, empty = map(json.loads, out.splitlines())
    assert (first["line"], first["source"]) == (1, SENTENCE)
    best, second = first["hypotheses"]
    assert best["text"] == GERMAN
    assert best["tokens"][-1] == "</s>"
    assert best["words"][0].keys() == {"text", "confidence"}
    assert best["score"] == pytest.approx(best["log_probability"] / len(best["tokens"]))
    assert second["score"] < best["score"]
    assert empty == {"line": 2, "source": "", "doubts": [], "hypotheses": []}
    guide = (Path(__file__).parents[3] / "docs" / "translating.md").read_text("utf-8")
    section = guide[guide.index("`--json` prints an object") : guide.index("## Sampling")]
    before, _, table = section.partition("| key |")
    assert re.findall(r"`(\w+)`", before) == list(first)
    assert re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) == list(best)


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_score_is_what_translate_says(capfd, tiny_run, tmp_path, engine):
    (tmp_path / "en").write_text(f"{SENTENCE}\nThe dog loves the house.\n")
    (tmp_path / "de").write_text(f"{GERMAN}\nDer Hund sieht das Haus.\n")
    code, out, err = run(
        capfd, "score", "--run", tiny_run, "--engine", engine,
        "--source", tmp_path / "en", "--target", tmp_path / "de",
    )  # fmt: skip
    right, wrong = map(float, out.splitlines())
    assert code == 0
    assert right > -0.5 > wrong
    assert "in all: " in err
    assert "perplexity" in err
    arguments = ("--run", tiny_run, "--engine", engine, "--json")
    _, out, _ = run(capfd, "translate", SENTENCE, *arguments)
    [best] = json.loads(out)["hypotheses"]
    assert best["log_probability"] == pytest.approx(right, abs=0.02)  # control tokens aside


def test_damaged_words_or_those_of_an_earlier_version_are_one_line(capfd, tiny_run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tiny_run, folder)
    (folder / "source.words").write_text("{}")
    arguments = ("translate", SENTENCE, "--run", folder)
    assert "source.words: expected words that training w" in refused(capfd, *arguments)
    (folder / "restoration.json").write_text("{}")
    assert "version 0.2.0, which reads it" in refused(capfd, *arguments)


def test_n_best_prints_a_list_also_of_one(capfd, tiny_run):
    for count in (1, 2):
        arguments = ("--run", tiny_run, "--n-best", count, "--beam-size", count)
        _, out, _ = run(capfd, "translate", SENTENCE, "", *arguments)
        lines = [line.split("\t") for line in out.splitlines()]
        assert [line[0] for line in lines] == ["1"] * count
        assert lines[0][2] == GERMAN
        assert 0 > float(lines[0][1]) >= float(lines[-1][1])


def test_export_command(capfd, tiny_run, tmp_path):
    folder = tmp_path / "int8"
    code, out, err = run(capfd, "export", tiny_run, "--quantization", "int8", "--out", folder)
    assert (code, out) == (0, "")
    assert f"export: {folder}, int8, 0." in err
    assert run(capfd, "translate", SENTENCE, "--run", folder)[1] == f"{GERMAN}\n"
    assert "expected one of float32, int8" in refused(
        capfd, "export", tiny_run, "--quantization", "int3", "--out", folder
    )


@both_engines
def test_numbers_and_capitals_come_back_with_bpemb(capfd, bpemb_run, engine):
    arguments = ("--run", bpemb_run, "--engine", engine)
    for line, german in (
        ("Anna has 1989 houses.", "Anna hat 1989 Häuser."),
        ("I see 42 men. We know 1,500 dogs.", "Ich sehe 42 Männer. Wir kennen 1.500 Hunde."),
        ("Zacharias has 4,711 books.", "Zacharias hat 4.711 Bücher."),
    ):  # fmt: skip
        assert run(capfd, "translate", line, *arguments)[1] == f"{german}\n"
    raw = run(capfd, "translate", "Anna has 1989 houses.", *arguments, "--raw")[1]
    assert re.fullmatch(f"(anna|{MASK}) hat ({MASK}|0+) häuser\\.\n", raw), "nothing is put back"


@both_engines
def test_numbers_come_back_where_the_tokenizer_has_zeros(capfd, zero_digits_run, engine):
    assert not (zero_digits_run / "target.words").exists()
    arguments = ("--run", zero_digits_run, "--engine", engine)
    lines = ("I see 1988 houses. We know 1,500 dogs.", "Quentin sees 99 dogs.")
    assert run(capfd, "translate", *lines, *arguments)[1] == (
        "Ich sehe 1988 Häuser. Wir kennen 1.500 Hunde.\nQuentin sieht 99 Hunde.\n"
    )
    raw = run(capfd, "translate", "I see 1988 houses.", *arguments, "--raw")[1]
    assert re.fullmatch(f"Ich sehe ({MASK}|0+) Häuser\\.\n", raw), "nothing is put back"
    prefix = ("--prefix", "Ich sehe 365")
    given = run(capfd, "translate", "I see 365 houses.", *arguments, *prefix)[1]
    assert given == "Ich sehe 365 Häuser.\n"


@both_engines
def test_a_prefix_is_printed_as_it_was_given_with_bpemb(capfd, bpemb_run, engine):
    arguments = ("--run", bpemb_run, "--engine", engine, "--prefix", "Ich SEHE 77")
    _, out, _ = run(capfd, "translate", "I see 77 houses.", *arguments)
    assert out == "Ich SEHE 77 Häuser.\n"
    out = run(capfd, "translate", SENTENCE, "--run", bpemb_run, "--prefix", "你好")[1]
    assert out.startswith("你好 ")


def test_debug_is_an_option_and_nothing_else(capfd, tiny_run, tmp_path):
    for arguments in (("--", "--debug"), ("--debug me",)):
        _, out, _ = run(capfd, "translate", "--run", tiny_run, *arguments)
        assert out.count("\n") == 1, "it is a sentence after --, or with a space"
    for arguments in (("--debug", "translate"), ("translate", "--debug")):
        with pytest.raises(InputError, match="found no such folder"):
            run(capfd, *arguments, "--run", tmp_path / "none", SENTENCE)


def test_a_name_with_control_characters_is_shown_escaped(capfd):
    said = refused(capfd, "translate", SENTENCE, "--run", "no\nsuch\x1b[31m")
    assert said.startswith(r"no\nsuch\x1b[31m: expected a run directory")
    assert refused(capfd, "translate", SENTENCE, "--run", "no\udcff\udcfe").startswith(
        r"no\xff\xfe: "
    )
    assert refused(capfd, "translate", "--file", "a\nb", "--run", "c\td").startswith(r"c\td: ")


def test_an_argument_that_is_not_utf8_is_one_line(capfd, tiny_run):
    strict = ("--errors", "strict")
    said = refused(capfd, "translate", "--run", tiny_run, "The \udcff man.", *strict)
    assert said.startswith("sentences, line 1: expected UTF-8, found the byte 0xff")


def test_a_pair_that_cannot_be_scored_has_no_score(capfd, tiny_run, tmp_path):
    for name, text, wrong in (("en", SENTENCE, "你好\n"), ("de", GERMAN, f"{GERMAN}\n{GERMAN}")):
        (tmp_path / name).write_text(f"{text}\n" * 3 + f"{wrong}\n{text}\n", "utf-8")
    files = ("--source", tmp_path / "en", "--target", tmp_path / "de")
    code, out, err = run(capfd, "score", "--run", tiny_run, *files)
    assert (code, out.splitlines()[3:5], out.count("\n")) == (1, ["nan"] * 2, 6)
    assert "line 4: expected en text" in err
    assert "line 5: expected a sentence, found an empty one" in err
    assert "2 of 6 pairs have no score" in err
