# Two commands: `make demo` shows what ovgather does, `make test` runs the tests. Each sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-core lint types check docs bench clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	$(BIN)/python -m compileall -q ovgather cli schemas
	touch $@

demo: $(VENV)/.ready
	@$(BIN)/python -m compileall -q ovgather cli schemas
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh samples_xml/demo/demo.sh

test: $(VENV)/.ready
	@$(BIN)/python -m compileall -q ovgather cli schemas
	$(BIN)/python -m pytest

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready
	$(BIN)/mypy

check: lint types test

docs: $(VENV)/.ready
	$(BIN)/python docs/generate_rules.py

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/cold_start.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache demo-out
