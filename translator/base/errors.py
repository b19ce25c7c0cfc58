"""Errors that a user can correct; packages of extras that are missing are such."""

import importlib.util


class InputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line that says what was expected, what was found and
    what to do. The command line prints it on standard error and ends with exit
    code 2; every other exception is a bug in the program and shows its
    traceback.
    """


INSTALLED = "pip install 'keras-translator[{}]' adds it"
_TRAINING = ("training, scores and pictures need", INSTALLED.format("train"))
_SERVING = ("translator serve needs", INSTALLED.format("serve"))
PACKAGES = {  # of each package of an extra: what needs it, and how it is installed
    **dict.fromkeys(
        ("bpemb", "filelock", "keras", "matplotlib", "ml_dtypes", "pooch", "requests")
        + ("sacrebleu", "tensorflow", "urllib3", "google", "h5py"),
        _TRAINING,
    ),
    **dict.fromkeys(("starlette", "uvicorn", "python_multipart"), _SERVING),
    "jax": (
        "training.backend: jax and several processes need",
        f"{INSTALLED.format('jax-cuda')} for a GPU, 'keras-translator[jax]' for a CPU",
    ),
    "lxml": ("Word and OpenDocument need", INSTALLED.format("documents")),
    "ftfy": ("finds misread text", INSTALLED.format("inspect")),
    "pyarrow": ("Parquet needs", INSTALLED.format("pairs")),
    "py3langid": ("identifies languages", INSTALLED.format("inspect")),
    "safetensors": ("translator import needs", INSTALLED.format("train")),
}


def missing_package(error: ModuleNotFoundError) -> InputError | None:
    """What to tell a user whose installation is for translating alone."""
    package = (error.name or "").partition(".")[0]
    if package not in PACKAGES:
        return None
    need, advice = PACKAGES[package]
    return InputError(
        f"{package}: expected this package, which {need}, found it not installed; {advice}"
    )


def is_installed(package: str) -> bool:
    """Whether a package can be imported; it is not."""
    return importlib.util.find_spec(package) is not None
