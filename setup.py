"""What pyproject.toml cannot say: the packages, and the description for a package index."""

import re
from pathlib import Path

from setuptools import find_packages, setup

README = Path(__file__).parent / "README.md"
PACKAGE = Path(__file__).parent / "translator"


def describe(readme: str) -> str:
    """README for a page that cannot show files of the repository.

    Args:
        readme: Markdown. A picture has a comment below it, with a line of
            explanation and the same drawn in characters.

    Returns:
        The text with the drawing instead of the picture, and without links to files.
    """
    drawn = re.sub(r"!\[[^]]*\]\([^)]*\)\n\n<!-- [^\n]*\n(.*?)-->", r"\1", readme, flags=re.DOTALL)
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", drawn)


def name_of(folder: Path) -> str:
    """A folder of data as setuptools names it, which wants every folder to be a package."""
    return ".".join(folder.relative_to(PACKAGE.parent).parts)


if __name__ == "__main__":
    setup(
        packages=[
            *find_packages(include=["translator*"]),
            "translator.configs",
            "translator.languages",
            *map(name_of, (PACKAGE / "shipped").glob("*-*")),
        ],
        package_dir={"translator.configs": "configs"},
        long_description=describe(README.read_text("utf-8")),
        long_description_content_type="text/markdown",
    )
