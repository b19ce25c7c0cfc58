"""German inflection: articles, adjective endings, nouns, pronouns and verbs.

Cases are "nom", "acc", "dat" and "gen"; genders are "m", "f" and "n", with "p" for the plural of
all three. Persons are "1sg" to "3pl"; the polite "Sie" is conjugated like "3pl".
"""

import re
from functools import cache

from tools.demo_grammar.lexicon import Noun, Verb


def _table(text: str) -> dict[str, dict[str, str]]:
    """Reads a table of case by gender, laid out as in a grammar book."""
    columns, *rows = (line.split() for line in text.strip().splitlines())
    return {case: dict(zip(columns, forms, strict=True)) for case, *forms in rows}


DEFINITE = _table("""
         m    f    n    p
    nom  der  die  das  die
    acc  den  die  das  die
    dat  dem  der  dem  den
    gen  des  der  des  der
""")
RELATIVE = _table("""
         m       f      n       p
    nom  der     die    das     die
    acc  den     die    das     die
    dat  dem     der    dem     denen
    gen  dessen  deren  dessen  deren
""")
# dieser, jeder, welcher and adjectives without an article: "kalter Kaffee"
STRONG_ENDINGS = _table("""
         m   f   n   p
    nom  er  e   es  e
    acc  en  e   es  e
    dat  em  er  em  en
    gen  en  er  en  er
""")
# after der, dieser, jeder: "der kalte Kaffee"
WEAK_ENDINGS = _table("""
         m   f   n   p
    nom  e   e   e   en
    acc  en  e   e   en
    dat  en  en  en  en
    gen  en  en  en  en
""")
# after ein, kein, mein: "ein kalter Kaffee"
MIXED_ENDINGS = _table("""
         m   f   n   p
    nom  er  e   es  en
    acc  en  e   es  en
    dat  en  en  en  en
    gen  en  en  en  en
""")
ENDINGS = {"strong": STRONG_ENDINGS, "weak": WEAK_ENDINGS, "mixed": MIXED_ENDINGS}
_EIN_ENDINGS = _table("""
         m   f   n   p
    nom  -   e   -   e
    acc  en  e   -   e
    dat  em  er  em  en
    gen  es  er  es  er
""")
PRONOUNS = {
    # person: (nominative, accusative, dative, reflexive, possessive stem)
    "1sg": ("ich", "mich", "mir", "mich", "mein"),
    "2sg": ("du", "dich", "dir", "dich", "dein"),
    "3sg.m": ("er", "ihn", "ihm", "sich", "sein"),
    "3sg.f": ("sie", "sie", "ihr", "sich", "ihr"),
    "3sg.n": ("es", "es", "ihm", "sich", "sein"),
    "1pl": ("wir", "uns", "uns", "uns", "unser"),
    "3pl": ("sie", "sie", "ihnen", "sich", "ihr"),
    "formal": ("Sie", "Sie", "Ihnen", "sich", "Ihr"),
}
CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}
_CASES = ("nom", "acc", "dat")
_PRESENT_OF = {
    "sein": ("bin", "bist", "ist", "sind", "sind"),
    "haben": ("habe", "hast", "hat", "haben", "haben"),
    "werden": ("werde", "wirst", "wird", "werden", "werden"),
    "wissen": ("weiß", "weißt", "weiß", "wissen", "wissen"),
    "können": ("kann", "kannst", "kann", "können", "können"),
    "müssen": ("muss", "musst", "muss", "müssen", "müssen"),
    "dürfen": ("darf", "darfst", "darf", "dürfen", "dürfen"),
    "wollen": ("will", "willst", "will", "wollen", "wollen"),
    "sollen": ("sollte", "solltest", "sollte", "sollten", "sollten"),
    "mögen": ("mag", "magst", "mag", "mögen", "mögen"),
}
_PERSONS = ("1sg", "2sg", "3sg", "1pl", "3pl")
# A stem such as "arbeit-", "find-" or "öffn-" needs an e before t and st.
_NEEDS_E = re.compile(r"[td]$|([^aeiouäöülmnrh]|ch)[mn]$")
_SYLLABIC_L = re.compile(r"(?<=[^aeiou])el$")  # "sammel-": ich sammle
_UNSTRESSED = ("be", "emp", "ent", "er", "ge", "miss", "ver", "zer", "wider", "unter", "über")


