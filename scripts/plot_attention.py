"""Draws the attention of every head: the same as `translator attention`.

python scripts/plot_attention.py "He admired her as a great director." --layer 4 --out maps.png
"""

import sys

from translator.cli import main

if __name__ == "__main__":
    main(["attention", *sys.argv[1:]])
