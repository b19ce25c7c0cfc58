"""The grammar that wrote the pairs of the demo corpus, with their true word alignments.

`phrases` to `statements` say how a sentence is built in both languages at once, `corpus` draws
sentences and splits them, and `shipped` writes the file that comes with the program.
"""

from tools.demo_grammar.corpus import draw_corpus, draw_pairs
from tools.demo_grammar.phenomena import PHENOMENA

__all__ = ["PHENOMENA", "draw_corpus", "draw_pairs"]
