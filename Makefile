# `make demo` shows what ovgather does, `make test` runs the tests, `make quick` those that start no runtime.
# Each sets up .venv by itself. `make test EXTRAS=torch TESTS=tests/comparison` installs an extra, and runs some tests.
PYTHON ?= python3
EXTRAS :=
TESTS :=
SEED := 1
VENV := .venv
CORE := .venv-core
BIN := $(VENV)/bin
INSTALL := -m pip install --quiet --quiet
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
# Bytecode is kept: to compile the package takes most of the start of a process, and the tests start hundreds.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-slow quick test-core lint types check docs site vscode bench fuzz mutants clean

$(VENV)/.demo: pyproject.toml
	@echo "Setting up $(VENV), once: ovgather and OpenVINO (300 MB)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(INSTALL) -e '.[openvino]'
	@touch $@

$(VENV)/.ready: pyproject.toml
	@echo "Setting up $(VENV), once: ovgather with all its extras and what the tests need (1.1 GB)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.demo

$(CORE)/.ready: pyproject.toml
	$(PYTHON) -m venv $(CORE)
	$(CORE)/bin/python $(INSTALL) -e . pytest pytest-xdist hypothesis
	@touch $@

demo: $(VENV)/.demo
	@$(BIN)/python -m compileall -q ovgather cli schemas
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh samples_xml/demo/demo.sh

test: $(VENV)/.ready
	@$(if $(EXTRAS),$(BIN)/python $(INSTALL) -e '.[$(EXTRAS)]')
	$(BIN)/python -m pytest -m 'not slow' $(TESTS)

# What takes about a second or more a test: campaigns on random models, broken runtimes, servers that are silent.
test-slow: $(VENV)/.ready
	$(BIN)/python -m pytest -m slow $(TESTS)

quick: $(VENV)/.ready
	$(BIN)/python -m pytest -m 'not runtime and not slow' $(TESTS)

# Without any extra: what the core does alone.
test-core: $(CORE)/.ready
	$(CORE)/bin/python -m pytest -m 'not runtime and not slow' $(TESTS)

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy does not know that `cli` and `schemas` install inside the package: links show it the tree as it is installed.
types: $(VENV)/.ready
	@rm -rf build/types && mkdir -p build/types/ovgather
	@ln -s $(addprefix $(CURDIR)/,$(wildcard ovgather/*) cli schemas) build/types/ovgather/
	@ln -s $(CURDIR)/tools build/types/
	cd build/types && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml ovgather tools

check: lint types test test-slow

fuzz: $(VENV)/.ready
	$(BIN)/python tests/fuzz/verbs.py --count 5000 --jobs 2 --seed $(SEED)

# Whether the tests of a package notice small changes of it: make mutants ROOM=ops
mutants: $(VENV)/.ready
	@$(BIN)/python $(INSTALL) 'cosmic-ray>=8.3'
	$(BIN)/python tools/mutants.py $(ROOM)

docs: $(VENV)/.ready
	$(BIN)/python tools/generate_releases.py
	$(BIN)/python tools/generate_devices.py
	$(BIN)/python tools/generate_rules.py
	$(BIN)/python tools/generate_hypotheses.py
	$(BIN)/python tools/generate_modules.py
	$(BIN)/python tools/generate_opsets.py
	$(BIN)/python tools/generate_operations.py
	$(BIN)/python tools/generate_onnx_conformance.py
	$(BIN)/python tools/generate_reference.py
	$(BIN)/python tools/generate_completion.py
	$(BIN)/python tools/generate_surface.py

$(VENV)/.site: $(VENV)/.ready
	@$(BIN)/python $(INSTALL) -e '.[docs]'
	@touch $@

# Warnings are errors; the pages fetch nothing while they are built or read.
site: $(VENV)/.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

# The extension for Visual Studio Code, tested and packed; needs Node.js.
vscode: $(VENV)/.ready
	cp LICENSE editors/vscode/
	cd editors/vscode && npm install --no-audit --no-fund --silent
	cd editors/vscode && OVGATHER_PYTHON=$(CURDIR)/$(BIN)/python npm test --silent && npm run --silent package

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/validate.py
	$(BIN)/python benchmarks/cold_start.py

clean:
	rm -rf $(VENV) $(CORE) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache demo-out
