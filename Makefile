# `make help` lists the targets. The virtual environment is made once and again when its inputs change.

PYTHON ?= python3
GAME ?= azul
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long ladder bench clean

help: ## lists the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: $(READY) ## makes the virtual environment in .venv, with all that demo and test need

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("manjerico needs Python 3.11 or newer (make PYTHON=python3.11 ...), not " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "Installing into $(VENV), which takes some minutes ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip 'setuptools>=77' --constraint constraints.txt
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --constraint constraints.txt
	touch $@

demo: $(READY) ## trains an agent in about 4 minutes and shows what it can do (GAME=azul or GAME=arraial)
	$(BIN)/manjerico train $(GAME) --preset demo

test: $(READY) ## lint, types and tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

test-long: $(READY) ## compares 100,000 games of each game with its reference (some hours on two cores)
	$(BIN)/python -m pytest -n 2 tests/azul_env/test_compare.py tests/arraial_env/test_compare.py --compared-games 100000

LADDER := random greedy heuristic mcts:30 mcts:100 mcts:300 mcts:1000 alphazero:simulations=0 alphazero alphazero:simulations=512,rollouts=0.5
GAMES ?= 40

ladder: $(READY) ## rates all kinds of agents in both games and writes docs/ladder-*.md (hours; goes on where it was stopped)
	for game in azul arraial; do $(BIN)/manjerico tournament $$game $(LADDER) --games $(GAMES) --self-play --docs docs/ladder-$$game.md || exit; done
	$(BIN)/manjerico tournament azul random alphazero mcts:300,rivalry=0,win_bonus=0 --games 300 --self-play --out results/points-azul --docs docs/points-azul.md

bench: $(READY) ## speeds, as a table and in results/
	$(BIN)/python -m benchmarks

clean: ## removes the virtual environment and what tools leave behind
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
