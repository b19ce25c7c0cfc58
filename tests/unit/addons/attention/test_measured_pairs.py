"""The pairs that heads are measured on: the demo corpus's with their links, and those of files."""

from translator.addons.attention.head_analysis import demo_test_pairs, read_pair_files
from translator.config.schema import CorpusConfig
from translator.corpora.demo import load_demo_corpus


def test_the_demo_corpus_knows_its_links():
    config = CorpusConfig(name="demo", source_language="en", target_language="de")
    pairs, drawn = demo_test_pairs(config), load_demo_corpus().test
    assert len(pairs) == len(drawn) == 1600
    assert pairs[0].source == "He admired her as a great director."
    assert pairs[0].source_words[-2:] == ("director", ".")
    assert [pair.gold for pair in pairs] == [frozenset(pair.alignment) for pair in drawn]
    reverse = {"source_language": "de", "target_language": "en"}
    swapped = demo_test_pairs(config.model_copy(update=reverse))
    assert swapped[0].target == pairs[0].source
    assert swapped[0].target_words == pairs[0].source_words
    assert swapped[0].gold == {(target, source) for source, target in pairs[0].gold}
    for pair in load_demo_corpus().train[:200]:
        source, target = pair.source_tokens, pair.target_tokens
        assert (len(source) - 1, len(target) - 1) in pair.alignment  # the final marks
        assert source[-1] in ".?"
        assert "".join(source) == pair.source.replace(" ", "")
        assert "".join(target) == pair.target.replace(" ", "")


def test_files_are_read_side_by_side(tmp_path):
    source, target = tmp_path / "odd.en", tmp_path / "odd.de"
    source.write_bytes("The\u00a0man  sees\u2028the \u3000cat.\t\nYes.\n".encode())
    target.write_bytes(b" Der Mann sieht\tdie Katze.\r\nJa.\n")
    first, second = read_pair_files(source, target)
    assert (first.source, first.target) == ("The man sees the cat.", "Der Mann sieht die Katze.")
    assert (second.number, second.source, second.gold) == (2, "Yes.", None)
