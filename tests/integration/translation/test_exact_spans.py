"""Addresses, placeholders, tags and the like come through any model exactly once."""

import re
import shutil

import pytest

import translator
from translator.text.punctuation import plain_word
from translator.text.word_table import WordTable
from translator.translation.options import TranslationOptions

CARRIED = {
    "The man sees https://example.com/a?b=1.": ["https://example.com/a?b=1"],
    "the {0} and {1} of {2}, %s": ["{0}", "{1}", "{2}", "%s"],
    "Write to <tom@example.com> or read /etc/hosts and report.pdf!": [
        "<tom@example.com>", "/etc/hosts", "report.pdf"
    ],
    "v2.10.3 costs -5.5 at 9:00-17:30 on 2024-03-05, 10 000 times 3/4": [
        "v2.10.3", "-5,5", "9:00-17:30", "2024-03-05", "10.000", "3/4"
    ],
    "The <b>old <i>man</i></b> sees<br/> the <a href='https://x.de'>cat</a>. 🎉": [
        "<b>", "<i>", "</i>", "</b>", "<br/>", "<a href='https://x.de'>", "</a>", "🎉"
    ],
    "<b>The man came. The cat came too.</b> 👩‍👩‍👧": ["<b>", "</b>", "👩‍👩‍👧"],
    "THE MAN SEES https://Example.com/Aß AND {Name}!": ["https://Example.com/Aß", "{Name}"],
    "The cat saw https://x.de/" + 300 * "a.b/" + ".": ["https://x.de/" + 300 * "a.b/"],
    "The cat\u200b saw\u3000{0} ▁ and\u00ad {1}.": ["{0}", "{1}"],
    "<b>" * 300 + "The cat" + "</b>" * 300: ["<b>", "</b>"] * 300,
    "The <i>cat <b>saw</i> the</b> man </u> <p>": ["<i>", "</i>", "<b>", "</b>", "</u>", "<p>"],
}  # fmt: skip


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_spans_come_through_exactly_once(tiny_on, engine):
    """The tiny model knows none of the stand-ins, so that most spans are inserted."""
    lines = dict([*CARRIED.items()][: 3 if engine == "keras" else None])  # it compiles for each
    translations = tiny_on(engine).translate(lines, TranslationOptions(n_best=2))
    for (source, carried), translation in zip(lines.items(), translations):
        for hypothesis in translation.hypotheses:
            counts = {text: hypothesis.text.count(text) for text in carried}
            assert counts == {text: carried.count(text) for text in carried}, hypothesis.text
            assert hypothesis.text.count("<") == source.count("<")


def test_spans_alone_are_not_given_to_the_model(tiny_translator):
    for line, text in [
        ("https://x.de/a", "https://x.de/a"),
        ("🎉 {0} <br/>", "🎉 {0} <br/>"),
        ("<b>v2.10.3</b>!", "<b>v2.10.3</b>!"),
        ("10 000", "10.000"),
        ("2024-03-05, -5.5", "2024-03-05, -5,5"),
    ]:
        [translation] = tiny_translator.translate([line])
        assert translation.text == text
        assert translation.hypotheses[0].ids == ()


def test_raw_gives_the_model_everything(tiny_translator):
    [translation] = tiny_translator.translate("<b>The cat</b>.", TranslationOptions(raw=True))
    assert "<b>" not in translation.text
    [sentence] = (
        tiny_translator.make_reader(TranslationOptions(raw=True)).read("<b>a", "").sentences
    )
    assert sentence.shown.text == "<b>a"


def test_a_prefix_with_a_span_has_it_once(tiny_translator):
    options = TranslationOptions(prefix="{0} ist")
    [translation] = tiny_translator.translate("{0} is a cat and {1} too.", options)
    assert translation.text.startswith("{0} ist")
    assert (translation.text.count("{0}"), translation.text.count("{1}")) == (1, 1)


def test_the_words_of_a_run_say_where_tags_belong(tiny_run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tiny_run, folder)
    words = WordTable.load(folder / "source.words")
    plain = translator.load(folder).translate("The cat saw the man.")[0].text.split()
    for place, word in enumerate(plain):
        if not plain_word(word):  # a mark alone
            continue
        translated = {**words["cat"], "to": {plain_word(word): 100}}
        WordTable.of({**words, "cat": translated}).save(folder / "source.words")
        [translation] = translator.load(folder).translate("The <b>cat</b> saw the man.")
        assert translation.text.split()[place].startswith("<b>")


def test_attention_is_asked_for_only_where_something_is_put_back(tiny_run, monkeypatch):
    model = translator.load(tiny_run, "ctranslate2")
    asked = []
    search = model.engine.search

    def record(sentences, max_lengths, options):
        asked.append((len(sentences), options.return_alignment))
        return search(sentences, max_lengths, options)

    monkeypatch.setattr(model.engine, "search", record)
    model.translate(["The cat saw the man.", "The man came.", "The cat saw <b>it</b>."])
    assert sorted(asked) == [(1, True), (2, False)]


def test_long_sentences_are_cut_around_spans(tiny_translator):
    line = "The cat, " * 30 + "https://x.de/a,b and " + "the man 10 000 " * 10
    [translation] = tiny_translator.translate([line])
    assert translation.text.count("https://x.de/a,b") == 1
    assert len(re.findall(r"10\.000", translation.text)) == 10
