"""Which validation is the best, which weights are kept, when a run stops early."""

import math

from translator.config.training import ValidationConfig
from translator.training.state import Progress, Selection, kept_snapshots


def validations(*losses: float) -> list[dict]:
    return [{"val_cross_entropy": loss} for loss in losses]


def select(metric: str, patience: int | None = None) -> Selection:
    return Selection(ValidationConfig(metric=metric, patience=patience))


def test_lower_loss_and_higher_bleu_are_better():
    for metric in ("cross_entropy", "perplexity", "loss", "accuracy", "bleu", "chrf"):
        order = [1, 3, 2] if metric in ("accuracy", "bleu", "chrf") else [2, 3, 1]
        lines = [{f"val_{metric}": value} for value in (3, 1, 2)]
        assert select(metric).ranked(lines) == order


def test_the_earlier_of_equal_validations_is_better_and_nan_is_worse_than_any_number():
    selection = select("cross_entropy")
    assert selection.ranked(validations(math.nan, 2, 1)) == [3, 2, 1]
    assert selection.ranked(validations(1, 1)) == [1, 2]
    first, second = validations(1, 1)
    assert selection.best(Progress(validations=[first, second])) is first


def test_validations_without_the_metric_and_those_worse_than_an_average_do_not_count():
    selection = select("bleu", 3)
    lines = [{"val_bleu": 5.0}, {}, {"val_bleu": 6.0}, {}]
    assert selection.ranked(lines) == [3, 1]
    assert selection.best(Progress(validations=lines)) is lines[2]
    assert selection.best(Progress(validations=[{}])) is None
    selection, [average] = select("cross_entropy"), validations(1.5)
    progress = Progress(validations=validations(3, 2, 1.8), averaged=average)
    assert selection.best(progress) is average
    progress.validations += validations(1.4)
    assert selection.best(progress) is progress.validations[-1]


def test_patience_counts_validations_since_the_best():
    selection = select("cross_entropy", 2)
    assert not selection.has_stalled([])
    assert not selection.has_stalled(validations(2, 1, 3))
    assert selection.has_stalled(validations(2, 1, 3, 1))
    assert not select("cross_entropy").has_stalled(validations(1, *[2] * 99))
    # validations that measured something else do not count
    selection, [best, worse] = select("bleu", 2), [{"val_bleu": 9.0}, {"val_bleu": 8.0}]
    assert not selection.has_stalled([{}, best, {}, {}, worse, {}])
    assert selection.has_stalled([{}, best, {}, {}, worse, {}, worse])


def test_the_latest_are_kept():
    kept = [list(kept_snapshots(count, keep_last=2)) for count in (0, 1, 2, 4)]
    assert kept == [[], [1], [1, 2], [3, 4]]
    assert not kept_snapshots(4, keep_last=0)
