"""Exports a run: the folder that an export is written to, and what it holds."""

import os
from pathlib import Path

from translator.base.errors import InputError
from translator.base.files import remove, whole_folder
from translator.export.ctranslate2 import CTRANSLATE2_FILES, write_ctranslate2
from translator.runs.directory import RunDirectory
from translator.runs.exports import describe_export, own_names


def export_run(
    run: RunDirectory,
    folder: Path | None = None,
    quantization: str = "float32",
) -> Path:
    """Writes the best weights of a run, its tokenizers and its configuration.

    Args:
        folder: the export: new, empty, or an export, whose files are replaced. Other files in
            it stay. None for the run's own export, which `Translator` finds.

    Raises:
        InputError: this is not a trained run, the quantization is unknown, or
            ``folder`` is the run itself, the export of another run, or holds something else
            than an export.
    """
    run.read_record()  # before a folder is made
    folder = folder or run.export
    is_own = folder.resolve() == run.export.resolve()
    old_files = _files_to_replace(run, folder)
    is_swapped = folder.is_dir() and {path.name for path in folder.iterdir()} <= old_files
    if not folder.is_dir() or (is_swapped and not folder.samefile(os.curdir)):
        with whole_folder(folder) as partial:
            _write(run, partial, quantization, is_own)
    else:
        _write_into(folder, old_files, run, quantization, is_own)
    return folder


def _files_to_replace(run: RunDirectory, folder: Path) -> set[str]:
    """The names of the files of the export in a folder, none if the folder is new or empty."""
    if _is_of_another_run(run, folder):
        raise InputError(
            f"{folder}: expected a folder for the export of {run.path}, found the export of another"
            " run; choose another folder"
        )
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder for the export, found a file")
    if run.path.is_dir() and folder.samefile(run.path):
        raise InputError(
            f"{folder}: expected a folder for the export, found the run that is exported; name"
            " another with --out"
        )
    if not any(folder.iterdir()):
        return set()
    export = RunDirectory(folder)
    own = own_names(export) | {export.record.name, *CTRANSLATE2_FILES}
    if run.export.exists() and folder.samefile(run.export):  # whatever became of its record
        return own
    if not export.record.is_file() or not export.read_record().is_export:
        raise InputError(
            f"{folder}: expected a new or empty folder, or an export to replace, found other files"
        )
    return own | set(export.read_record().files or {})


def _is_of_another_run(run: RunDirectory, folder: Path) -> bool:
    """Whether this is where another run has its own export, or would have it."""
    place = Path(os.path.realpath(folder))
    is_in_run = place.name == run.export.name and (place.parent / run.record.name).is_file()
    return is_in_run and place != Path(os.path.realpath(run.export))


def _write(run: RunDirectory, folder: Path, quantization: str, is_own: bool) -> None:
    write_ctranslate2(run, folder, quantization)
    describe_export(run, folder, is_own)


def _write_into(
    folder: Path, old_files: set[str], run: RunDirectory, quantization: str, is_own: bool
) -> None:
    """Replaces the files of an export in a folder that stays, such as the current one.

    The record, which has the checksums of the others, is replaced last: a process that is
    killed leaves an export that is refused, never one of mixed files.
    """
    new = folder / ".new-export"
    with whole_folder(new) as partial:
        _write(run, partial, quantization, is_own)
    record = RunDirectory(new).record.name
    new_files = sorted((path.name for path in new.iterdir()), key=lambda name: name == record)
    for name in old_files - set(new_files):
        remove(folder / name)
    for name in new_files:
        os.replace(new / name, folder / name)
    new.rmdir()
