"""Packages that translating does not need: extras of the distribution add them."""

from translator.base.errors import InputError

PACKAGES = frozenset(
    ("PIL", "bpemb", "filelock", "keras", "matplotlib", "ml_dtypes", "pooch", "requests")
    + ("sacrebleu", "tensorflow", "urllib3", "jax")
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
    extra = "jax" if package == "jax" else "train"
    return InputError(
        f"{package}: expected this package, which training, scores and pictures need, found it not"
        f" installed; pip install 'keras-translator[{extra}]' adds it"
    )
