"""Errors that a user can correct, such as missing packages of extras."""

import importlib.util
import sys
from pathlib import Path


class InputError(ValueError):
    """Input of the user is wrong.

    The message is one line that says what was expected, what was found and what to do. The
    command line prints it on standard error and ends with exit code 2. Every other exception is a
    bug in the program and shows its traceback.
    """


_TRAINING = ("training, scores and pictures", "train")
_SERVING = ("translator serve", "serve")
PACKAGES = {  # for each package of an extra: the feature that needs it, and the extra
    **dict.fromkeys(
        ("bpemb", "filelock", "keras", "matplotlib", "ml_dtypes", "pooch", "requests")
        + ("sacrebleu", "tensorflow", "urllib3", "google", "h5py"),
        _TRAINING,
    ),
    **dict.fromkeys(("starlette", "uvicorn", "python_multipart"), _SERVING),
    "jax": ("training.backend: jax and several processes (on a GPU: jax-cuda)", "jax"),
    "lxml": ("Word and OpenDocument files", "documents"),
    "ftfy": ("finding misread text", "inspect"),
    "pyarrow": ("Parquet files", "pairs"),
    "py3langid": ("finding the language of a text", "inspect"),
    "safetensors": ("translator import", "train"),
    "tensorboard": ("training.tensorboard", "tensorboard"),
}


def install_command(extra: str) -> str:
    """The command that installs an extra from the source from which the program was installed."""
    import shlex  # this import and the next one are slow
    from importlib import metadata

    is_installed = any(metadata.distributions(name="keras-translator"))
    program = "keras-translator" if is_installed else Path(__file__).parents[2]
    return f"{sys.executable} -m pip install {shlex.quote(f'{program}[{extra}]')}"


def missing_package(error: ModuleNotFoundError) -> InputError | None:
    """The error for a user whose installation lacks an extra; None for other packages."""
    package = (error.name or "").partition(".")[0]
    if package not in PACKAGES:
        return None
    feature, extra = PACKAGES[package]
    return InputError(
        f"{package}: expected this package for {feature}, found it not installed;"
        f" {install_command(extra)} adds it"
    )


def is_installed(package: str) -> bool:
    """Whether a package can be imported. The package is not imported for this."""
    return importlib.util.find_spec(package) is not None
