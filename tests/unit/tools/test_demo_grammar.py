"""The demo corpus's grammar: inflection, drawing, and the file that it writes."""

import json
from itertools import islice

from tools.demo_grammar import draw_corpus, draw_pairs, english, german
from tools.demo_grammar.circumstances import region
from tools.demo_grammar.clauses import (
    Clause,
    imperative,
    infinitive,
    main_clause,
    question,
    subordinate,
)
from tools.demo_grammar.deeds import accusative
from tools.demo_grammar.lexicon import lexicon
from tools.demo_grammar.noun_phrases import (
    a,
    bare,
    it,
    noun_phrase,
    possessive,
    prepositional,
    pronoun,
    the,
)
from tools.demo_grammar.numbers_and_times import (
    digital_clock,
    german_number,
    half_hour,
    on_date,
)
from tools.demo_grammar.phrases import Phrase, pair
from tools.demo_grammar.shipped import format_corpus, read_text, write_corpus
from translator.corpora.demo import DemoCorpus, load_demo_corpus
from translator.corpora.demo.pairs import PAIRS

CASES = ("nom", "acc", "dat", "gen")


def text(phrase: Phrase) -> str:
    return " ".join(word.text for word in phrase.german)


def forms(determiner, noun: str, plural: bool = False) -> list[str]:
    words = lexicon()
    phrase = noun_phrase(words.noun(noun), determiner, (words.adjective("new"),), plural)
    return [text(phrase.render(case)) for case in CASES]


# Inflection -------------------------------------------------------------------------------------


def test_articles_adjectives_and_nouns_agree_in_every_case():
    for determiner, noun, plural, expected in [
        (the, "table", False, "der neue Tisch|den neuen Tisch|dem neuen Tisch|des neuen Tisches"),
        (the, "lamp", False, "die neue Lampe|die neue Lampe|der neuen Lampe|der neuen Lampe"),
        (the, "bed", False, "das neue Bett|das neue Bett|dem neuen Bett|des neuen Bettes"),
        (the, "hat", True, "die neuen Hüte|die neuen Hüte|den neuen Hüten|der neuen Hüte"),
        (a, "hat", False, "ein neuer Hut|einen neuen Hut|einem neuen Hut|eines neuen Hutes"),
        (a, "lamp", False, "eine neue Lampe|eine neue Lampe|einer neuen Lampe|einer neuen Lampe"),
        (a, "bed", False, "ein neues Bett|ein neues Bett|einem neuen Bett|eines neuen Bettes"),
        (bare, "wine", False, "neuer Wein|neuen Wein|neuem Wein|neuen Weins"),
        (bare, "milk", False, "neue Milch|neue Milch|neuer Milch|neuer Milch"),
        (bare, "beer", False, "neues Bier|neues Bier|neuem Bier|neuen Biers"),
        (bare, "lamp", True, "neue Lampen|neue Lampen|neuen Lampen|neuer Lampen"),
        (
            possessive("1pl"),
            "car",
            True,
            "unsere neuen Autos|unsere neuen Autos|unseren neuen Autos|unserer neuen Autos",
        ),
    ]:
        assert forms(determiner, noun, plural=plural) == expected.split("|")


def test_nouns_decline():
    for noun, singular, dative_plural in [
        ("boy", "Junge Jungen Jungen Jungen", "Jungen"),
        ("student", "Student Studenten Studenten Studenten", "Studenten"),
        ("gentleman", "Herr Herrn Herrn Herrn", "Herren"),
        ("bear", "Bär Bären Bären Bären", "Bären"),
        ("child", "Kind Kind Kind Kindes", "Kindern"),
        ("bus", "Bus Bus Bus Busses", "Bussen"),
        ("car", "Auto Auto Auto Autos", "Autos"),
        ("teacher", "Lehrer Lehrer Lehrer Lehrers", "Lehrern"),
    ]:
        entry = lexicon().noun(noun)
        assert [german.decline(entry, case) for case in CASES] == singular.split()
        assert german.decline(entry, "dat", plural=True) == dative_plural


