# `make demo` and `make test` are all a newcomer needs; each sets up .venv by itself.
# Needed on the machine: Python 3.11 or newer with venv, git, make, a C-library Linux. No ffmpeg, no system packages.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test slow lint format check env clean

demo: $(READY)
	@echo "== rendering samples/ (about a minute of speech) with the embedded voice: about 1 minute on 2 cores"
	@$(BIN)/batchtts render samples/*.md --engine kokoro -o demo
	@echo "== listen to:"; find demo -name '*.wav' | sort | sed 's/^/   /'

test: $(READY)
	@echo "== the test suite: 3 to 5 minutes on 2 cores"
	@$(BIN)/pytest -m "not slow" --durations=5

slow: $(READY)
	@echo "== the slow tests (crash matrix, memory, samples): about 5 minutes on 2 cores"
	@$(BIN)/pytest -m slow --durations=10

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: lint test

env: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed, $(PYTHON) is older; name another: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "== setting up $(VENV): downloads about 3 GB of Python packages once (torch is most of it), 7 GB on disk;"
	@echo "   3 to 20 minutes, depending on the network. Nothing is downloaded afterwards."
	@$(PYTHON) -m venv $(VENV) || { \
		echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --disable-pip-version-check -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) demo
