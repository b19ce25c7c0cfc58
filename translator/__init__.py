"""An English-German Transformer to train, to use and to look into.

    from translator import load

    translator = load("checkpoints/demo")
    [translation] = translator.translate("He admired her as a great director.")
    print(translation.text)

Importing this package does not start TensorFlow or Keras: each name below is loaded when it
is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from translator.base.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from translator.addons.attention.heat_maps import plot_attention
    from translator.addons.attention.record_files import load_records, save_records
    from translator.base.errors import InputError
    from translator.config.schema import Config, ModelConfig
    from translator.config.yaml_file import read_config
    from translator.model.transformer import Transformer
    from translator.training.start import train
    from translator.translation.options import TranslationOptions
    from translator.translation.records import AttentionRecord
    from translator.translation.results import (
        Doubt,
        Hypothesis,
        Score,
        Translation,
        WordConfidence,
    )
    from translator.translation.translator import Translator

_MODULES = {
    "AttentionRecord": "translation.records",
    "Config": "config.schema",
    "Doubt": "translation.results",
    "Hypothesis": "translation.results",
    "InputError": "base.errors",
    "ModelConfig": "config.model",
    "Score": "translation.results",
    "Transformer": "model.transformer",
    "Translation": "translation.results",
    "TranslationOptions": "translation.options",
    "Translator": "translation.translator",
    "WordConfidence": "translation.results",
    "load_records": "addons.attention.record_files",
    "plot_attention": "addons.attention.heat_maps",
    "read_config": "config.yaml_file",
    "save_records": "addons.attention.record_files",
    "train": "training.start",
}

__all__ = [
    "AttentionRecord",
    "Config",
    "Doubt",
    "Hypothesis",
    "InputError",
    "ModelConfig",
    "Score",
    "Transformer",
    "Translation",
    "TranslationOptions",
    "Translator",
    "WordConfidence",
    "__version__",
    "load",
    "load_records",
    "plot_attention",
    "read_config",
    "save_records",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'translator' has no attribute {name!r}")
    if name == "Transformer":
        from translator.base.keras_startup import start_keras

        start_keras()
    try:
        return getattr(importlib.import_module(f"translator.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        from translator.base.errors import missing_package

        raise missing_package(error) or error from None


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def load(run_dir: "str | Path", engine: str | None = None) -> "Translator":
    """Loads a trained run.

    Args:
        run_dir: a directory that ``translator train`` wrote, an export of it, or the name of a
            model that comes with the program, such as ``en-de``.
        engine: ``keras`` or ``ctranslate2``; None takes CTranslate2 if the run has an export.

    Returns:
        The run, ready to translate and to show its attention.

    Raises:
        InputError: ``run_dir`` is not a path, the directory is not a run, or its weights belong to
            another run or do not fit its configuration.
    """
    from translator.translation.translator import Translator

    return Translator(run_dir, engine)
