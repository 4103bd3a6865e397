# The doors of the project. `make` alone lists them.
HOST ?= 127.0.0.1
PORT ?= 8000
DEMO ?= 1
WORKERS ?= 2
PYTHON ?= python3
BIN = .venv/bin
MANAGE = $(BIN)/python manage.py

.DEFAULT_GOAL := help
.PHONY: help run serve test lint bench

help: ## list what can be done
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

.venv/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "On Debian: apt install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/installed-dev: requirements.txt requirements-dev.txt .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: .venv/installed ## try the site: its own environment, a database, HOST:PORT
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@echo "Serving on http://$(HOST):$(PORT)/"
	@$(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --workers 1 mahjong_site.wsgi:application

serve: .venv/installed ## the production server with WORKERS workers, no demo
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@$(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --workers $(WORKERS) mahjong_site.wsgi:application

test: .venv/installed-dev ## every test: on SQLite in a real browser, on a throw-away PostgreSQL
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.support.postgres $(BIN)/python -m pytest -n 2

lint: .venv/installed-dev ## style, floors, forgotten migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(MANAGE) makemigrations --check --dry-run
