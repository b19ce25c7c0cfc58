"""What a training says at its end, from figures that are written out here."""

from pathlib import Path

from translator.addons.monitoring.advice import Trained, advise, lacking_updates, suggested_warmup
from translator.config.schema import Config
from translator.config.yaml_file import validate_config

UPDATES = 100  # of an epoch


def config_of(epochs: int, **sections: dict) -> Config:
    schedule = {"name": "constant", "learning_rate": 1e-3, "warmup_steps": 50}
    training = {"epochs": epochs, "schedule": schedule, **sections.pop("training", {})}
    data = {"batch_size": 8}
    return validate_config(
        {"corpus": {"name": "tatoeba"}, "data": data, "training": training, **sections}, "test"
    )


def after(
    losses: list[float],
    trained_to: float = 9.0,
    accuracies: list[float] | None = None,
    bleus: list[float] | None = None,
    epochs: int | None = None,
    per_epoch: int = 1,
    rate_is_zero: bool = False,
    run: str = "runs/mine",
    **sections: dict,
) -> list[str]:
    """The advice after validations with these losses, the training side's loss at the end."""
    lines = [
        {
            "epoch": number // per_epoch + 1,
            "updates": (number + 1) * UPDATES // per_epoch,
            "cross_entropy": trained_to,
            "val_cross_entropy": loss,
            "val_accuracy": accuracy,
        }
        for number, (loss, accuracy) in enumerate(zip(losses, accuracies or [0.5] * len(losses)))
    ]
    for line, bleu in zip(lines, bleus or []):
        line["val_bleu"] = bleu
    config = config_of(epochs or len(losses) // per_epoch, **sections)
    advice = advise(Trained(config, lines, Path(run), rate_is_zero, 300, 100_000))
    return [] if advice is None else [advice]


LONGER = "validation loss was still improving; train for more epochs: translator train"
DROPOUT = "more dropout (model.dropout_rate=0.2)"
RISING = [3.0, 2.5, 2.51, 2.56]


def test_a_loss_that_still_falls_asks_for_half_as_many_epochs_again():
    falling = [4.0, 3.5, 3.2, 3.1]
    assert after(falling) == [
        f"{LONGER} runs/mine/config.yaml --run runs/mine --resume --set training.epochs=6"
    ]
    [line] = after(falling, rate_is_zero=True)  # a schedule that has ended asks for a new training
    assert line.endswith(
        "translator train runs/mine/config.yaml --run runs/mine-longer --set training.epochs=6"
        " --set training.schedule.total_steps=null"
    )
    for run in (".", "..", "runs/.."):
        [line] = after(falling, rate_is_zero=True, run=run)
        again = line.partition(" --run ")[2].split()[0]
        assert Path(again) == Path(run).resolve().with_name(f"{Path(run).resolve().name}-longer")
    [line] = after(falling, run="my runs/first")
    assert "translator train 'my runs/first/config.yaml' --run 'my runs/first' --resume" in line
    chosen = {"validation": {"metric": "accuracy"}}
    [line] = after([3.0, 3.0, 3.0], accuracies=[0.5, 0.502, 0.5045], **chosen)
    assert line.startswith(LONGER.replace("loss", "accuracy"))
    assert after([3.0, 2.5, 2.0], accuracies=[0.5, 0.501, 0.502], **chosen) == []


def test_a_loss_falls_by_a_hundredth_an_epoch_or_nothing_is_said():
    for losses, per_epoch, speaks in (
        ([3.0, 2.99, 2.98], 1, True),  # 0.01 an epoch
        ([3.0, 2.991, 2.982], 1, False),
        ([3.0, 2.9, 2.91], 1, False),  # not the best
        ([3.0, 3.1, 2.9], 1, False),  # up and down
        ([2.0, 3.0, 2.9, 2.8], 1, False),  # still worse than the first
        ([3.0, 2.0], 1, False),  # too few to tell
        ([3.0], 1, False),
        ([], 1, False),
        ([3.0, 2.999, 2.993, 2.987], 4, True),  # 0.024 an epoch
        ([3.0, 2.999, 2.998, 2.997], 4, False),  # 0.004 an epoch
    ):
        epochs = max(1, len(losses) // per_epoch)
        assert bool(after(losses, epochs=epochs, per_epoch=per_epoch)) == speaks, losses
    assert after([4.0, 3.5, 3.2], epochs=9) == [], "patience ended it"


def test_validation_that_rises_far_above_training_is_overfitting():
    best = "overfitting: the validation loss was lowest in epoch 2 (2.500) and ended at 2.560;"
    bleu = "; BLEU rose from 5.00 to 6.00; set validation.metric=bleu to keep its best weights"
    for more, end in (
        ({}, f"ended at 2.400; try more pairs, {DROPOUT}, or fewer epochs (training.epochs=2)"),
        ({"model": {"dropout_rate": 0.5}},
         "loss ended at 2.400; try more pairs, or fewer epochs (training.epochs=2)"),
        ({"bleus": [1.0, 5.0, 6.0, 5.5]}, bleu),
        ({"bleus": [1.0, 5.0, 5.9, 5.5]}, ", or fewer epochs (training.epochs=2)"),
    ):  # fmt: skip
        [line] = after(RISING, trained_to=2.4, **more)
        assert line.startswith(best)
        assert line.endswith(end), more
    [line] = after(RISING, trained_to=2.4, per_epoch=4)
    assert line.endswith(DROPOUT), "no fewer epochs than one"
    for losses, trained_to, accuracies in (
        ([3.0, 2.5, 2.51, 2.515], 1.0, None),  # as much by chance
        (RISING, 2.5, None),  # nothing memorised
        ([3.0, 2.6, 2.5, 2.56], 1.0, None),  # the last but one is the best
        (RISING, 1.0, [0.4, 0.5, 0.5, 0.6]),  # accuracy, which chooses, rises
    ):
        chosen = {"validation": {"metric": "accuracy"}} if accuracies else {}
        advice = after(losses, trained_to, accuracies, **chosen)
        assert not any("overfitting" in line for line in advice), losses


def test_too_few_updates_are_told_unless_they_were_enough():
    assert [suggested_warmup(updates) for updates in (630, 9)] == [63, 1], "a tenth, never none"
    tuned = {"epochs": 2, "init": "en-de"}
    noam, custom = ({"epochs": 2, "schedule": {"name": name, "warmup_steps": steps, **rate}}
                    for name, steps, rate in (("noam", 4000, {}),
                                              ("custom", 0, {"learning_rate": 1.0})))  # fmt: skip
    command = "translator train run/config.yaml --run run-longer --set training."
    end = " --set training.schedule.total_steps=null"
    for updates, training, pairs, needed, setting, advised in (
        (10, {"epochs": 2}, 300, "1,200", "epochs=240", f"{command}epochs=240{end}"),
        (300, {"epochs": 9, "minutes": 4}, 29_000, "12,000", "minutes=160",
         "translator train CONFIG --run run-longer --set training.minutes=160"),
        (100, tuned, 300, "500", "epochs=10", f"{command}epochs=10{end}"),
        (10, noam, 300, "1,200", "epochs=240",
         f"{command}epochs=240{end} --set training.schedule.warmup_steps=120"),
        (10, custom, 300, "1,200", "epochs=240", "training.epochs=240"),  # from Python
        (480, {"epochs": 2}, 300, None, None, None),
        (200, tuned, 300, None, None, None),
    ):  # fmt: skip
        config = config_of(training["epochs"], training=training)
        lack = lacking_updates(config, pairs, updates)
        advice = advise(Trained(config, [], Path("run"), False, pairs, updates))
        if needed is None:
            assert (lack, advice) == (None, None), training
        else:
            problem = f"{updates} updates are too few; {pairs:,} pairs need about {needed}"
            assert lack is not None
            assert lack[:2] == (problem, f"training.{setting}")
            assert advice == f"{problem}: {advised}", training
    line = {"epoch": 2, "updates": 100, "cross_entropy": 2.0, "val_cross_entropy": 2.0}
    for accuracy, corpus, speaks in (
        (0.6, "tatoeba", True),
        (0.95, "tatoeba", False),  # what was to be learnt has been
        (0.6, "demo", False),  # a grammar
    ):
        config = config_of(2, corpus={"name": corpus})
        lines = [line | {"val_accuracy": accuracy}]
        advice = advise(Trained(config, lines, Path("run"), False, 300, 100))
        assert (advice is not None) == speaks, (accuracy, corpus)
        assert (lacking_updates(config, 300, 100) is None) == (corpus == "demo")
