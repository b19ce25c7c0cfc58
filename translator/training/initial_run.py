"""Training that goes on from the weights of another run, with a fresh optimiser and schedule."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.comparison import check_initial
from translator.config.schema import Config
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory
from translator.runs.exports import check_installed, load_weights
from translator.runs.weights import frozen_names
from translator.tokenizers.subword import Tokenizers


class InitialRun(NamedTuple):
    """What a training takes from the run that it goes on from.

    Attributes:
        run: the directory.
        config: its configuration.
        tokenizers: its tokenizers.
    """

    run: RunDirectory
    config: Config
    tokenizers: Tokenizers

    @classmethod
    def of_config(cls, config: Config) -> "InitialRun | None":
        """The run that ``training.init`` names; None if it names none.

        Raises:
            InputError: it is not a run, or a model of the program that is damaged, or its model,
                tokenizers or languages are not those of the configuration, or it lacks a part
                that ``training.freeze`` names.
        """
        if config.training.init is None:
            return None
        run = find_run(Path(config.training.init).expanduser())
        check_installed(run)
        try:
            of_run = run.read_config()
        except InputError as error:
            raise InputError(f"training.init: {error}") from None
        check_initial(config, of_run, str(run.path))
        initial = cls(run, of_run, run.read_tokenizers(of_run))
        if config.training.freeze:
            frozen_names(initial.load_weights(), config.training.freeze)
        return initial

    def load_weights(self) -> dict[str, np.ndarray]:
        """Its best weights by name."""
        return load_weights(self.run)
