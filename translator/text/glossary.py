"""Finds terms for which a user gave translations."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from translator.base.errors import InputError
from translator.base.languages import language_table
from translator.base.late import late_pattern
from translator.base.texts import quoted
from translator.corpora.files import iterate_lines
from translator.text.shown import TERM, Span

BETWEEN_FORMS = "|"


class Glossary:
    """Finds terms in texts, the longest first.

    A term must be a whole word with the capitals given; its first letter may also be a capital.

    Args:
        terms: each with its forms in the target language, divided by ``|``; a term without forms
            stays as it is. Forms with an article, such as "das Büro|dem Büro", translate the term
            with its article, "the office". For the term without it, they lose their articles. The
            forms of a term that itself begins with an article, such as "The Hague", stay.
    """

    def __init__(
        self, terms: Iterable[tuple[str, str]] = (), languages: tuple[str, str] = ("", "")
    ) -> None:
        self._forms: dict[str, tuple[str, ...]] = {}
        tables = (language_table(code, "articles") if code else {} for code in languages)
        articles = ["|".join(table.get("definite", ())) or "(?!)" for table in tables]
        self._with_article = late_pattern(rf"\A(?:{articles[0]})\s", re.IGNORECASE)
        self._article = late_pattern(rf"\A(?:{articles[1]})\s+", re.IGNORECASE)
        for source, target in terms:
            term = _plain(source)
            if not term:
                raise InputError("glossary: expected a term, found none before a translation")
            if term in self._forms:
                raise InputError(f"glossary: expected each term once, found {quoted(term)} again")
            forms = (" ".join(form.split()) for form in target.split(BETWEEN_FORMS))
            self._forms[term] = tuple(filter(None, forms)) or (term,)
        any_term = "|".join(map(_pattern, sorted(self._forms, key=len, reverse=True)))
        behind_article = rf"(?<!\w)(?i:{articles[0]})\s+(?P<behind>{any_term})"
        self._pattern = re.compile(f"{any_term}|{behind_article}") if any_term else None

    def __bool__(self) -> bool:
        return bool(self._forms)

    def find(self, text: str) -> Iterator[Span]:
        """The terms of a text, in order."""
        if self._pattern is None:
            return
        for match in self._pattern.finditer(text):
            term = _plain(match["behind"] or match.group())
            if term not in self._forms:
                term = term[:1].lower() + term[1:]
            forms = self._forms[term]
            with_article = [form for form in forms if self._article.match(form)]
            start = match.start("behind" if match["behind"] else 0)
            has_article = bool(match["behind"] and with_article)
            if has_article:
                start, forms = match.start(), tuple(with_article)
            elif not self._with_article.match(term):
                forms = tuple(dict.fromkeys(self._article.sub("", form) for form in forms))
            term_text = text[start : match.end()]
            term_key = f"{TERM} {term_text}"
            yield Span(
                start, match.end(), term_text, TERM, term_key,
                translation=forms[0], forms=forms, has_article=has_article,
            )  # fmt: skip


def _plain(term: str) -> str:
    """A term with one space between words and plain apostrophes."""
    return " ".join(unicodedata.normalize("NFC", term).replace("’", "'").split())


def _pattern(term: str) -> str:
    first, ending = term[:1], r"\s+".join(map(re.escape, term[1:].split(" ")))
    has_capital = first.upper() != first and first.upper().lower() == first
    begins = f"[{first}{first.upper()}]" if has_capital else re.escape(first)
    return rf"(?<!\w)(?<!\w-){begins}{ending}(?!-?\w)".replace("'", "['’]")


def read_glossary(path: Path) -> list[tuple[str, str]]:
    """The terms of a file. Each line has the source, a tab and the target, which may be left out.

    Args:
        path: plain or ``.gz``, in UTF-8.

    Raises:
        InputError: it cannot be read, or a line has no term, an earlier term, or more columns.
    """
    terms: dict[str, str] = {}
    for number, line in enumerate(iterate_lines(path), start=1):
        if not line.strip():
            continue
        source, *target = line.split("\t")
        term = _plain(source)
        problem = (
            "a term, found none"
            if not term
            else f"each term once, found {quoted(term)} again"
            if term in terms
            else f"source, tab and target, found {len(target) + 1} columns"
            if len(target) > 1
            else None
        )
        if problem:
            raise InputError(f"{path}, line {number}: expected {problem}; correct the line")
        terms[term] = "".join(target)
    return list(terms.items())
