# `make demo` and `make test` work on a fresh machine with Python 3.11 or later.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types install clean

install: .venv/installed

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: install
	$(BIN)/parcel-agents verify parcel_agents/examples/opinions/people_v_marlowe.md \
		--claims parcel_agents/examples/claims.jsonl; test $$? -le 1  # 1: some claims of the example are false

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: install
	$(BIN)/mypy

test: lint types
	$(BIN)/python -m pytest -n 2

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
