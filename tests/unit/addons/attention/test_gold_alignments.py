"""Gold alignments: those of the demo corpus, and those read from files."""

from tests.commands import run
from translator.addons.attention.gold_alignments import (
    demo_test_pairs,
    read_segmented_files,
    read_segmented_lines,
)
from translator.config.schema import CorpusConfig
from translator.corpora.demo import load_demo_corpus


def test_the_demo_corpus_knows_its_links():
    config = CorpusConfig(name="demo", source_language="en", target_language="de")
    pairs, drawn = demo_test_pairs(config), load_demo_corpus().test
    assert len(pairs) == len(drawn) == 1600
    assert pairs[0].source == "He admired her as a great director."
    assert pairs[0].source_words[-2:] == ("director", ".")
    assert [pair.gold.sure for pair in pairs] == [frozenset(its.alignment) for its in drawn]
    swapped = demo_test_pairs(
        config.model_copy(update={"source_language": "de", "target_language": "en"})
    )
    assert swapped[0].target == pairs[0].source
    assert swapped[0].target_words == pairs[0].source_words
    assert swapped[0].gold.sure == {(target, source) for source, target in pairs[0].gold.sure}


def test_demo_pairs_fit_the_gold_of_align(capfd, tmp_path):
    """The links of ``demo-pairs --alignment`` count the words of its own lines."""
    out = run(capfd, "demo-pairs", "--count", 200, "--alignment")[1]
    lines = [line.split("\t") for line in out.splitlines()]
    gold = tmp_path / "gold.txt"
    gold.write_text("".join(f"{links}\n" for _, _, links in lines), "utf-8")
    pairs = list(read_segmented_lines(out.splitlines(), "pairs", gold))
    assert len(pairs) == 200
    for pair in pairs:
        ends = len(pair.source_words) - 1, len(pair.target_words) - 1
        assert ends in pair.gold.sure  # the marks at the end, apart from their words
        assert pair.source_words[-1] in ".?"
    plain = run(capfd, "demo-pairs", "--count", 200)[1].splitlines()
    joined = [line.replace(" ", "") for line in plain]
    assert joined == ["\t".join(line[:2]).replace(" ", "") for line in lines]
    assert plain[0] != "\t".join(lines[0][:2])


def test_files_are_read_side_by_side(tiny_corpus, tmp_path):
    source, target, gold = tiny_corpus / "test.en", tiny_corpus / "test.de", tmp_path / "gold.txt"
    gold.write_text("0-0 1-1 2-2 3-3 4-4\n" * 12, "utf-8")
    assert [pair.number for pair in read_segmented_files((source, target), gold)] == list(
        range(1, 13)
    )
    assert next(read_segmented_files((source, target))).gold is None
    source, target = tmp_path / "odd.en", tmp_path / "odd.de"
    source.write_bytes("The\u00a0man  sees\u2028the \u3000cat.\t\n".encode())
    target.write_bytes(b" Der Mann sieht\tdie Katze.\r\n")
    [pair] = read_segmented_files((source, target))
    assert (pair.source, pair.target) == ("The man sees the cat.", "Der Mann sieht die Katze.")
