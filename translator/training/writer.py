"""Writes a run while it is trained, and says what happens: once, whichever process is asked."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from tqdm import tqdm

from translator.base.files import whole_file
from translator.base.lock import locked
from translator.runs.directory import RunDirectory
from translator.runs.weights import weights_fingerprint
from translator.training.backends import Backend
from translator.training.hooks import Recorder
from translator.training.plan import Plan
from translator.training.processes import agree, check_equal, in_turn, once
from translator.training.state import Progress, progress_in, read_state, save_state


class RunWriter(contextlib.ExitStack):
    """The run directory of a training, in the process that writes it.

    In the other processes its methods do nothing, except that all of them read the state that a
    training begins with. As a context manager it gives up the run's lock in the end.
    """

    def __init__(self, run: RunDirectory, report: Callable[[str], None]) -> None:
        super().__init__()
        self.run = run
        self.recorders: Sequence[Recorder] = ()  # are given the figures of each validation
        self._report = report

    @once
    def report(self, line: str) -> None:
        """Says a line to the user."""
        self._report(line)

    @once
    def claim(self, resume: bool) -> None:
        """Checks that the run may be written; of one that is there, keeps others out."""
        if resume:
            self._lock()
        else:
            self.run.check_free()

    def begin(self, plan: Plan, backend: Backend) -> Progress:
        """Makes the run, or gives the model the state that is there; all processes do it together.

        Returns:
            How far the training has come.
        """
        state, progress = None, Progress()
        self.recorders = plan.recorders
        agree()  # all know whether there is a state before the first one writes one
        with in_turn():
            if plan.has_state:
                state = read_state(self.run, self.report)
            self._open(plan)
            if state is None:
                self.save(backend, progress)
        self._check_folder()
        if state is None:
            return progress
        backend.set_state(*state)
        return progress_in(state[0])

    def save(self, backend: Backend, progress: Progress) -> None:
        """Writes everything that an exact resume needs; see `save_state`."""
        backend.look()  # of several processes all do it
        self._save(backend, progress)

    @once
    def write_validation(
        self,
        line: str,
        progress: Progress,
        weights: Mapping[str, np.ndarray],
        keep: bool,
        best: bool,
    ) -> None:
        """Says what the latest validation has found, and writes the weights that it measured."""
        is_notebook = "ipykernel" in sys.modules  # which shows standard error as failures
        tqdm.write(line, file=sys.stdout if is_notebook else sys.stderr)
        for record in self.recorders:
            record(progress.validations[-1], progress.times[-1])
        if keep:
            self.run.snapshots.mkdir(exist_ok=True)
            self.run.write_weights(self.run.snapshot(len(progress.validations)), weights)
        if best:
            self.run.write_weights(self.run.weights, weights)

    @once
    def replace_weights(self, weights: Mapping[str, np.ndarray]) -> None:
        """Writes better weights than those of the best validation."""
        self.run.write_weights(self.run.weights, weights)

    @once
    def remove_snapshots(self, but: Iterable[int]) -> None:
        """Removes the snapshots of all validations but some."""
        kept = {self.run.snapshot(number) for number in but}
        for path in self.run.snapshots.glob("*.npz"):
            if path not in kept:
                path.unlink()

    @once
    def write_failed_batch(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Writes the sentence pairs of an update that failed."""
        with whole_file(self.run.failed_batch) as file:
            file.writelines(f"{source}\t{target}\n".encode() for source, target in pairs)

    @once
    def _save(self, backend: Backend, progress: Progress) -> None:
        save_state(self.run, backend.state(), progress)

    @once
    def _lock(self) -> None:
        self.enter_context(locked(self.run.path))

    @once
    def _open(self, plan: Plan) -> None:
        """Makes a new run, or writes what has changed in the settings of one that is there."""
        config, data = plan.config, plan.data
        if plan.resumes:
            self.run.write_config(config)
        else:
            self.run.create(
                config,
                data.tokenizers,
                data.fingerprint,
                data.train_key,
                schedule=plan.schedule,
                tags=data.count_tags(),
            )
            self._lock()
        self.run.remove_leftovers()

    def _check_folder(self) -> None:
        """Checks that all processes see the run that has just been written, or resumed."""
        last = self.run.last
        seen = weights_fingerprint(last) if last.exists() else "not there"
        advice = "put the run on a disk that all machines share, and name it with --run"
        check_equal("run", {f"{last}, hash": seen}, advice)
