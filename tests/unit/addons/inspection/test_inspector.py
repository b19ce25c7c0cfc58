"""The whole inspection without a model, its report and its files."""

import csv
import gzip
import re
import sys
import types

import pytest

from tests.commands import refused, run
from translator.addons.inspection.findings import Inspection, Reason
from translator.addons.inspection.inspector import inspect_pairs
from translator.addons.inspection.languages import CERTAIN
from translator.addons.inspection.report import describe, parse_reasons, write_dropped, write_kept
from translator.base.errors import InputError

WRONG = {
    Reason.HEADER: ("en", "de"),
    Reason.EMPTY: ("A dog barks at the door.", " "),
    Reason.DUPLICATE: ("The old man reads  a book.", "Der alte Mann liest ein Buch."),
    Reason.COPY: ("The car is red and very old.", "The car is red and very old."),
    Reason.SWAPPED: ("Das Wetter ist heute wirklich schön.", "The weather is really nice today."),
    Reason.SCRIPT: ("He sells apples in the street.", "Он продаёт яблоки на улице."),
    Reason.LANGUAGE: ("She waits for the bus.", "Elle attend le bus devant la grande maison."),
    Reason.LENGTH: ("Yes, I am.", "Ja, das bin ich, und ich sage es gern noch einmal. " * 4),
    Reason.NUMBERS: ("The two girls have a cat.", "Die drei Mädchen haben eine Katze."),
}  # fmt: skip
GOOD = [
    ("The old man reads a book.", "Der alte Mann liest ein Buch."),
    *((f"Today {n} sings a song.", f"Heute singt {n} ein Lied.") for n in ("Tom", "Anna")),
    *((f"I saw {n} in {w}.", f"Ich sah {n} im {g}.") for n in ("Tom", "Anna")
      for w, g in (("May", "Mai"), ("June", "Juni"), ("July", "Juli"), ("winter", "Winter"))),
    ("He has a dog of 3 years.", "Er hat einen Hund."),
]  # fmt: skip


@pytest.fixture(scope="module")
def inspection(identifier) -> Inspection:
    pairs = [WRONG[Reason.HEADER], *GOOD, *list(WRONG.values())[1:]]
    return inspect_pairs(pairs, ("en", "de"), None, identifier)


def test_each_pair_gets_its_reason_in_the_report_and_good_ones_none(inspection):
    reasons = [finding.reason for finding in inspection.findings]
    assert reasons == list(WRONG)
    places = [finding.place for finding in inspection.findings]
    assert places == [0, *range(1 + len(GOOD), len(GOOD) + len(WRONG))]
    details = {finding.reason: finding.detail for finding in inspection.findings}
    reasons = Reason.LANGUAGE, Reason.SCRIPT, Reason.NUMBERS
    assert [details[reason] for reason in reasons] == ["fr", "Cyrillic", "2 | 3"]
    lines = list(describe(inspection))
    assert lines[0] == f"{len(inspection.pairs)} pairs, en and de"
    for reason in WRONG:
        assert [line for line in lines if re.match(rf"{reason} +1 ", line)], reason
    assert f"    line {len(GOOD) + 4}: {' | '.join(WRONG[Reason.COPY])}" in lines
    assert any(re.match(rf"none of these +{len(GOOD)} ", line) for line in lines)


