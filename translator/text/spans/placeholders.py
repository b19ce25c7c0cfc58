"""Placeholders of programs, such as {0}, %s, {{name}} and ${name}; names such as @tom and #now."""

import re
from collections.abc import Collection

from translator.text.spans.kind import Place, StandIn
from translator.text.spans.verbatim import VerbatimKind

PRINTF = r"%(?:\d+\$|\(\w+\))?[-+0#]?\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?[sdifuxXeEgGcop@](?![^\W_])"
COUNT = re.compile(r"%.*[diufxXeEgG]|[{$%]*\(?(?:n|num|number|count|total|\w+_count)\}*", re.I)


class PlaceholderKind(VerbatimKind):
    """Placeholders in braces, in brackets, and those of printf; tags are taken out before."""

    pattern = re.compile(
        r"\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[$%#]\{[^{}\n]*\}|\{\w[^{}\n]*\}|\{\}|<[A-Za-z][\w-]*>"
        r"|(?<![\w&])\$[A-Za-z_]\w*|%[A-Z_]{2,}%|(?<![\w&/@#.])[@#][^\W\d]\w*|&(?:amp|lt|gt);"
        rf"|\[\[[^\[\]\n]*\]\]|(?<![\d%]){PRINTF}(?:{PRINTF})*|%%"
    )

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number for the placeholder of one, such as %d or {count}; else a name."""
        if COUNT.fullmatch(given):
            return self.stand_ins.number(used)
        return super().show(given, stand_in, used)

    def write(self, place: Place) -> str:
        """Writes the placeholder, with the ending of a genitive, as in {0}s Buch."""
        has_clitic = re.search(
            re.escape(place.given) + r"['’]s\b", place.source_words[place.source_word]
        )
        is_genitive = place.stand_in.endswith(("s", "'", "’")) and has_clitic
        return super().write(place) + ("s" if is_genitive else "")
