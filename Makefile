# Two commands: `make demo` shows what ovgather does, `make test` runs the tests. Each sets up .venv by itself.
# `make test EXTRAS=onnx TESTS=tests/onnx_dialect` installs an extra first, and runs only some of them.
PYTHON ?= python3
EXTRAS :=
TESTS :=
SEED := 1
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-core lint types check docs bench fuzz clean

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
	@$(if $(EXTRAS),$(BIN)/python -m pip install --quiet -e '.[$(EXTRAS)]')
	@$(BIN)/python -m compileall -q ovgather cli schemas
	$(BIN)/python -m pytest $(TESTS)

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy does not know that `cli` and `schemas` install inside the package: links show it the tree as it is installed.
types: $(VENV)/.ready
	@rm -rf build/types && mkdir -p build/types/ovgather
	@ln -s $(addprefix $(CURDIR)/,$(wildcard ovgather/*) cli schemas) build/types/ovgather/
	@ln -s $(CURDIR)/tools build/types/
	cd build/types && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml ovgather tools

check: lint types test

fuzz: $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet -e '.[onnx]'
	$(BIN)/python tests/fuzz/verbs.py --count 5000 --jobs 2 --seed $(SEED)

docs: $(VENV)/.ready
	$(BIN)/python tools/generate_releases.py
	$(BIN)/python tools/generate_rules.py
	$(BIN)/python tools/generate_onnx_conformance.py

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/validate.py
	$(BIN)/python benchmarks/cold_start.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache demo-out