def test_kept_and_dropped_pairs_are_written_once_each_as_they_are(inspection, tmp_path):
    kept, dropped = tmp_path / "kept.tsv.gz", tmp_path / "dropped.tsv"
    assert write_kept(inspection, kept) == len(GOOD)
    write_dropped(inspection, dropped)
    assert gzip.decompress(kept.read_bytes()).decode() == "".join(f"{s}\t{t}\n" for s, t in GOOD)
    first, *rows = dropped.read_text("utf-8").splitlines()
    assert first.split("\t") == ["line", "reason", "detail", "source", "target"]
    assert [row.split("\t")[1] for row in rows] == list(WRONG)
    assert rows[3].split("\t") == [str(len(GOOD) + 4), "untranslated copy", "", *WRONG[Reason.COPY]]
    pairs = [("Two\u00a0spaces  here,\rone line.", " 5\u202f000\u2009km. ")]
    write_kept(inspection._replace(pairs=pairs, findings=[]), tmp_path / "kept.tsv")
    written = (tmp_path / "kept.tsv").read_bytes().decode()
    assert written == "Two\u00a0spaces  here, one line.\t 5\u202f000\u2009km. \n"
    reasons = parse_reasons(["numbers differ", "duplicate"])
    assert write_kept(inspection, tmp_path / "kept.tsv", reasons) == len(GOOD) + 2
    assert "\t".join(WRONG[Reason.NUMBERS]) in (tmp_path / "kept.tsv").read_text("utf-8")
    write_dropped(inspection, tmp_path / "dropped.tsv", reasons)
    assert "numbers differ" not in (tmp_path / "dropped.tsv").read_text("utf-8")
    with pytest.raises(InputError, match="--keep: expected one of header row, .* found 'foo'"):
        parse_reasons(["foo"])


def test_the_digits_of_a_tag_are_no_number(identifier):
    for tag in ("<2019> ", "<2de>", "<bt> <2> ", ">>deu2<< ", "__2de__ "):
        pairs = [(f"{tag}{source}", target) for source, target in GOOD]
        pairs.append((f"{tag}The dog is old.", "Der Hund ist <b3>4</b3> Jahre alt."))
        inspection = inspect_pairs(pairs, ("en", "de"), None, identifier)
        assert Reason.NUMBERS not in {finding.reason for finding in inspection.findings}, tag
    plain = inspect_pairs([("I am <3 years, not 4.", "Ich bin 5.")], ("en", "de"), None, identifier)
    assert [finding.detail for finding in plain.findings] == ["3, 4 | 5"]


def test_a_language_that_is_not_known_or_only_guessed_is_none(identifier, monkeypatch):
    unknown = inspect_pairs([("Foo bar baz.", "Qux quux.")], ("xx", "de"), None, identifier)
    assert "py3langid does not know the language xx" in unknown.notes
    sentences = ["Hug me.", "Elle attend le bus devant la grande maison."]  # da at 0.147, fr
    hug, french = identifier.identify(sentences, "en", "de")
    assert (hug.odds, french.odds > CERTAIN) == (0, True)
    guess = types.SimpleNamespace(classify=lambda text: ("ja", 0.014))
    monkeypatch.setattr(identifier, "_model", guess)
    with pytest.raises(InputError, match=r"^a.txt: expected sentences of one language, found too"):
        identifier.language_of(["One.", "Two."], "a.txt")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A quoted TSV file with a header row, in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [("English", "German"), *GOOD]
    text = "".join("\t".join(f'"{field}"' for field in row) + "\n" for row in rows)
    (tmp_path / "pairs.tsv").write_text(text, "utf-8")
    return tmp_path


