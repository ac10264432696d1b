# The commands of the project. Each does its own set-up; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE_READY := node_modules/.ready
DEBIAN_READY := $(VENV)/.debian
PYTEST_WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help play test check docs bench soak rig lock clean chromium

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

$(DEBIAN_READY): | $(READY)
	@if [ "$$(id -u)" = 0 ] && ! (command -v shellcheck && command -v systemd-analyze) >/dev/null; then \
		apt-get -qq update && apt-get -qq install -y --no-install-recommends shellcheck systemd; fi
	@touch $@

play: $(READY)  ## play on a simulated table in the browser
	@$(BIN)/companion play

# The page is tested in Debian's browser.
chromium:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || \
		(apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium)

test: $(READY) $(NODE_READY) $(DEBIAN_READY) chromium check  ## run every test
	$(BIN)/pytest -n $(PYTEST_WORKERS)

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)  ## write the generated pages anew
	$(BIN)/python -m companion.pages docs

bench: $(READY)  ## measure speed
	$(BIN)/python -m benchmarks

soak: $(READY)  ## a million moves by clumsy hands; stops and goes on
	$(BIN)/python -m tests.soak
	KILLS=300 $(BIN)/pytest tests/test_kill.py
	$(BIN)/python -m tests.daemon_soak 1000

rig: $(READY)  ## boot a Pi under QEMU and play on it
	$(BIN)/python -m tests.rig

lock: $(READY)  ## pin every package anew
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --all-extras pyproject.toml -o requirements.txt

clean:  ## remove what was made
	rm -rf $(VENV) node_modules build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
