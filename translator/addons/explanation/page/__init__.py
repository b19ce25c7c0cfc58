"""Writes an explanation as one HTML file that shows numbers as coloured cells; no TensorFlow.

The file needs no network and no other file. It stores numbers in float32.
"""

import base64
from importlib import resources
from typing import Any

import numpy as np

from translator.addons.explanation.diagram import Place, architecture_lines, diagram_halves
from translator.addons.explanation.explain import Explanation
from translator.addons.explanation.next_tokens import EXPLAINED, WITHOUT
from translator.addons.explanation.steps import GROUPS, Step
from translator.addons.page.offline_page import offline_page
from translator.translation.records import KINDS

PAGE = resources.files("translator.addons.explanation.page")
SCRIPTS = ("data", "colours", "grid", "pair", "next_tokens", "tree", "page")


def explanation_html(explanation: Explanation) -> str:
    """Makes a page with a slider through the steps.

    Returns:
        The HTML document, to be written as UTF-8.
    """
    labels, model = explanation.labels, explanation.model
    place = Place(explanation.kind, explanation.layer, explanation.head)
    languages = model.source_language, model.target_language
    title = f"The model, with layer {place.layer}, head {place.head}"
    data = {
        "model": model._asdict(),
        "diagram": diagram_halves(explanation.architecture, title, languages, place),
        "source": explanation.source,
        "target": explanation.target,
        "kind": explanation.kind,
        "kindName": KINDS[explanation.kind],
        "layer": explanation.layer,
        "head": explanation.head,
        "row": explanation.row,
        "labels": labels._asdict(),
        "ids": {"source": explanation.source_ids, "reads": explanation.target_ids},
        "parts": "\n".join(architecture_lines(explanation.architecture)),
        "groups": GROUPS,
        "steps": [_step(step) for step in explanation.steps],
        "output": {"formula": explanation.output_formula, "text": EXPLAINED},
        "following": [tokens._asdict() for tokens in explanation.following],
        "silence": WITHOUT,
        "without": [tokens._asdict() for tokens in explanation.without],
        "branches": [branch._asdict() for branch in explanation.branches],
    }
    return offline_page(
        "One head, step by step",
        PAGE / "explanation.html",
        [PAGE / "explanation.css", PAGE / "diagram.css"],
        [PAGE / f"{name}.js" for name in SCRIPTS],
        data,
    )


def _step(step: Step) -> dict[str, Any]:
    numbers = np.ascontiguousarray(step.numbers, dtype="<f4")
    return {
        "name": step.name,
        "formula": step.formula,
        "text": step.text,
        "rows": step.rows,
        "columns": step.columns,
        "kind": step.kind,
        "group": step.group,
        "isOfKeys": step.is_of_keys,
        "width": step.numbers.shape[1],
        "numbers": base64.b64encode(numbers.tobytes()).decode("ascii"),
    }
