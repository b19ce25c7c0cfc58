"""The noise that the benchmark of inspecting puts into pairs."""

from collections import Counter

from inspection import add_noise

from translator.corpora.demo import load_demo_corpus


def test_noise_is_the_same_for_the_same_seed_and_each_kind_has_its_share():
    pairs = [(pair.source, pair.target) for pair in load_demo_corpus().test[:600]]
    first, kinds = add_noise(pairs, 3)
    assert (first, kinds) == add_noise(pairs, 3)
    assert first != add_noise(pairs, 4)[0]
    assert set(Counter(kinds).values()) == {480, 15}
    assert all((old == new) is (not kind) for old, new, kind in zip(pairs, first, kinds))
