"""Trains a run: the same as `translator train`.

python scripts/train.py configs/demo.yaml --run checkpoints/demo
"""

import sys

from translator.cli import main

if __name__ == "__main__":
    main(["train", *sys.argv[1:]])