def test_verbs_conjugate():
    for verb, present, past, participle in [
        ("buy", "kaufe kaufst kauft kaufen", "kaufte kauften", "gekauft"),
        ("read", "lese liest liest lesen", "las lasen", "gelesen"),
        ("work", "arbeite arbeitest arbeitet arbeiten", "arbeitete arbeiteten", "gearbeitet"),
        ("open", "öffne öffnest öffnet öffnen", "öffnete öffneten", "geöffnet"),
        ("come", "komme kommst kommt kommen", "kam kamen", "gekommen"),
        ("dance", "tanze tanzt tanzt tanzen", "tanzte tanzten", "getanzt"),
        ("smile", "lächle lächelst lächelt lächeln", "lächelte lächelten", "gelächelt"),
        ("celebrate", "feiere feierst feiert feiern", "feierte feierten", "gefeiert"),
        ("correct", "korrigiere korrigierst korrigiert korrigieren", "korrigierte korrigierten",
         "korrigiert"),
        ("visit", "besuche besuchst besucht besuchen", "besuchte besuchten", "besucht"),
        ("call", "rufe rufst ruft rufen", "rief riefen", "angerufen"),
        ("prepare", "bereite bereitest bereitet bereiten", "bereitete bereiteten", "vorbereitet"),
        ("must", "muss musst muss müssen", "musste mussten", "gemusst"),
    ]:  # fmt: skip
        entry = lexicon().verb(verb)
        assert [german.present(entry, p) for p in ("1sg", "2sg", "3sg", "3pl")] == present.split()
        assert [german.preterite(entry, p) for p in ("3sg", "1pl")] == past.split()
        assert german.participle(entry) == participle


def calls_mother(tense: str = "present", modal: str = "", subject: str = "3sg.m") -> Clause:
    words = lexicon()
    mother = noun_phrase(words.noun("mother"), possessive("3sg.m"))
    clause = Clause(pronoun(subject), words.verb("call"), tense)
    clause.modal = words.verb(modal) if modal else None
    clause.parts.append(accusative(mother))
    return clause


def test_separable_verbs_split_and_join():
    mother = "seine Mutter"
    that, yesterday = pair("that", "dass"), pair("yesterday", "gestern")
    assert text(main_clause(calls_mother())) == f"er ruft {mother} an"
    assert text(main_clause(calls_mother("past"), yesterday)) == f"gestern rief er {mother} an"
    assert text(main_clause(calls_mother("perfect"))) == f"er hat {mother} angerufen"
    assert text(main_clause(calls_mother(modal="want to"))) == f"er will {mother} anrufen"
    assert text(question(calls_mother())) == f"ruft er {mother} an"
    assert text(subordinate(calls_mother(), that)) == f"dass er {mother} anruft"
    assert text(subordinate(calls_mother("perfect"), that)) == f"dass er {mother} angerufen hat"
    assert text(infinitive(calls_mother(), purpose=True)) == f"um {mother} anzurufen"
    assert text(imperative(calls_mother(subject="formal"))) == f"bitte rufen Sie {mother} an"
    assert text(imperative(calls_mother(subject="2sg"))) == f"bitte ruf {mother} an"


def test_reflexive_pronoun_follows_the_subject():
    hurry = lexicon().verb("hurry")
    said = [text(main_clause(Clause(pronoun(p), hurry))) for p in ("1sg", "2sg", "1pl", "formal")]
    expected = ["ich beeile mich", "du beeilst dich", "wir beeilen uns", "Sie beeilen sich"]
    assert said == expected


def test_prepositions_contract_with_the_article():
    def in_the(noun: str, case: str) -> str:
        return text(prepositional("in", "in", case, noun_phrase(lexicon().noun(noun), the)))

    assert [in_the("shop", "dat"), in_the("shop", "acc")] == ["im Laden", "in den Laden"]
    assert [in_the("cinema", "dat"), in_the("cinema", "acc")] == ["im Kino", "ins Kino"]
    assert in_the("school", "dat") == "in der Schule"


