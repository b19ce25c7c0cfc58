"""What a training takes from a run: the one that it resumes, or whose weights it starts from.

No backend is needed, so that what does not fit is refused before Keras starts.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.base.backends import TENSORFLOW
from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.config.automatic import AUTO
from translator.config.comparison import check_initial, flatten
from translator.config.schema import Config
from translator.config.yaml_file import replace_values
from translator.runs.choosing import find_run, shipped_between
from translator.runs.directory import RunDirectory
from translator.runs.exports import check_installed, load_weights
from translator.runs.weights import frozen_names

if TYPE_CHECKING:
    from translator.training.settings import Settings

MACHINE_CHOICES = ("backend", "precision", "jit_compile", "data_parallel")  # may be ``auto``
CHANGEABLE_ON_RESUME = {  # all other settings of a run stay as they were when it began
    "training.epochs",
    "training.minutes",
    "training.save_minutes",
    "training.tensorboard",
    "training.devices",
    "validation.patience",
    "validation.samples",
}


def choose_initial_run(settings: "Settings", report: Callable[[str], None]) -> RunDirectory | None:
    """The run whose weights a training starts from; None for none.

    Args:
        settings: name it in ``training.init``, or leave it to the program and are decided here.
        report: is given a line on what the program has chosen.
    """
    config = settings.config
    if config.training.init != AUTO:
        return find_initial_run(config)
    languages = " to ".join(config.corpus.languages)
    shipped = shipped_between(config.corpus.languages)
    if shipped is None:
        reason = f"no model from {languages} comes with the program"
    else:
        named = {"training.init": shipped.path.name}
        try:
            run = find_initial_run(replace_values(config, named, "training.init"))
        except InputError as error:
            reason = str(error).removeprefix("training.init: ")
        else:
            settings.decide(named, f"it translates from {languages}")
            report(f"chosen: training.init {shipped.path.name}: it translates from {languages}")
            return run
    settings.decide({"training.init": None}, reason)
    report(f"chosen: training.init none: {reason}")
    return None


def find_initial_run(config: Config) -> RunDirectory | None:
    """The run that ``training.init`` names; None for none. Raises as `choose_initial_run`."""
    if config.training.init is None:
        return None
    run = find_run(path_below_home(config.training.init, "training.init"))
    check_installed(run)
    try:
        of_run = run.read_config()
        run.owner.check(run.weights)
    except InputError as error:
        raise InputError(f"training.init: {error}") from None
    check_initial(config, of_run, str(run.path))
    if config.training.freeze:
        frozen_names(load_weights(run), config.training.freeze)
    return run


def settings_to_resume(config: Config, of_run: Config, origin: str) -> Config:
    """The configuration of a run that is resumed, with the changes that a user may make to it.

    What the user leaves out, or to the program, stays as it was; the devices are this machine's.
    """
    if of_run.training.backend == AUTO:  # it began before there was a choice
        of_run = replace_values(of_run, {"training.backend": TENSORFLOW}, origin)
    asked, ours = (dict(flatten(each.model_dump())) for each in (config, of_run))
    keys = (*MACHINE_CHOICES, "init")
    left = {f"training.{key}" for key in keys if getattr(config.training, key) == AUTO}
    if config.training.schedule.total_steps is None:
        left.add("training.schedule.total_steps")
    said = {name for name, _ in flatten(config.model_dump(exclude_unset=True))}
    said = (said - left - config.automatic) | {"training.devices"}
    changes = {key: asked[key] for key in asked if key in said and asked[key] != ours.get(key)}
    if "training.epochs" in changes:  # the time was given for the former ones
        changes.setdefault("training.minutes", None)
    refused = [
        f"{key} ({ours.get(key)}, found {value})"
        for key, value in changes.items()
        if key not in CHANGEABLE_ON_RESUME
    ]
    if refused:
        raise InputError(
            f"{origin}: the run began with other settings: {', '.join(refused)};"
            " resume with those, or train again with --run DIR"
        )
    return replace_values(of_run, changes, origin)