def is_weak(noun: Noun) -> bool:
    """Whether a masculine noun takes -(e)n in all cases but the nominative singular."""
    return noun.gender == "m" and noun.genitive in ("n", "en")


@cache
def decline(noun: Noun, case: str, plural: bool = False) -> str:
    """Returns a noun's form: `decline(Junge, "acc")` is "Jungen"."""
    if plural or noun.gender == "p":
        form = noun.german_plural
        return form + "n" if case == "dat" and form[-1] not in "ns" else form
    if case == "gen" or (is_weak(noun) and case != "nom"):
        return noun.german + noun.genitive
    return noun.german


@cache
def decline_feminine(noun: Noun, case: str, plural: bool = False) -> str:
    """Returns a form of a profession's feminine: "Lehrerin", "Lehrerinnen"."""
    return noun.feminine + ("nen" if plural else "")


def ein_word(stem: str, case: str, gender: str) -> str:
    """Returns a form of ein, kein or a possessive: `ein_word("mein", "acc", "m")` is "meinen"."""
    ending = _EIN_ENDINGS[case][gender]
    return stem if ending == "-" else stem + ending


def der_word(stem: str, case: str, gender: str) -> str:
    """Returns a form of dieser, jeder or welcher: `der_word("dies", "nom", "n")` is "dieses"."""
    ending = "es" if case == "gen" and gender in "mn" else STRONG_ENDINGS[case][gender]
    return stem + ending


def pronoun(person: str, case: str) -> str:
    """Returns a personal pronoun in the nominative, accusative or dative."""
    return PRONOUNS[person][_CASES.index(case)]


def _stem(verb: Verb) -> str:
    return re.sub(r"(?<=el)n$|(?<=er)n$|en$|n$", "", verb.german)


@cache
def present(verb: Verb, person: str) -> str:
    """Returns the present without prefix: `present(anrufen, "3sg")` is "ruft"."""
    if verb.german in _PRESENT_OF:
        return _PRESENT_OF[verb.german][_PERSONS.index(person)]
    if person in ("1pl", "3pl"):
        return verb.german
    if verb.present and person in ("2sg", "3sg"):
        return verb.present[0 if person == "2sg" else 1]
    stem = _stem(verb)
    if person == "1sg":
        return _SYLLABIC_L.sub("le", stem) if _SYLLABIC_L.search(stem) else stem + "e"
    link = "e" if _NEEDS_E.search(stem) else ""
    if person == "3sg":
        return stem + link + "t"
    return stem + (link + "st" if stem[-1] not in "sßxz" else "t")


@cache
def preterite(verb: Verb, person: str) -> str:
    """Returns the simple past without prefix: `preterite(anrufen, "3pl")` is "riefen"."""
    stem = _stem(verb)
    form = verb.preterite or stem + ("ete" if _NEEDS_E.search(stem) else "te")
    if person in ("1sg", "3sg"):
        return form
    if person == "2sg":
        return form + "st"
    return form + ("n" if form.endswith("e") else "en")


@cache
def participle(verb: Verb) -> str:
    """Returns the past participle with its prefix: "angerufen", "besucht", "repariert"."""
    if verb.german_participle:
        return verb.prefix + verb.german_participle
    stem = _stem(verb)
    ge = "" if stem.startswith(_UNSTRESSED) or verb.german.endswith("ieren") else "ge"
    return verb.prefix + ge + stem + ("et" if _NEEDS_E.search(stem) else "t")


def infinitive(verb: Verb) -> str:
    """Returns the infinitive with its prefix: "anrufen"."""
    return verb.prefix + verb.german


def zu_infinitive(verb: Verb) -> str:
    """Returns the infinitive with zu: "zu kaufen", "anzurufen"."""
    return f"{verb.prefix}zu{verb.german}" if verb.prefix else f"zu {verb.german}"


@cache
def imperative(verb: Verb) -> str:
    """Returns the familiar imperative without prefix: "kaufe", "lies", "komm"."""
    stem = _stem(verb)
    if verb.present and "e" in stem and "ie" not in stem:  # essen, isst: iss
        changed = verb.present[1].removesuffix("t")
        if changed[:-1] != stem[:-1]:
            return changed
    if verb.preterite and not _NEEDS_E.search(stem):  # strong: komm, ruf, bring
        return stem
    return present(verb, "1sg")
