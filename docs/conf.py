"""How Sphinx builds these pages: ``make docs``."""

import sys
from pathlib import Path

import translator

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "translator"
author = "the translator authors"
copyright = "2026 the translator authors"
release = version = translator.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "reference"]
exclude_patterns = ["_build", "_ext"]

# Pages are Markdown. Notebooks are shown as they were saved: a build trains nothing.
myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"

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
