# The commands of the project. Each does its own set-up; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE_READY := node_modules/.ready
PYTEST_WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help play test check docs bench languages lock clean voice

SENTENCES := $(wildcard companion/screens/catalogues/*/LC_MESSAGES/*.po)
CATALOGUES := $(SENTENCES:.po=.mo)

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(NODE_READY): package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $@

# Installing compiles the catalogues too; this is for sentences that were changed since.
%.mo: %.po $(READY)
	$(BIN)/python -m companion.build
	@touch $(CATALOGUES)

# The voice is optional: without it the tests look at the command line only.
voice:
	@command -v espeak-ng >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends espeak-ng; } >/dev/null 2>&1 || \
		echo "espeak-ng cannot be installed here; going on without it"

play: $(READY) $(CATALOGUES)  ## play a game
	@$(BIN)/companion play

test: $(READY) $(NODE_READY) $(CATALOGUES) voice check  ## run every test
	$(BIN)/pytest -n $(PYTEST_WORKERS)

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY) $(CATALOGUES)  ## write the generated pages anew
	$(BIN)/python -m companion.pages docs

bench: $(READY) $(CATALOGUES)  ## measure speed
	$(BIN)/python -m benchmarks

languages: $(READY)  ## collect the sentences to translate
	$(BIN)/python -m companion.screens.collecting
	$(BIN)/python -m companion.build

lock: $(READY)  ## pin every package anew
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --all-extras pyproject.toml -o requirements.txt

clean:  ## remove what was made
	rm -rf $(VENV) node_modules build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
