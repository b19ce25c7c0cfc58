"""The extensions of the site, as modules that import each other."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "docs" / "_ext"))
