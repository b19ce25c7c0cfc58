"""What the benchmarks of translations share: sentences, and the precision of a run."""

from pathlib import Path
from typing import Any

import yaml

from translator.evaluation.run_evaluation import load_split, pairs_of
from translator.evaluation.scores import gather_references
from translator.runs.exports import find_export
from translator.translation.translator import Translator

References = dict[str, list[str]]
SENTENCES: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("sentences.yaml").read_text("utf-8")
)


def read_split(opened: Translator, split: str, most: int | None = None) -> References:
    """Different sentences of a split of the run's corpus, each with all of its translations."""
    return dict(list(gather_references(pairs_of(load_split(opened, split))).items())[:most])


def precision_of(opened: Translator) -> str:
    """What the products of a run are computed in."""
    if opened.engine.name == "keras":
        return "float32"
    import ctranslate2

    export = find_export(opened.run, required=True)
    return str(ctranslate2.Translator(str(export)).compute_type).removesuffix("_float32")
