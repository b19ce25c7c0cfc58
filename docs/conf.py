"""How Sphinx builds these pages: ``make docs``."""

import shutil
import sys
from pathlib import Path

import translator

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
# Sphinx reads only what is below this folder.
shutil.rmtree(HERE / "notebooks", ignore_errors=True)
shutil.copytree(
    HERE.parent / "notebooks",
    HERE / "notebooks",
    ignore=lambda _, names: {name for name in names if not name.endswith(".md")},
)

project = "translator"
author = "the translator authors"
copyright = "2026 the translator authors"
release = version = translator.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "reference", "results"]
exclude_patterns = ["_build", "_ext"]

# Pages are Markdown. Notebooks are executed, and again only where they have changed.
myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_timeout = 300  # seconds of a cell
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"

# Docstrings are in Google style; a word between single backticks is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# A reference that leads nowhere is an error, except to types of other packages, whose pages a build
# would need the network for, and to types below the public API, which signatures mention.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!translator\.).*"), ("py:.*", r"translator\.[a-z_]+\..*")]

# The links of these pages to other sites; `make linkcheck` needs the network.
linkcheck_timeout = 20

html_theme = "furo"
html_title = "translator"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
pygments_style = "friendly"
highlight_language = "none"  # blocks without a language are what a terminal shows
