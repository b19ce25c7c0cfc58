"""`translator explain` as a user types it."""

import re

import pytest

import translator
from tests.commands import GERMAN, SENTENCE, refused, run
from translator.addons.attention.picture_content import merge_words


def test_every_step_is_printed_with_its_numbers_which_are_those_of_the_record(capfd, tiny_run):
    for kind in ("encoder", "decoder", "cross"):
        place = ("--layer", 2, "--head", 1, "--kind", kind)
        code, out, err = run(capfd, "explain", SENTENCE, "--run", tiny_run, *place)
        assert code == 0, err
        assert out.startswith(f"{SENTENCE}  →  {GERMAN}\n")
        titles = re.findall(r"^ ?(\d+)  ([\w' -]+):  ", out, re.MULTILINE)
        assert [int(number) for number, _ in titles] == list(range(1, len(titles) + 1))
        names = {name for _, name in titles}
        assert names >= {"embedding", "queries", "products", "mask", "weights", "residual", "inner"}
        assert ("memory" in names) == (kind == "cross")
        assert ("next token" in names) == (kind != "encoder")
        assert all(len(line) <= 100 for line in out.splitlines())
    run_ = translator.load(tiny_run)
    [record] = run_.attention(run_.translate(SENTENCE))
    maps, row = record.maps("cross"), 2
    assert maps.queries.index(maps.queries[row]) == row
    place = ("--layer", 1, "--head", 2, "--at", maps.queries[row])
    code, out, err = run(capfd, "explain", SENTENCE, "--run", tiny_run, *place)
    assert code == 0, err
    printed = out[out.index("weights:") : out.index("weighted sum:")]
    found = [float(share) for share in re.findall(r" (\d+\.\d\d)%", printed)]
    assert found == pytest.approx(list(100 * maps.scores[0, 1, row]), abs=0.006)
    assert f"writes {maps.queries[row]}\n" in out


@pytest.mark.slow
def test_without_numbers_it_is_the_head_that_aligns_this_sentence(capfd):
    shipped = translator.load("en-de")
    sentence = "I have never seen such a beautiful house."
    [record] = shipped.attention(shipped.translate(sentence))
    layer, head = record.aligning
    maps = merge_words(record.maps("cross"))
    row = maps.scores[layer, head][maps.queries.index("Haus")]
    assert maps.keys[row.argmax()] == "house"
    _, out, err = run(capfd, "explain", sentence, "--run", "en-de")
    assert f"layer {layer + 1}, head {head + 1}, cross-attention" in out, err


def test_a_translation_of_ones_own_is_explained_in_lines_or_on_a_page(capfd, tiny_run, tmp_path):
    arguments = (SENTENCE, "--run", tiny_run, "--layer", 1, "--head", 1, "--target", "Die Katze")
    code, out, err = run(capfd, "explain", *arguments, "--at", "Katze")
    assert code == 0, err
    assert out.startswith(f"{SENTENCE}  →  Die Katze\n")
    assert "that the search kept" not in out
    page = tmp_path / "page.html"
    code, out, err = run(capfd, "explain", *arguments, "--html", page)
    assert (code, out) == (0, ""), err
    assert page.read_text("utf-8").startswith("<!")


def test_bad_input_is_one_line(capfd, tiny_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for sentence, options, message in [
        (SENTENCE, ("--layer", 9), "layer: expected 1 to 2, found 9"),
        (SENTENCE, ("--head", 0), "head: expected 1 to"),
        (SENTENCE, ("--kind", "self"), "kind: expected one of encoder"),
        (SENTENCE, ("--at", "Elefant"), "--at: expected one of"),
        (SENTENCE, ("--html", "page.txt"), ".html"),
        ("", (), "expected a sentence, found none"),
        ("The dog. The cat.", (), "expected one sentence, found 2"),
    ]:
        given = ("--run", tiny_run, "--layer", 1, "--head", 1, *options)
        assert message in refused(capfd, "explain", sentence, *given), options
        assert list(tmp_path.iterdir()) == []
