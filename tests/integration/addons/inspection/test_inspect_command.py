"""`translator inspect` with the model that comes with the program, on pairs of the demo corpus.

The noise is that of the benchmark of inspections.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.commands import refused, run
from translator.corpora.demo import load_demo_corpus

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
PAIRS = 1120
KINDS = 8  # of noise
SHARE, LEAST, MOST_LOST = 0.2, 0.9, 0.05  # of noise; of it that is found; of good pairs


@pytest.fixture(scope="module")
def noisy() -> tuple[list[tuple[str, str]], list[str]]:
    drawn = load_demo_corpus().train[: 2 * PAIRS]
    unique = dict.fromkeys((pair.source, pair.target) for pair in drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        from inspection import add_noise
    return add_noise(list(unique)[:PAIRS], 1)


@pytest.fixture
def files(noisy, tmp_path, monkeypatch) -> Path:
    """The folder with them, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for side, name in enumerate(("pairs.en", "pairs.de")):
        Path(name).write_text("".join(f"{pair[side]}\n" for pair in noisy[0]), "utf-8")
    return tmp_path


def dropped(path: str) -> list[list[str]]:
    """The rows of a file of dropped pairs: line, reason, and more."""
    return [row.split("\t") for row in Path(path).read_text("utf-8").splitlines()[1:]]


def test_each_kind_of_noise_is_found_and_good_pairs_are_kept(capfd, files, noisy):
    code, _, err = run(capfd, "inspect", "pairs.en", "pairs.de", "--dropped", "why.tsv")
    assert code == 0
    assert err == "scores: en-de\ndropped pairs: why.tsv\n"
    found = {int(row[0]) - 1 for row in dropped("why.tsv")}
    kinds = noisy[1]
    for kind in set(kinds) - {""}:
        places = {place for place, each in enumerate(kinds) if each == kind}
        assert len(places) >= 15
        assert len(found & places) >= LEAST * len(places), kind
    good = {place for place, kind in enumerate(kinds) if not kind}
    assert len(found & good) <= MOST_LOST * len(good)


@pytest.mark.slow
def test_the_files_may_be_of_the_other_direction(capfd, files):
    files = ("pairs.de", "pairs.en")
    code, _, _ = run(capfd, "inspect", *files, "--dropped", "why.tsv", "--run", "en-de")
    counts = Counter(row[1] for row in dropped("why.tsv"))
    assert code == 0
    assert counts["misaligned"] >= LEAST * PAIRS * SHARE / KINDS
    assert counts["swapped sides"] >= LEAST * PAIRS * SHARE / KINDS


@pytest.mark.parametrize("lost", [20, 120])
def test_the_line_from_which_unequal_files_differ_begins_a_stretch(capfd, files, lost):
    pairs = load_demo_corpus().train[-300:]
    targets = [pair.target for pair in pairs]
    Path("a.en").write_text("".join(f"{pair.source}\n" for pair in pairs), "utf-8")
    kept = targets[:lost] + targets[lost + 1 :]
    Path("a.de").write_text("".join(f"{text}\n" for text in kept), "utf-8")
    code, out, _ = run(capfd, "inspect", "a.en", "a.de")
    assert code == 0
    first, *_ = re.findall(r"^    lines (\d+) to \d+$", out, re.MULTILINE)
    assert abs(int(first) - lost) <= 10


def test_other_languages_have_no_model_and_that_is_reported(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    french, spanish = "Un homme lit un livre.", "Un hombre lee un libro."
    Path("pairs.tsv").write_text(f"{french}\t{spanish}\n" * 3, "utf-8")
    code, out, err = run(capfd, "inspect", "pairs.tsv")
    assert (code, err) == (0, "")
    assert "3 pairs, fr and es" in out
    assert "without a model, misaligned lines cannot be found" in out
    said = refused(capfd, "inspect", "pairs.tsv", "--run", "en-de")
    assert "expected a run between fr and es, found one from en to de" in said
