"""Finds, checks and completes the export of a run."""

import contextlib
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from translator.base.cache import crc32
from translator.base.errors import InputError
from translator.runs.choosing import is_shipped
from translator.runs.directory import RunDirectory
from translator.runs.record import FIXED_SETTINGS, FOR_TRANSLATING, settings_of
from translator.tokenizers.subword import FILE_NAMES, VOCABULARY_NAMES

MODEL_FILE = "model.bin"  # the model's file in an export for CTranslate2


def find_export(
    run: RunDirectory,
    required: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> Path | None:
    """The folder of a run's export for CTranslate2; an export is its own folder.

    Args:
        required: whether an error is raised if no export can be used.
        report: called with a line if the export and the run have different weights.

    Returns:
        The folder; None if there is no export, or if it has other weights than the run.
    """
    if is_export(run.path):
        check_engine_files(run)
        return run.path
    if not is_export(run.export):
        if required:
            raise InputError(
                f"{run.path}: expected an export in this run, found none; write one with"
                f" translator export {run.path}"
            )
        return None
    from translator.runs.unchanged import check_unchanged
    from translator.runs.weights import weights_fingerprint

    advice = f"write a new one with translator export {run.path}"
    export = RunDirectory(run.export)
    record = export.read_record() if export.record.is_file() else None
    differences = "tokenizers" if record is None else run.owner.differences_from(export.owner)
    if record is None or differences:
        raise InputError(
            f"{run.export}: expected an export of this run, found one of other {differences};"
            f" {advice}, or use --engine keras"
        )
    if record.weights != weights_fingerprint(run.weights):
        if required:
            raise InputError(
                f"{run.export}: expected an export of this run's weights, found one of other"
                f" weights; {advice}, or use --engine keras"
            )
        report(f"{run.export}: found an export of other weights, so Keras is used; {advice}")
        return None
    check_engine_files(export)
    check_unchanged(record.settings, settings_of(run.read_config()), run.config)
    return run.export


def is_export(folder: Path) -> bool:
    """Whether a folder has the model of an export for CTranslate2."""
    return (folder / MODEL_FILE).is_file()


def own_names(export: RunDirectory) -> set[str]:
    """The names of an export's files, without its record and the files that the engine reads."""
    paths = (export.config, *export.learnt, export.held_out)
    return {*(path.name for path in paths), *FILE_NAMES, *VOCABULARY_NAMES}


def describe_export(run: RunDirectory, folder: Path, is_own: bool = False) -> None:
    """Completes an export with the run's configuration, tokenizers, words and record.

    An export outside the run also gets held-out pairs, if the licence of these pairs allows it.

    Args:
        is_own: whether it is the run's own export, inside the run.
    """
    from translator.corpora.corpus import HeldOutPairs
    from translator.runs.weights import weights_fingerprint

    run.copy_settings(folder)
    for path in run.learnt:
        if path.exists():
            shutil.copy(path, folder)
    if not is_own and run.held_out.is_file() and HeldOutPairs.read(run.held_out).licence:
        shutil.copy(run.held_out, folder)
    files = {file.name: crc32(file) for file in sorted(folder.iterdir())}
    fingerprint = weights_fingerprint(run.weights)
    settings = settings_of(run.read_config(), (*FIXED_SETTINGS, *FOR_TRANSLATING))
    # The recorded comparison with a shipped model belongs to an earlier export.
    run.read_record()._replace(
        weights=fingerprint, files=files, known=None, settings=settings
    ).write(folder)


@contextlib.contextmanager
def reading_installed(run: RunDirectory) -> Iterator[None]:
    """Checks that a shipped model has not changed since its installation; other models pass.

    The block itself must check the checksums of the model's other files.
    """
    try:
        check_installed(run, {run.config.name, run.confidence.name})
        yield
    except InputError:
        check_installed(run)  # this error says what to do
        raise


def check_installed(run: RunDirectory, names: Collection[str] | None = None) -> None:
    """Checks that a shipped model has not changed since its installation; other models pass.

    Args:
        names: the files whose content is checked; None for all. The others must exist.
    """
    if not is_shipped(run.path):
        return
    try:
        files = run.read_record().files or {}
        damage = _find_damage(run, files, names)
    except InputError:
        damage = f"a damaged {run.record.name}" if run.record.exists() else f"no {run.record.name}"
    if damage is not None:
        raise InputError(
            f"{run.path}: expected the model that comes with the program, found {damage};"
            " install the program again"
        )


def check_engine_files(export: RunDirectory) -> None:
    """Checks the checksums of the files that the engine reads. Users may edit the other files."""
    files = export.read_record().files or {export.record.name: 0}
    names = own_names(export)
    of_engine = {name: checksum for name, checksum in files.items() if name not in names}
    damage = _find_damage(export, of_engine)
    if damage is not None:
        raise InputError(
            f"{export.path}: expected an unchanged export, found {damage}; write a new one with"
            " translator export"
        )


def _find_damage(
    run: RunDirectory, files: dict[str, int], names: Collection[str] | None = None
) -> str | None:
    """Finds the first file that is missing or has a wrong checksum, for an error.

    Args:
        names: the files whose content is checked; None for all.
    """
    for name, checksum in files.items():
        path = run.path / name
        if not path.is_file():
            return f"no {name}"
        if (names is None or name in names) and crc32(path) != checksum:
            return f"another {name}"
    return None
