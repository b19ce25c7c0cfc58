"""What this add-on gives to the core: lines and pages of records, the film of a training."""

from collections.abc import Sequence

from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers
from translator.training.hooks import COMMANDS_AFTERWARDS, WATCHERS, Watcher
from translator.translation.records import RECORD_PAGES, AttentionRecord


def _page(records: Sequence[AttentionRecord]) -> str:
    from translator.addons.attention.page import explorer_html

    return explorer_html(records)


def _film(
    config: Config, tokenizers: Tokenizers, run: RunDirectory, updates: int
) -> Watcher | None:
    """What films a training; None if its configuration names no sentence."""
    if not config.film:
        return None
    from translator.addons.attention.filming import Film

    return Film(config, tokenizers, run, updates).take


RECORD_PAGES.register(_page)
WATCHERS.register(_film)
COMMANDS_AFTERWARDS.register('translator attention --run {run} "A sentence."')
