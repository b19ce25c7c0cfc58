"""What add-ons say of translations: how likely they are right, and why a line is doubtful."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from translator.base.addons import Hook

if TYPE_CHECKING:
    from translator.translation.translator import Translator

ASSESSORS: Hook[Callable[["Translator"], Any]] = Hook("assessors")
"""Add-ons that open the assessor of a run, as `addons.confidence.assessor.Assessor`; None of a run
that has none."""

DOUBTS: Hook[Mapping[str, str]] = Hook("doubts")
"""The kinds of doubts that add-ons have, with what a summary says of lines with such a doubt."""
