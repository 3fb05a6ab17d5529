"""The documentation as a site: `python -m sphinx -W docs build/docs`, with the extra `docs` installed."""

from yomikiri import __version__

project = "yomikiri"
author = "The yomikiri authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = f"yomikiri {__version__}"
# No fonts or scripts from elsewhere: furo brings its own.
html_copy_source = False

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
exclude_patterns = ["_build"]
# The list of layers is for the test that reads it.
suppress_warnings = ["misc.highlighting_failure"]
