"""``python -m translator.cli``."""

from translator.cli.main import main

if __name__ == "__main__":
    main()
