# make demo        install, train on the bundled corpus, evaluate, translate, draw heat maps
# make test        install, all tests but the slow ones
# make test-slow   install, the slow tests
# make lint        install, ruff, the rooms' layers
# make types       install, mypy
# make lock        write requirements.lock anew from pyproject.toml (needs uv)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: demo test test-slow lint types lock

demo: $(INSTALLED)
	@$(BIN)/python scripts/demo.py

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist loadscope --no-loadscope-reorder

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -m slow

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(INSTALLED)
	$(BIN)/mypy

$(INSTALLED): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else \
	"Python 3.11 to 3.13 is needed, this is %d.%d: make PYTHON=python3.12" % sys.version_info[:2])'
	@echo "Installing into $(VENV): about 1 GB, usually 1 to 3 minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lock:
	uv pip compile --universal --python-version 3.11 --extra dev --no-annotate --no-header \
		--output-file requirements.lock pyproject.toml
