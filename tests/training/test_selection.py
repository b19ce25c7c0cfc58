"""Which validation is the best, which weights are kept, when a run stops early."""

from translator.training.selection import Selection


def rounds(*losses: float) -> list[dict]:
    """Validations with these losses."""
    return [{"val_cross_entropy": loss} for loss in losses]


def test_less_loss_and_more_bleu_are_better():
    by_loss, by_bleu = (Selection(metric, 0, 0, None) for metric in ("cross_entropy", "bleu"))
    assert by_loss.ranked(rounds(3, 1, 2)) == [2, 3, 1]
    assert by_bleu.ranked([{"val_bleu": bleu} for bleu in (3, 1, 2)]) == [1, 3, 2]


def test_the_earlier_of_equals_is_the_better():
    selection = Selection("cross_entropy", 0, 0, None)
    assert selection.ranked(rounds(1, 1)) == [1, 2]
    assert not selection.is_best(rounds(1, 1))


def test_validations_without_the_metric_do_not_count():
    selection = Selection("bleu", 0, 0, 3)
    lines = [{"val_bleu": 5.0}, {}, {"val_bleu": 6.0}, {}]
    assert selection.ranked(lines) == [3, 1]
    assert selection.is_best(lines[:3])
    assert not selection.is_best(lines)
    assert not selection.is_best([{}])


def test_patience_counts_validations_since_the_best():
    selection = Selection("cross_entropy", 0, 0, 2)
    assert not selection.has_stalled([])
    assert not selection.has_stalled(rounds(2, 1, 3))
    assert selection.has_stalled(rounds(2, 1, 3, 1))
    assert not Selection("cross_entropy", 0, 0, None).has_stalled(rounds(1, *[2] * 99))


def test_the_latest_and_the_best_are_kept():
    selection = Selection("cross_entropy", 2, 1, None)
    assert selection.kept(rounds(3, 1, 2, 4)) == [2, 3, 4]
    assert selection.kept(rounds(3, 1, 2, 4), "last") == [3, 4]
    assert selection.kept(rounds(3, 1, 2, 4), "best") == [2]
    assert Selection("cross_entropy", 0, 0, None).kept(rounds(1, 2)) == []
