"""Drafts: what greedy search writes, token by token."""

import pytest

import translator
from translator import TranslationOptions
from translator.search.engine import SearchOptions
from translator.translation.drafting import draft_line

LINE = "The man sees the cat. The dog loves the house."


@pytest.mark.parametrize("min_length", [1, 12])
def test_streamed_tokens_are_those_of_greedy_search(tiny_translator, min_length):
    engine = tiny_translator.engine
    [ids] = tiny_translator.tokenizers.source.encode(["The man sees the cat."])
    options = SearchOptions(beam_size=1, min_length=min_length)
    for limit in (min_length + 2, 20):
        [[found]] = engine.search([ids], [limit], options)
        assert list(engine.stream(ids, limit, options)) == list(found.ids)


def test_a_draft_grows_to_the_greedy_translation_of_all_sentences(tiny_translator):
    options = TranslationOptions(beam_size=1)
    line = tiny_translator.make_reader(options).read(LINE, "line")
    drafts = list(draft_line(tiny_translator, line, options))
    [translation] = tiny_translator.translate(LINE, options)
    assert drafts[-1] == translation.text
    assert len(drafts) > 10
    for shorter, longer in zip(drafts, drafts[1:]):
        assert longer.startswith(shorter)


def test_what_opens_a_line_begins_each_draft(tiny_translator):
    line = tiny_translator.make_reader().read("- The man sees the cat.", "line")
    drafts = list(draft_line(tiny_translator, line, TranslationOptions()))
    assert drafts[-1] == "- Der Mann sieht die Katze."
    assert all(draft.startswith("- ") for draft in drafts)


def test_a_draft_has_the_words_of_a_sentence_without_its_asides(tiny_translator):
    line = tiny_translator.make_reader().read("The man (in the house) sees the cat.", "line")
    drafts = list(draft_line(tiny_translator, line, TranslationOptions()))
    assert drafts[-1] == "Der Mann sieht die Katze."


def test_there_is_no_draft_with_a_prefix_or_with_keras(tiny_translator, tiny_run):
    with_prefix = TranslationOptions(prefix="Die")
    line = tiny_translator.make_reader(with_prefix).read(LINE, "line")
    assert list(draft_line(tiny_translator, line, with_prefix)) == []
    keras = translator.load(tiny_run, "keras")
    assert list(draft_line(keras, line, TranslationOptions())) == []
