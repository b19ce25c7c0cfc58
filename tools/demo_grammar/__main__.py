"""Writes the pairs that come with the program, or prints new ones.

    python -m tools.demo_grammar                      # translator/corpora/demo/pairs.tsv.xz
    python -m tools.demo_grammar --count 20 --seed 1  # prints pairs; equal seeds draw equal ones

What is printed has the columns of the file, but no split. After a change of the pairs run
`tools/build_demo_tokenizers.py` as well.
"""

import argparse
import sys
from itertools import islice

from tools.demo_grammar.corpus import draw_corpus, draw_pairs
from tools.demo_grammar.shipped import format_line, write_corpus
from translator.corpora.demo.pairs import IDENTITY, PAIRS


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.demo_grammar",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, help="how many pairs to print")
    parser.add_argument("--seed", type=int, default=1, help="of the pairs to print (default: 1)")
    options = parser.parse_args()
    if options.count is not None:
        sys.stdout.writelines(map(format_line, islice(draw_pairs(options.seed), options.count)))
    elif write_corpus(draw_corpus(), PAIRS, IDENTITY):
        print(f"{PAIRS}: {PAIRS.stat().st_size:,} bytes")
    else:
        print(f"{PAIRS} has these pairs already")


if __name__ == "__main__":
    main()
