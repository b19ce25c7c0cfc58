"""Errors that a user can correct; packages of extras that are missing are such."""

import importlib.util
import sys
from pathlib import Path


class InputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line that says what was expected, what was found and
    what to do. The command line prints it on standard error and ends with exit
    code 2; every other exception is a bug in the program and shows its
    traceback.
    """


_TRAINING = ("training, scores and pictures need", "train")
_SERVING = ("translator serve needs", "serve")
PACKAGES = {  # of each package of an extra: what needs it, and the extra
    **dict.fromkeys(
        ("bpemb", "filelock", "keras", "matplotlib", "ml_dtypes", "pooch", "requests")
        + ("sacrebleu", "tensorflow", "urllib3", "google", "h5py"),
        _TRAINING,
    ),
    **dict.fromkeys(("starlette", "uvicorn", "python_multipart"), _SERVING),
    "jax": ("training.backend: jax and several processes need (on a GPU jax-cuda)", "jax"),
    "lxml": ("Word and OpenDocument need", "documents"),
    "ftfy": ("finds misread text", "inspect"),
    "pyarrow": ("Parquet needs", "pairs"),
    "py3langid": ("identifies languages", "inspect"),
    "safetensors": ("translator import needs", "train"),
    "tensorboard": ("training.tensorboard needs", "tensorboard"),
}


def adding(extra: str) -> str:
    """The command that adds an extra to this Python, from where the program was installed."""
    import shlex  # takes time, as does the next
    from importlib import metadata

    is_installed = any(metadata.distributions(name="keras-translator"))
    program = "keras-translator" if is_installed else Path(__file__).parents[2]
    return f"{sys.executable} -m pip install {shlex.quote(f'{program}[{extra}]')}"


def missing_package(error: ModuleNotFoundError) -> InputError | None:
    """What to tell a user whose installation is for translating alone."""
    package = (error.name or "").partition(".")[0]
    if package not in PACKAGES:
        return None
    need, extra = PACKAGES[package]
    return InputError(
        f"{package}: expected this package, which {need}, found it not installed;"
        f" {adding(extra)} adds it"
    )


def is_installed(package: str) -> bool:
    """Whether a package can be imported; it is not."""
    return importlib.util.find_spec(package) is not None
