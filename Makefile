# The commands of the project. Each does its own set-up; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PLAYABLE := $(VENV)/.playable
NODE_READY := node_modules/.ready
DEBIAN_READY := $(VENV)/.debian
PYTEST_WORKERS ?= 2
# The browser's driver keeps an event loop of its own: its tests run in processes of their own.
BROWSER := tests/web/test_browser.py tests/web/test_by_hand.py tests/web/test_bench_browser.py \
  tests/web/test_fingers.py tests/web/test_house_rules_browser.py tests/web/test_past_browser.py \
  tests/web/test_phones_browser.py \
  tests/cafe/test_house_browser.py

.DEFAULT_GOAL := help
.PHONY: help play cafe test check docs hardware pictures bench soak rig deb chroots languages lock clean \
  venv-package node-package test-packages drawing-packages chromium chromium-package \
  odds kernels compiler cross-compilers chroot-packages

SENTENCES := $(wildcard companion/screens/catalogues/*/LC_MESSAGES/*.po)
CATALOGUES := $(SENTENCES:.po=.mo)
KERNEL := build/.kernel

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# Debian packages are installed where we are root; elsewhere a sentence says what is missing. While
# another package manager holds its lock we wait for it, ten minutes at most.
define debian
@if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; \
then echo "please install: $(1)" >&2; exit 1; fi; \
export LC_ALL=C DEBIAN_FRONTEND=noninteractive; \
for try in $$(seq 120); do \
	told=$$( (apt-get update -qq && apt-get install -y -qq --no-install-recommends $(1)) 2>&1 ) && exit 0; \
	case "$$told" in \
	*"Could not get lock"*|*"Unable to lock"*|*"Unable to acquire"*) \
		[ $$try != 1 ] || echo "waiting for another package manager" >&2; sleep 5 ;; \
	*) echo "$$told" >&2; exit 1 ;; \
	esac; \
done; echo "$$told" >&2; exit 1
endef

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory venv-package
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

venv-package:
	$(call debian,python3-venv)

node-package:
	$(call debian,nodejs npm)

$(NODE_READY): package.json package-lock.json
	@command -v npm >/dev/null || $(MAKE) --no-print-directory node-package
	npm ci --silent --no-audit --no-fund
	@touch $@

# What some tests look with: shell and unit checkers, a voice, and a broker.
$(DEBIAN_READY): Makefile | $(READY)
	@[ "$$(id -u)" != 0 ] || (command -v shellcheck && command -v systemd-analyze && \
		command -v espeak-ng && command -v mosquitto && command -v zbarimg) >/dev/null || $(MAKE) --no-print-directory test-packages
	@touch $@

test-packages:
	$(call debian,shellcheck systemd espeak-ng mosquitto zbar-tools)

# Installing compiles these too; this is for sentences, or the odds' kernel, changed since.
%.mo: %.po $(READY)
	$(BIN)/python -m companion.build
	@touch $(CATALOGUES)

# The fast part of the odds needs a compiler; without one the box plays its games out in Python.
$(KERNEL): companion/odds/kernel.c $(READY)
	@command -v cc >/dev/null || [ "$$(id -u)" != 0 ] || $(MAKE) --no-print-directory compiler
	$(BIN)/python -m companion.build
	@mkdir -p $(@D) && touch $@

compiler:
	$(call debian,gcc libc6-dev)

odds: $(READY) $(KERNEL)  ## play every level of player against every other, for docs/odds.md
	$(BIN)/python -m companion.pages.levels docs/odds.md

kernels: $(READY)  ## compile the fast part of the odds for every kind of box
	@(command -v aarch64-linux-gnu-gcc && command -v arm-linux-gnueabihf-gcc) >/dev/null \
	  || $(MAKE) --no-print-directory cross-compilers
	$(BIN)/python -m companion.build --kernels

cross-compilers:
	$(call debian,gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross)

# Playing needs neither test tools nor a compiler: only what the box itself runs on.
$(PLAYABLE): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory venv-package
	@echo "Setting up what playing needs, once: a minute or two."
	@[ -x $(BIN)/pip ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --progress-bar on --disable-pip-version-check --constraint requirements.txt --editable .
	@touch $@

play: $(if $(wildcard $(READY)),$(READY) $(CATALOGUES),$(PLAYABLE))  ## play on a simulated table in the browser
	@$(BIN)/companion play

cafe: $(READY) $(DEBIAN_READY) $(CATALOGUES)  ## a house with eight simulated tables in the browser
	@$(BIN)/companion house demo

# The page is tested in Debian's browser.
chromium:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || \
		$(MAKE) --no-print-directory chromium-package

chromium-package:
	$(call debian,chromium)

test: $(READY) $(NODE_READY) $(DEBIAN_READY) $(CATALOGUES) $(KERNEL) chromium check  ## run every test
	$(BIN)/pytest -n $(PYTEST_WORKERS) $(BROWSER:%=--ignore=%)
	$(BIN)/pytest -n $(PYTEST_WORKERS) $(BROWSER)

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY) $(CATALOGUES)  ## write the generated pages again
	$(BIN)/python -m companion.pages docs

hardware: $(READY)  ## make drawings, prints, wiring and enclosures
	@(command -v openscad && command -v xvfb-run) >/dev/null \
	  || $(MAKE) --no-print-directory drawing-packages
	$(BIN)/python -m hardware

pictures: $(READY) $(CATALOGUES) chromium  ## the page in every phase, to look at; those of the docs again
	$(BIN)/python -m tests.web.shots build/pictures
	$(BIN)/python -m tests.web.docs_pictures docs/pictures

drawing-packages:
	$(call debian,fonts-dejavu-core libgl1-mesa-dri openscad xauth xvfb)

bench: $(READY) $(CATALOGUES) $(KERNEL)  ## measure speed
	$(BIN)/python -m benchmarks

soak: $(READY) $(CATALOGUES) $(KERNEL)  ## a million moves by simulated people; prints the figures
	$(BIN)/python -m tests.people --strict --moves 200000 --workers 2 --sensing presence touch choose
	$(BIN)/python -m tests.people --nonsense 1000000
	for box in 1 2 3; do $(BIN)/python -m tests.people --strict --hands clumsy --games 67 --box $$box --workers 2 --seed box; done
	$(BIN)/python -m tests.journal_soak 10000 10000
	FAULTS=200 $(BIN)/pytest -n $(PYTEST_WORKERS) tests/test_file_faults.py
	FLICKER=864000 $(BIN)/pytest tests/daemon/test_sparing.py
	KILLS=1000 $(BIN)/pytest tests/daemon/test_kill.py
	HOSTILE=10000 $(BIN)/pytest tests/test_privileged.py tests/test_updates.py
	KILLS=100000 $(BIN)/pytest -n $(PYTEST_WORKERS) tests/test_installer.py -k plug
	$(BIN)/python -m tests.daemon.soak 1000
	$(BIN)/python -m tests.house_soak
	$(BIN)/python -m tests.people --strict --moves 6300 --workers 2 --hands careful ordinary --sensing presence touch --sheet parchis indian
	$(BIN)/python -m tests.people --strict --moves 6300 --workers 2 --hands careful ordinary --sensing presence touch --mixes 20
	PAYLOADS=100000 $(BIN)/pytest tests/cafe/test_room.py
	$(BIN)/python -m tests.cafe.soak 20 100
	$(BIN)/python -m tests.die_soak
	$(BIN)/python -m tests.web.whole_games
	$(BIN)/python -m tests.odds.walking 10000000
	$(BIN)/python -m tests.odds.soak 1000

rig: $(READY) kernels  ## boot a Pi under QEMU and play on it
	$(BIN)/python -m tests.rig

deb: $(READY) $(CATALOGUES) kernels  ## build the Debian packages into dist/; KEY=file.pem signs them
	$(BIN)/python systemd/deb.py dist $(if $(KEY),--key $(KEY))

chroots: $(READY) kernels  ## install, update and remove the packages in clean Debians
	@(command -v mmdebstrap && command -v lintian && command -v arch-test) >/dev/null \
	  || $(MAKE) --no-print-directory chroot-packages
	$(BIN)/python -m tests.chroots

chroot-packages:
	$(call debian,arch-test binfmt-support lintian mmdebstrap qemu-user-static)

languages: $(READY)  ## collect the sentences to translate
	$(BIN)/python -m companion.pages.sentences
	$(BIN)/python -m companion.build

lock: $(READY)  ## pin every package again
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --all-extras pyproject.toml -o requirements.txt
	$(BIN)/python systemd/wheels.py lock

clean:  ## remove what was made
	rm -rf $(VENV) node_modules build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
