# The commands of the project. Each does its own set-up; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE_READY := node_modules/.ready
PYTEST_WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help play test check docs hardware bench soak lock clean

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

play: $(READY)  ## play a game
	@$(BIN)/companion play

test: $(READY) $(NODE_READY) check  ## run every test
	$(BIN)/pytest -n $(PYTEST_WORKERS)

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)  ## write the generated pages anew
	$(BIN)/python -m companion.pages docs

hardware: $(READY)  ## make drawings, prints, wiring and enclosures
	@if [ "$$(id -u)" = 0 ] && ! (command -v openscad && command -v dot && command -v xvfb-run) >/dev/null; then \
	  apt-get update -qq && apt-get install -qq --no-install-recommends \
	    fonts-dejavu-core graphviz libgl1-mesa-dri openscad xauth xvfb >/dev/null; fi
	$(BIN)/python -m hardware

bench: $(READY)  ## measure speed
	$(BIN)/python -m benchmarks

soak: $(READY)  ## a million moves by clumsy hands; stops and goes on
	$(BIN)/python -m tests.soak

lock: $(READY)  ## pin every package anew
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --all-extras pyproject.toml -o requirements.txt

clean:  ## remove what was made
	rm -rf $(VENV) node_modules build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