def test_the_command_reads_quoted_fields_and_writes_plain_ones(capfd, files):
    code, out, err = run(capfd, "inspect", "pairs.tsv", "--without-model", "--write", "clean.tsv")
    assert code == 0
    assert "pairs.tsv: fields in quotation marks are read without the marks" in out
    assert re.search(r"header row +1 .*\n    line 1: English \| German\n", out)
    assert err == f"{len(GOOD)} pairs: clean.tsv\n"
    assert (files / "clean.tsv").read_text("utf-8") == "".join(f"{s}\t{t}\n" for s, t in GOOD)
    code, out, _ = run(capfd, "inspect", "clean.tsv", "--without-model")
    assert code == 0
    assert re.search(rf"^none of these +{len(GOOD)} +100.00%$", out, re.MULTILINE)
    rows = [*GOOD * 3, ('He said "hi".', 'Er sagte "hallo".')]
    with open("pairs.tsv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    code, out, _ = run(capfd, "inspect", "pairs.tsv", "--without-model", "--write", "clean.tsv")
    assert code == 0
    assert "pairs.tsv: fields in quotation marks are read without the marks" in out
    assert 'He said "hi".\tEr sagte "hallo".\n' in (files / "clean.tsv").read_text("utf-8")


def test_nothing_is_written_where_no_pair_is_left(capfd, files):
    (files / "pairs.tsv").write_text("A dog barks. A cat sleeps.\t\n" * 3, "utf-8")
    outputs = ("--write", "clean.tsv", "--dropped", "why.tsv")
    languages = ("--from", "en", "--to", "de")
    code, _, err = run(capfd, "inspect", "pairs.tsv", "--without-model", *languages, *outputs)
    assert code == 2
    assert "clean.tsv: expected pairs to keep, found none; use --dropped without" in err
    assert [path.name for path in files.iterdir()] == ["pairs.tsv"]


def test_what_of_a_configuration_is_not_looked_at_is_said(capfd, files):
    (files / "mine.yaml").write_text(
        "corpus: {train: {tsv: pairs.tsv}}\ncorpora: [{train: {tsv: other.tsv}, weight: 1}]\n",
        "utf-8",
    )
    (files / "pairs.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in GOOD), "utf-8")
    code, out, _ = run(capfd, "inspect", "mine.yaml", "--without-model")
    assert code == 0
    assert "only the pairs of the key corpus are inspected, not those of corpora" in out
    said = refused(capfd, "inspect", "mine.yaml", "--write", "pairs.tsv")
    assert said.startswith("pairs.tsv: expected a file to write")


def test_of_unequal_files_the_lines_that_both_have_are_looked_at(capfd, files):
    for side, name in enumerate(("a.en", "a.de")):
        lines = [f"{pair[side]}\n" for pair in GOOD]
        (files / name).write_text("".join(lines[: len(GOOD) - side]), "utf-8")
    code, out, _ = run(capfd, "inspect", "a.en", "a.de", "--without-model")
    assert code == 0
    assert out.startswith(f"{len(GOOD) - 1} pairs, en and de\n")
    assert f"a.de: expected as many lines as in a.en, found only {len(GOOD) - 1}; line" in out
    assert "lines without a partner are left out" in out
    written = "inspect", "a.en", "a.de", "--without-model", "--write", "w.tsv"
    code, _, error = run(capfd, *written)
    assert (code, (files / "w.tsv").exists()) == (2, False)
    assert "w.tsv: expected as many target lines as source lines, or a model to" in error
    (files / "a.de").write_text("", "utf-8")
    said = refused(capfd, "inspect", "a.en", "a.de")
    assert "a.de: expected as many lines as in a.en, found only 0; line 1 of a.en" in said
    assert "translator inspect" not in said
    for path in files.glob("a.*"):
        path.unlink()


def test_what_cannot_be_inspected_is_refused_in_one_line(capfd, files, monkeypatch):
    for arguments, message in [
        (("a", "b", "c"), "expected one file of pairs, a source and a target file, or a config"),
        (("pairs.tsv", "--write", "pairs.tsv"), "pairs.tsv: expected a file to write"),
        (("pairs.tsv", "--write", "x", "--dropped", "x"), "x: expected different files for"),
        (("pairs.tsv", "--write", "x", "--dropped", "./y/../x"), "x: expected different files for"),
        (("pairs.tsv", "--run", "r", "--without-model"), "expected --run or --without-model"),
        (("demo", "--from", "en"), "demo: expected only a configuration"),
        (("missing.yaml",), "missing.yaml: expected a configuration file"),
        ((".",), ".: expected a text file, found a directory"),
        (("missing.tsv",), "missing.tsv: expected a text file, found nothing there"),
        (("pairs.tsv", "--from", "en", "--to", "en"), "pairs.tsv: expected a target in another"),
        (("pairs.tsv", "--from", "fr", "--to", "es", "--run", "en-de"), "between fr and es"),
    ]:
        assert message in refused(capfd, "inspect", *arguments)
        assert [path.name for path in files.iterdir()] == ["pairs.tsv"]
    for name in ("py3langid.langid", "py3langid"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "[inspect]' adds it" in refused(capfd, "inspect", "pairs.tsv")