def test_places_take_their_article():
    entry = lexicon().name
    assert text(region(entry("Spain"), "to")) == "nach Spanien"
    assert text(region(entry("Switzerland"), "to")) == "in die Schweiz"
    assert text(region(entry("Switzerland"), "from")) == "aus der Schweiz"
    assert text(region(entry("the Netherlands"), "in")) == "in den Niederlanden"


def test_it_takes_the_gender_of_the_thing():
    def pronouns(noun: str) -> list[str]:
        phrase = it(noun_phrase(lexicon().noun(noun), the))
        return [text(phrase.render(case)) for case in ("nom", "acc")]

    assert pronouns("table") == ["er", "ihn"]
    assert pronouns("lamp") == ["sie", "sie"]
    assert pronouns("bed") == ["es", "es"]


def test_times_and_numbers_are_written_as_in_german():
    assert text(half_hour(3)) == "um halb vier"
    assert text(half_hour(12)) == "um halb eins"
    assert text(digital_clock(7, 30)) == "um 7:30 Uhr"
    assert text(on_date(3, 4)) == "am 3. Mai"
    assert [german_number("12,500"), german_number("1.5")] == ["12.500", "1,5"]


def test_english_inflects():
    words = lexicon()
    assert [english.plural(words.noun(n)) for n in ("knife", "city", "box")] == [
        "knives", "cities", "boxes",
    ]  # fmt: skip
    assert english.present(words.verb("look for"), "3sg") == "looks for"
    assert [english.past(words.verb(v), "3sg") for v in ("plan", "tidy up", "go")] == [
        "planned", "tidied up", "went",
    ]  # fmt: skip
    assert [english.comparative(words.adjective(w)) for w in ("big", "funny", "boring")] == [
        "bigger", "funnier", "more boring",
    ]  # fmt: skip
    assert [english.indefinite_article(w) for w in ("egg", "old", "university", "hour")] == [
        "an", "an", "a", "an",
    ]  # fmt: skip


# The pairs --------------------------------------------------------------------------------------


def test_the_lexicon_has_the_promised_size():
    words = lexicon()
    entries = (*words.nouns, *words.verbs, *words.adjectives, *words.adverbs, *words.names)
    different = {(e.english, e.german) for e in entries}  # type: ignore[attr-defined]
    assert len(different) >= 600


def test_equal_seeds_draw_equal_pairs():
    first, second, other = (list(islice(draw_pairs(seed), 300)) for seed in (3, 3, 4))
    assert first == second
    assert first != other


def test_drawing_is_the_same_on_every_platform():
    drawn = next(draw_pairs(0))
    assert (drawn.source, drawn.target) == (
        "The email was boring, but the guest read it.",
        "Die E-Mail war langweilig, aber der Gast las sie.",
    )


# The file ---------------------------------------------------------------------------------------


def test_the_grammar_writes_the_file_that_comes_with_the_program(tmp_path):
    """Bit by bit as text; the bytes of the archive are those of one version of liblzma."""
    drawn = draw_corpus()
    assert format_corpus(drawn) == read_text(PAIRS)
    before = PAIRS.stat().st_mtime_ns
    assert not write_corpus(drawn, PAIRS, tmp_path / "identity.json")
    assert PAIRS.stat().st_mtime_ns == before, "equal pairs leave the file as it is"


def test_other_pairs_get_another_file_and_another_identity(tmp_path):
    corpus = load_demo_corpus()
    path, identity = tmp_path / "pairs.tsv.xz", tmp_path / "identity.json"
    few = DemoCorpus(corpus.train[:9], corpus.validation[:2], corpus.test[:3])
    assert write_corpus(few, path, identity)
    assert read_text(path) == format_corpus(few)
    assert list(json.loads(identity.read_text())) == ["pairs.tsv"]
    assert not write_corpus(few, path, identity)
