# Everything here sets itself up: python3 (3.11 or newer, with venv) and make are enough.

PYTHON := $(shell command -v python3 2>/dev/null || command -v python 2>/dev/null || echo python3)

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

# Homebrew's folder is not on macOS's library path, and /bin/sh drops DYLD_* from its environment:
# the variable has to stand directly before the command.
ifeq ($(shell uname -s),Darwin)
LOADER := DYLD_FALLBACK_LIBRARY_PATH="/opt/homebrew/lib:/usr/local/lib:$$HOME/lib:/usr/lib"
endif

BENCHMARKS := $(basename $(notdir $(filter-out %/__init__.py,$(wildcard tests/benchmarks/*.py))))

.DEFAULT_GOAL := help
.PHONY: help setup development demo docs test exhaustive quick lint bench sweep fuzz spark mutants clean

help:  ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 14

setup:  ## create .venv and install the product into it, once
	@$(LOADER) "$(PYTHON)" .ci/bootstrap.py

development:
	@$(LOADER) "$(PYTHON)" .ci/bootstrap.py --development

demo: setup  ## do the main job on the examples, into output/
	$(LOADER) $(BIN)/scorecard demo --out-dir output

docs: development  ## build the documentation site into build/site
	$(LOADER) $(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees -c examples/site . build/site

test: development  ## run all checks: tests, types, style, packaging, README
	$(LOADER) $(BIN)/python .ci/guard.py 60 $(BIN)/python -m pytest -n 2 --dist worksteal --max-worker-restart 3 $(ARGS)

exhaustive: development  ## the same with the full counts of every oracle, in half an hour
	SCORECARD_EXHAUSTIVE=1 $(LOADER) $(BIN)/python .ci/guard.py 90 $(BIN)/python -m pytest -n 2 --dist worksteal --max-worker-restart 3 $(ARGS)

quick: development  ## style, types and the fast tests, in about a minute
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(LOADER) $(BIN)/python .ci/guard.py 15 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow" $(ARGS)

lint: development  ## style and types only
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

bench: development  ## measure, and print the figures
	@set -e; for name in $(BENCHMARKS); do \
	  echo "== $$name"; $(LOADER) $(BIN)/python -m tests.benchmarks.$$name; done

sweep: development  ## print 200 random lists on every size, and read each card back
	SWEEP_LISTS=200 $(LOADER) $(BIN)/python -m tests.forms.card.sweep

fuzz: development  ## read 10,000 tables made and damaged by chance, and compare every cell
	$(LOADER) $(BIN)/python -m tests.tables.fuzz

# An environment of its own: Spark is large, and needs Java 17.
spark:  ## learn by Spark what memory learns, and compare; needs Java 17
	"$(PYTHON)" -m venv .venv-spark
	.venv-spark/bin/python -m pip install -q ".[learn]" pytest pytest-timeout hypothesis pyarrow duckdb pyspark
	ENGINES=pyspark .venv-spark/bin/python -m pytest -q tests/learning/test_lazy.py -k pyspark

mutants: development  ## put some 200 faults into the code, one by one, and see that a test fails
	$(BIN)/python -m tests.mutants $(ARGS)

clean:  ## remove .venv, caches and built packages
	rm -rf .venv .venv-bench .venv-spark build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find scorecard tests -name __pycache__ -type d -prune -exec rm -rf {} +
