"""An English-German Transformer to train, to use and to look into.

import translator

model = translator.load("checkpoints/demo")
[translation] = model.translate(["He admired her as a great director."])
print(translation.text)
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translator.decoding.translate import Translator

__version__ = "0.1.0"
__all__ = ["load", "__version__"]


def load(run_dir: str | Path, engine: str | None = None) -> "Translator":
    """Opens a trained run.

    Args:
        run_dir: as `translator train` wrote it, or an export of it.
        engine: ``keras`` or ``ctranslate2``; None takes CTranslate2 where there is an export.

    Returns:
        An object that translates and shows its attention.

    Raises:
        translator.errors.InputError: it is not a run directory, or its weights
            do not fit its configuration.
    """
    from translator.decoding.translate import Translator
    from translator.run import RunDirectory

    return Translator(RunDirectory(run_dir), engine)
