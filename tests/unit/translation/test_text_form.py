"""A text has one form of address, that of its first translation with one."""

from types import SimpleNamespace

from translator.translation.options import TranslationOptions
from translator.translation.results import Hypothesis, Translation
from translator.translation.streaming import TextForm

TAGS = ("formal", "informal")
GERMAN = {  # a source, and what the model makes of it: as it likes, formal, informal
    "all": ("Alle kommen.", "Alle kommen.", "Alle kommen."),
    "you": ("Bist du da?", "Sind Sie da?", "Bist du da?"),
    "You win.": ("Sie gewinnen.", "Sie gewinnen.", "Du gewinnst."),
    "They win.": ("Sie gewinnen.", "Sie gewinnen.", "Sie gewinnen."),
    "your": ("Das ist Ihr Hut.", "Das ist Ihr Hut.", "Das ist dein Hut."),
    "both": ("Ich sehe Sie und dich.", "Ich sehe Sie.", "Ich sehe dich."),
    "title": ("Der Film „Sag du zu mir“.",) * 3,
}


class Scripted:
    """A translator whose translations are written down."""

    def __init__(self, tags=TAGS, language="de"):
        source = SimpleNamespace(tags=tags, language="en")
        self.tokenizers = source, SimpleNamespace(language=language)
        self.asked = []

    def translate(self, lines, options):
        self.asked += lines
        column = 0 if options.formality is None else 1 + TAGS.index(options.formality)
        texts = [GERMAN[line][column] for line in lines]
        return [
            Translation(line, (Hypothesis(text, (), 0.0, 0.0),)) for line, text in zip(lines, texts)
        ]


def kept(parts, translator, options=None):
    """The columns of `GERMAN` that the translations of a text's parts have, and what was asked."""
    options = options or TranslationOptions()
    form = TextForm(translator, options)
    columns = []
    for part in parts:
        translations = form.keep(Scripted().translate(part, options))
        columns += [GERMAN[each.source].index(each.text) for each in translations]
    return columns, translator.asked


def test_the_first_form_stays_and_only_other_ones_are_translated_again():
    rows = [
        ([["all", "you", "your", "both"]], [0, 0, 2, 2], ["your", "both"]),
        ([["all", "your", "you", "all"]], [0, 0, 1, 0], ["you"]),
        ([["all"], ["you"], ["all"], ["your"]], [0, 0, 0, 2], ["your"]),  # as they arrive
        ([["both", "you"]], [1, 1], ["both", "you"]),  # it begins with "Sie"
        ([["you", "You win.", "They win."]], [0, 2, 0], ["You win."]),
        ([["your", "title"]], [0, 0], ["title"]),  # which the model writes in no other form
    ]
    for parts, columns, asked in rows:
        assert kept(parts, Scripted()) == (columns, asked), parts


def test_nothing_is_translated_again_where_the_form_is_asked_for_or_cannot_be():
    for translator, options in [
        (Scripted(tags=("bt",)), TranslationOptions()),
        (Scripted(language="fr"), TranslationOptions()),
        (Scripted(), TranslationOptions(sample=True)),
    ]:
        assert kept([["you", "your"]], translator, options) == ([0, 0], [])
    assert kept([["you", "your"]], Scripted(), TranslationOptions(formality="formal"))[1] == []
