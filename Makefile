# make install     install everything into .venv
# make demo        install, translate, train on the bundled corpus, evaluate, draw heat maps
# make test        install, all tests but the slow ones; shows the ten that took longest
# make test-unit   install, only the tests that need neither Keras nor a trained run
# make test-slow   install, the slow tests: trainings, pages in a browser, JAX, installations
# make lint        install, ruff, order of the rooms (import-linter)
# make types       install, mypy
# make docs        install what builds docs/, build docs/_build/html; warnings are errors
# make notebooks   install, write notebooks/*.ipynb
# make linkcheck   install what builds docs/, follow links to other sites (needs the network)
# make lock        write both lock files from pyproject.toml (needs uv)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TWO_AT_ONCE := -n 2 --dist loadscope --no-loadscope-reorder --durations=10
INSTALLED := $(VENV)/installed

.PHONY: install demo test test-unit test-slow lint types docs notebooks linkcheck lock

demo: $(INSTALLED)
	@$(BIN)/python scripts/demo.py

install: $(INSTALLED)

test: $(INSTALLED)
	$(BIN)/python -m pytest $(TWO_AT_ONCE) tests/unit
	$(BIN)/python -m pytest $(TWO_AT_ONCE) tests/system tests/integration

test-unit: $(INSTALLED)
	$(BIN)/python -m pytest tests/unit

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -m slow
	KERAS_BACKEND=jax $(BIN)/python -m pytest -m slow tests/jax

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(INSTALLED)
	$(BIN)/mypy

docs: $(VENV)/docs-installed
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

notebooks: $(VENV)/docs-installed
	$(BIN)/python -m jupytext --quiet --to ipynb notebooks/*.md
	@ls notebooks/*.ipynb

linkcheck: $(VENV)/docs-installed
	$(BIN)/python -m sphinx -q -b linkcheck docs docs/_build/linkcheck

$(VENV)/docs-installed: $(INSTALLED) docs/requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r docs/requirements.lock
	@touch $@

$(INSTALLED): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else \
	"Python 3.11 to 3.13 is needed, this is %d.%d: make PYTHON=python3.12" % sys.version_info[:2])'
	@echo "Installing into $(VENV): about 3 GB, usually 1 to 3 minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --editable .
	@touch $@

lock:
	uv pip compile --universal --python-version 3.11 --extra dev --no-annotate --no-header \
		--output-file requirements.lock pyproject.toml
	uv pip compile --universal --python-version 3.11 --extra docs --no-annotate --no-header \
		--constraint requirements.lock --output-file docs/requirements.lock pyproject.toml
