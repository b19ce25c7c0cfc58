"""Commands that need no run."""

import io
import os
import re
import sys
from pathlib import Path
from unittest.mock import Mock

from tests.commands import refused, run
from translator.base.gone import GONE
from translator.cli.main import FIRST, GROUPS
from translator.cli.options import files_of_config
from translator.cli.terminal import has_piped_input
from translator.config.yaml_file import read_config


def test_an_empty_path_is_not_the_current_folder(capfd):
    for arguments in [
        ("export", "run", "--out", ""),
        ("export", ""),
        ("translate", "Hello.", "--run", ""),
        ("evaluate", "--out", ""),
        ("train", "config.yaml", "--run", ""),
        ("average", "run", "--last", "2", "--out", ""),
        ("curves", "", "--out", "curves.svg"),
    ]:
        assert "expected a path, found an empty text" in refused(capfd, *arguments)


def test_long_values_are_not_echoed_and_a_deleted_folder_is_named(capfd, monkeypatch):
    for option, value in (("--beam-size", "x" * 5000), ("--k", "x " * 5000), ("--run", "x" * 5000)):
        assert len(refused(capfd, "translate", "Hi.", option, value)) < 200
    monkeypatch.setattr(os, "getcwd", Mock(side_effect=FileNotFoundError))
    assert "current folder: was deleted" in refused(capfd, "translate", "Hi.")


def test_corpora_are_listed_with_licence_address_and_cache(capfd, own_home):
    code, out, _ = run(capfd, "corpora")
    assert code == 0
    for expected in (
        "tatoeba\n  pairs    169,813",
        "  licence  CC BY 2.0, by tatoeba.org",
        "  address  https://www.manythings.org/anki/deu-eng.zip",
        f"  cached   no, {own_home}/corpora/tatoeba",
        "demo\n  pairs    32,100",
        "  cached   not needed",
        "opus:NAME-VERSION\n  pairs    of any corpus of OPUS",
    ):
        assert expected in out
    assert "mtdata: was removed in 0.3.0" in refused(capfd, "corpora", "--fetch", "mtdata:A-b-1")
    message = refused(capfd, "corpora", "--fetch", "opus:Europarl-v8")
    assert "opus:Europarl-v8: expected one of demo, phrasebook, tatoeba" in message
    assert message.endswith("a configuration that names a corpus of OPUS fetches it")


def test_help_has_ten_commands_in_a_line_each_and_names_the_others_by_group(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, printed, _ = run(capfd, "--help")
    first = printed.partition("people need:\n")[2].partition("\n\n")[0]
    listed = re.findall(r"^  (\S+) +(\S.*)$", first, re.MULTILINE)
    assert {name for name, _ in listed} == set(FIRST)
    assert len(FIRST) == 10
    assert [text for _, text in listed if not text.endswith(".") or text.endswith("...")] == []
    more = " ".join(printed.partition("More commands")[2].split())
    for title, named in GROUPS.items():
        others = [name for name in named if name not in FIRST]
        assert f"{title} {', '.join(others)}" in more


def test_files_that_are_mixed_in_are_files_of_a_configuration(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(
        "corpus: {train: {tsv: own.tsv}}\n"
        "corpora: [{name: demo, weight: 1}, {train: {source: a.en, target: a.de}, weight: 1}]\n"
        "tokenizer: {name: marian, source_model: s.spm, target_model: t.spm,"
        " source_vocabulary: s.json, target_vocabulary: t.json}\n"
        "model: {}\ndata: {batch_size: 4}\n",
        "utf-8",
    )
    files = [str(path) for path in files_of_config(read_config(path))]
    assert files == ["own.tsv", "a.en", "a.de", "s.spm", "t.spm", "s.json", "t.json"]


def test_the_name_of_a_file_as_text_asks_whether_the_file_was_meant(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("letter.txt", "-", "a letter"):
        (tmp_path / name).write_text("Hello.\n")
    advice = "expected a sentence, found the name of a file; to translate its lines: translator "
    html = ("--html", "x.html")
    for arguments, command in {
        ("translate", "Hello.", "a letter"): "a letter: {}translate '--file=a letter'; ",
        ("attention", *html, "letter.txt", "-"): "{}attention --file=letter.txt --file=-; ",
    }.items():
        assert command.format(advice) in refused(capfd, *arguments)


def test_standard_input_is_text_only_where_it_is_a_pipe_or_a_file(tmp_path, monkeypatch):
    (tmp_path / "text").touch()
    for path, is_text in ((tmp_path / "text", True), (Path(os.devnull), False)):
        with path.open() as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert has_piped_input() is is_text
    for stream in (io.StringIO(), None):
        monkeypatch.setattr(sys, "stdin", stream)
        assert not has_piped_input()


def test_what_is_gone_says_what_to_use(capfd, tmp_path):
    """Commands, options and keys; the table has no other entries, and none that still exists."""
    config = tmp_path / "mine.yaml"
    for name, advice in GONE.items():
        command, *option = name.split()
        if command == "import":  # is tested with what it reads
            continue
        if is_key := "." in command or command.endswith(":"):
            path = f"corpus.{name.replace(': ', '=')}" if command.endswith(":") else f"{name}=2"
            config.write_text("corpus: {train: {tsv: pairs.tsv}}")
            arguments = ["train", str(config), "--set", path]
        else:
            arguments = [command, *option]
            advice += f"; to translate it: translator translate {command}" * (not option)
        code, output, error = run(capfd, *arguments)
        assert (code, output) == (2, ""), name
        origin = f"{config}: " if is_key else ""
        assert error == f"translator: {origin}{name}: was removed in 0.3.0; {advice}\n", name
