"""Placeholders of programs, such as {0}, %s, {{name}} and ${name}; names such as @tom and #now."""

import re
from collections.abc import Collection

from translator.text.spans.kind import Place, StandIn
from translator.text.spans.verbatim import OUTSIDE_WORD, VerbatimKind

UNIT = "(?:[mµn]?s|min|[dhmxkKB]|[kcm]m|k?g|[kKMG]B|px|pt|r?em|st|nd|rd|th)"  # after %d and %f
PRINTF = (
    r"%(?:\d+\$|\(\w+\))?[-+0#]?\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?"
    rf"(?:[sdifuxXeEgGcop@](?![^\W_])|[df](?={UNIT}(?![^\W_])))"
)
# Entities of markup's own characters, which stay entities
MARKUP = r"&(?i:amp|lt|gt|#0*(?:38|60|62)|#x0*(?:26|3c|3e));"
COUNT = re.compile(
    rf"%.*[diufxXeEgG]{UNIT}?|\{{:.*[dfgx]\}}"
    r"|[{$%]*\(?(?:n|num|number|count|total|\w+_count)\}*",
    re.IGNORECASE,
)


class PlaceholderKind(VerbatimKind):
    """Placeholders in braces, in brackets, and those of printf; tags are taken out before."""

    pattern = re.compile(
        r"\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|[$%#]\{[^{}\n]*\}|\{\w[^{}\n]*\}|\{\}"
        r"|\{[:!][^{}\s]*\}|\{ [\w.]+ \}|<[A-Za-z][\w-]*>"
        rf"|{OUTSIDE_WORD}(?<!&)\$[A-Za-z_]\w*|%[A-Z_]{{2,}}%"
        rf"|{OUTSIDE_WORD}(?<![&/@#.])[@#][^\W\d]\w*|{MARKUP}"
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
