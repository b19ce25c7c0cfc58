"""Translates sentences or standard input: the same as `translator translate`.

python scripts/translate.py "He admired her as a great director."
"""

import sys

from translator.cli import main

if __name__ == "__main__":
    main(["translate", *sys.argv[1:]])
