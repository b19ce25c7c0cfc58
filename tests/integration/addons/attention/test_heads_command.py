"""``translator heads`` and ``translator align`` as a user types them."""

import io
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.commands import refused, run
from translator.addons.attention.alignment_errors import LinkCounter
from translator.addons.attention.alignments import Links, parse_links
from translator.addons.attention.gold_alignments import SegmentedPair
from translator.addons.attention.head_analysis import (
    CHUNK_SIZE,
    align_pairs,
    attention_of_segmented_pairs,
    choose_heads,
)
from translator.base.errors import InputError

WORD_BY_WORD = "0-0 1-1 2-2 3-3 4-4"
PAIR = "The man sees the cat.\tDer Mann sieht die Katze."


@pytest.fixture
def files(tiny_corpus, tmp_path) -> dict[str, Path]:
    """The tiny corpus's test split with its links."""
    gold = tmp_path / "gold.txt"
    gold.write_text(f"{WORD_BY_WORD}\n" * 12, "utf-8")
    return {"source": tiny_corpus / "test.en", "target": tiny_corpus / "test.de", "gold": gold}


def options(files: dict[str, Path]) -> list[object]:
    return [argument for name, path in files.items() for argument in (f"--{name}", path)]


def give(monkeypatch, text: str) -> None:
    """Puts a text on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_heads_agree_with_their_json(capfd, tiny_run, files, tmp_path):
    picture = tmp_path / "heads.svg"
    code, out, err = run(capfd, "heads", tiny_run, *options(files), "--out", picture)
    assert (code, err) == (0, f"heat maps: {picture}\n")
    for kind in ("cross-attention", "encoder self-attention", "decoder self-attention"):
        assert re.search(rf"^{kind}, [\d,]+ rows\nlayer  head  entropy ", out, re.M)
    rows = re.findall(r"^ +([12]) +([12]) .*$", out, re.M)
    assert rows == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")] * 3
    assert "-0.00" not in out
    found = json.loads(run(capfd, "heads", tiny_run, *options(files), "--json")[1])
    assert (found["run"], found["sentences"]) == (str(tiny_run), 12)
    assert (found["skipped"], found["unaligned"]) == ([], [])
    assert found["alignment"]["sentences"] == 12
    for kind in ("encoder", "decoder", "cross"):
        assert np.array(found["measures"][kind]["entropy"]).shape == (2, 2)
    assert found["measures"]["cross"]["offset"] is None
    best = found["alignment"]["best_head"]
    rates = np.array(found["alignment"]["heads"][best["reading"]])
    assert rates[best["layer"] - 1, best["head"] - 1] == best["aer"] == rates.min()
    line = f"  best head   {best['aer']:.3f}  head {best['head']} of layer {best['layer']}"
    assert f"{line}, {best['reading']}\n" in out
    assert f"{found['measures']['cross']['entropy'][1][1]:.2f}" in out
    assert "alignment error rate, read" in picture.read_text("utf-8")


def test_align_prints_a_line_for_each_pair(capfd, tiny_run, files):
    """The error rate that it reports is that of the lines it prints."""
    code, out, err = run(capfd, "align", "--run", tiny_run, *options(files))
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 12
    for line in lines:
        links = [tuple(map(int, link.split("-"))) for link in line.split()]
        assert sorted(target for _, target in links) == list(range(5))  # each target word once
        assert links == sorted(links)
    marked = {(n, *link) for n, line in enumerate(lines) for link in parse_links(line, "").sure}
    gold = {(n, word, word) for n in range(12) for word in range(5)}
    counter = LinkCounter()
    counter.add(marked, Links(frozenset(gold), frozenset(gold)))
    assert f"alignment error rate: {counter.rate():.3f} over 12 pairs" in err
    assert re.search(r"^aligned by: .*, (written|read)$", err, re.M)


def test_the_heads_of_align_are_those_that_heads_finds(capfd, tiny_run, files):
    found = json.loads(run(capfd, "heads", tiny_run, *options(files), "--json")[1])["alignment"]
    for which, name in (("best", "best_head"), ("layer", "best_layer"), ("average", "all_heads")):
        _, _, err = run(capfd, "align", "--run", tiny_run, *options(files), "--heads", which)
        assert f"alignment error rate: {found[name]['aer']:.3f} " in err, which
    _, _, err = run(capfd, "align", "--run", tiny_run, *options(files))
    least = min(found[name]["aer"] for name in ("best_head", "best_layer", "all_heads"))
    assert f"alignment error rate: {least:.3f} " in err
    _, _, err = run(
        capfd, "align", "--run", tiny_run, *options(files), "--layer", 2, "--head", 1
    )  # fmt: skip
    assert "aligned by: head 1 of layer 2, written\n" in err
    assert f"rate: {found['heads']['written'][1][0]:.3f} " in err
    _, _, err = run(capfd, "align", "--run", tiny_run, *options(files), "--layer", 2)
    assert f"rate: {found['layers']['written'][1]:.3f} " in err


def test_align_reads_standard_input_and_leaves_bad_pairs_empty(capfd, tiny_run, monkeypatch):
    lines = [PAIR, "The cat. " * 20 + "\tDie Katze.", "\tDie Katze.", f"{PAIR}\t0-0 more"]
    give(monkeypatch, "\n".join(lines) + "\n")
    code, out, err = run(capfd, "align", "--run", tiny_run, "--heads", "average")
    assert code == 0
    first, *empty, last = out.splitlines()
    assert first == last != ""
    assert empty == ["", ""]
    assert re.search(r"^line 2: not aligned: expected at most 24 tokens a side, .*\d$", err, re.M)
    assert "line 3: not aligned: expected words on both sides, found none on one\n" in err
    assert "line 1" not in err


def test_heads_say_what_they_leave_out(capfd, tiny_run, files, tmp_path):
    """An overlong pair is left out of everything, unknown words only of the error rate."""
    sides = [files[side].read_text("utf-8").splitlines() for side in ("source", "target")]
    sides[0][1] = "The cat. " * 20
    sides[1][2] = "Der ▁ Mann sieht die Katze."  # no word to the tokenizer
    for name, side in zip(("source", "target"), sides):
        files[name] = tmp_path / name
        files[name].write_text("\n".join(side) + "\n", "utf-8")
    golds = [WORD_BY_WORD] * 12
    golds[1], golds[2] = "0-0", "0-0"
    files["gold"].write_text("\n".join(golds) + "\n", "utf-8")
    code, out, err = run(capfd, "heads", tiny_run, *options(files), "--json")
    assert code == 0
    found = json.loads(out)
    assert [pair["number"] for pair in found["skipped"]] == [2]
    assert (found["sentences"], found["measures"]["encoder"]["rows"] > 0) == (11, True)
    assert re.search(r"^left out: 1 \(line 2\): expected at most 24 tokens a side", err, re.M)
    assert [pair["number"] for pair in found["unaligned"]] == [3]
    assert "left out of the alignment error rate: 1 (line 3): its words are not those" in err
    assert found["alignment"]["sentences"] == 10


def test_pairs_stream(tiny_translator):
    """Only as many pairs are read as are in memory at once."""
    asked = []

    def pairs():
        source, target = PAIR.split("\t")
        for number in range(1, 10_000):
            asked.append(number)
            words = tuple(source.split()), tuple(target.split())
            yield SegmentedPair(number, source, target, *words)

    method = choose_heads(tiny_translator, "average")
    assert next(align_pairs(tiny_translator, pairs(), method)).links
    assert len(asked) == CHUNK_SIZE


def test_every_pair_gets_its_own_attention(tiny_translator):
    """Also where some pairs between them are skipped."""
    texts = ["The man sees the cat.", "", "The dog loves the house.", "The cat. " * 20, "The town."]
    pairs = [SegmentedPair(n, text, "Der Mann.", ("x",), ("y",)) for n, text in enumerate(texts, 1)]
    found = list(attention_of_segmented_pairs(tiny_translator, iter(pairs)))
    assert [pair.number for pair, _ in found] == [1, 2, 3, 4, 5]
    sources = [getattr(record, "source", None) for _, record in found]
    assert sources == [texts[0], None, texts[2], None, texts[4]]


def test_align_follows_the_heads_that_training_found(tiny_run, tmp_path):
    import translator

    run_dir = tmp_path / "run"
    shutil.copytree(tiny_run, run_dir)
    path = run_dir / "restoration.json"
    values = json.loads(path.read_text("utf-8"))
    found = {"layer": 1, "heads": [1, 0], "accuracy": 1.0, "words": 9}
    path.write_text(json.dumps({**values, "alignment": found}), "utf-8")
    loaded = translator.load(run_dir)
    assert str(choose_heads(loaded, "best")) == "average of heads 2, 1 of layer 2, written"
    assert str(choose_heads(loaded, "layer")) == "average of all heads of layer 2, written"
    path.write_text(json.dumps({**values, "alignment": None}), "utf-8")
    with pytest.raises(InputError, match="restoration.json: expected heads .*--layer and --head"):
        choose_heads(translator.load(run_dir), "best")


def test_bad_links_are_refused(capfd, tiny_run, files):
    for lines, message in [
        ([WORD_BY_WORD] * 11, "gold.txt: expected as many lines as in .*test.en, found only 11;"),
        ([WORD_BY_WORD] * 13, "test.en: expected as many lines as in .*gold.txt, found only 12;"),
        (["0-0"] * 4 + ["0-5"] + ["0-0"] * 7,
         "gold.txt, line 5: expected links of 5 source and 5 target words, .* found 0-5;"),
        (["0-0"] * 11 + ["0-x"], "gold.txt, line 12: expected links such as 0-0 .* found '0-x';"),
        ([], "gold.txt: expected as many lines"),
    ]:  # fmt: skip
        files["gold"].write_text("".join(f"{line}\n" for line in lines), "utf-8")
        assert re.search(message, refused(capfd, "heads", tiny_run, *options(files), "--limit", 2))
        assert re.search(message, refused(capfd, "align", "--run", tiny_run, *options(files)))


def test_bad_input_is_refused_in_one_line(capfd, tiny_run, files, tmp_path):
    for arguments, message in [
        (("heads", "{run}", "--gold", "{gold}"),
         "--gold: expected --source and --target, whose words it aligns, found neither; name them"),
        (("heads", "{run}", "--source", "{source}"), "expected both --source and --target"),
        (("heads", "{run}", "--source", "{empty}", "--target", "{empty}"),
         "empty: expected sentence pairs, found an empty file"),
        (("heads", "{run}", "--source", "{source}", "--target", "{gold}.x"),
         "gold.txt.x: expected a text file, found nothing there"),
        (("heads", "{run}", "--source", "{source}", "--target", "{empty}"),
         "empty: expected as many lines as in"),
        (("heads", "{run}", "--out", "heads.txt"), "expected a name that ends in .png, .svg, .pdf"),
        (("heads", "{run}", "--limit", 0), "0 is not in the range"),
        (("align", "--target", "{target}"), "expected both --source and --target"),
        (("align", "--layer", 1, "--heads", "best"), "expected --heads or --layer, found both"),
        (("align", "--head", 1), "--head: expected --layer with it"),
        (("align", "--run", "{run}", "--source", "{source}", "--target", "{target}", "--layer", 3),
         "layer: expected 1 to 2, found 3"),
        (("align", "--run", "{run}", "--source", "{source}", "--target", "{target}",
          "--layer", 2, "--head", 0), "head: expected 1 to 2, found 0"),
    ]:  # fmt: skip
        (tmp_path / "empty").write_text("")
        known = {"run": tiny_run, "empty": tmp_path / "empty", **files}
        given = [str(argument).format(**known) for argument in arguments]
        assert message in refused(capfd, *given)


def test_standard_input_is_refused_without_a_tab_or_empty(capfd, tiny_run, monkeypatch):
    for text, message in (
        (f"{PAIR}\nno tab\n", "standard input, line 2: expected source TAB target, found no tab"),
        ("", "standard input: expected sentence pairs, found an empty file"),
    ):
        give(monkeypatch, text)
        assert message in refused(capfd, "align", "--run", tiny_run, "--heads", "average")


def test_a_limit_takes_the_first_pairs_of_the_test_split(capfd, tiny_run):
    code, out, err = run(capfd, "heads", tiny_run, "--limit", 3, "--json")
    assert code == 0, err
    assert json.loads(out)["sentences"] == 3
