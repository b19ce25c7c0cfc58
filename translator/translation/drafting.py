"""Drafts of a translation, as greedy search writes them, before the beam is searched."""

from collections.abc import Iterator

from translator.text.memo import texts_of_masks
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.search_options import make_search_options
from translator.translation.translator import Translator


def draft_line(
    translator: Translator, line: SourceLine, options: TranslationOptions
) -> Iterator[str]:
    """Translates a line greedily, token by token.

    Numbers, names and capitals are as the model writes them: what is put back afterwards needs a
    whole sentence.

    Args:
        translator: a loaded run.
        line: from its reader.
        options: how to translate; with a prefix, or to sample, there is no draft.

    Yields:
        The text so far, after each token. Nothing if the engine has all tokens at the same time.
    """
    if options.prefix or options.sample:
        return
    target = translator.tokenizers.target
    search, limits = make_search_options(options, translator.config, target, ())
    space = " " if target.writes_spaces else ""
    before = line.mark
    for sentence in line.sentences:
        if sentence.part.is_aside:  # it stands in the sentence before it
            continue
        text = sentence.passed_on
        if sentence.is_spelt:
            text = ""
            ids: list[int] = []
            written = texts_of_masks(sentence.masks)
            for token in translator.engine.stream(
                sentence.ids, limits.of(len(sentence.ids), search), search
            ):
                ids.append(token)
                text = target.decode(ids).translate(written)
                yield before + text
        before += text + space * bool(text)
