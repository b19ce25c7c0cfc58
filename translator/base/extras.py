"""Packages that translating does not need: extras of the distribution add them."""

import importlib.util

from translator.base.errors import InputError

PACKAGES = frozenset(
    ("PIL", "bpemb", "filelock", "keras", "matplotlib", "ml_dtypes", "pooch", "requests")
    + ("py3langid", "sacrebleu", "tensorflow", "urllib3", "jax", "google", "h5py")
    + ("starlette", "uvicorn", "python_multipart", "sklearn")
)


def missing_package(error: ModuleNotFoundError) -> InputError | None:
    """What to tell a user whose installation is for translating alone.

    Args:
        error: a module that could not be imported.

    Returns:
        An error that names the package and the command that installs it; None if the
        module belongs to no extra, which is a bug or a damaged installation.
    """
    package = (error.name or "").partition(".")[0]
    if package not in PACKAGES:
        return None
    if package == "jax":
        return InputError(
            "jax: expected this package, which training.backend: jax and several processes need,"
            " found it not installed; pip install 'keras-translator[jax-cuda]' adds it for a GPU,"
            " 'keras-translator[jax]' for a CPU"
        )
    if package == "py3langid":
        return InputError(
            "py3langid: expected this package, which identifies languages, found it not installed;"
            " pip install 'keras-translator[inspect]' adds it"
        )
    if package == "sklearn":
        return InputError(
            "sklearn: expected this package, which --method tsne needs, found it not installed;"
            " pip install 'keras-translator[map]' adds it"
        )
    if package in ("starlette", "uvicorn", "python_multipart"):
        return InputError(
            f"{package}: expected this package, which translator serve needs, found it not"
            " installed; pip install 'keras-translator[serve]' adds it"
        )
    return InputError(
        f"{package}: expected this package, which training, scores and pictures need, found it not"
        " installed; pip install 'keras-translator[train]' adds it"
    )


def is_installed(package: str) -> bool:
    """Whether a package can be imported; it is not."""
    return importlib.util.find_spec(package) is not None
