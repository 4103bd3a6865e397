# The doors of the project. `make` alone lists them.
HOST ?= 127.0.0.1
PORT ?= 8000
DEMO ?= 1
WORKERS ?= 2
export THREADS ?= 12
JOBS ?= 2
PYTHON ?= python3
BIN = .venv/bin
MANAGE = $(BIN)/python manage.py
# A worker that dies is replaced: without that, it would take the whole server along.
GRANIAN = $(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --blocking-threads $(THREADS) \
	--respawn-failed-workers
PYTEST = $(BIN)/python -m pytest -n $(JOBS)
# As a club serves it: the linters look at this configuration, whatever the developer's own is.
PRODUCTION = env DEBUG=0 SECRET_KEY= ALLOWED_HOSTS=club.example CSRF_TRUSTED_ORIGINS=https://club.example

.DEFAULT_GOAL := help
.PHONY: help run serve test lint backup restore bench load mutants

help: ## list what can be done
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

.venv/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	@echo "Installing what the site runs on, once."
	@$(PYTHON) -m venv .venv || { echo "On Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/installed-dev: requirements.txt requirements-dev.txt .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: export ALLOWED_HOSTS ?= localhost,127.0.0.1,[::1],$(HOST)
run: .venv/installed ## try the site: its own environment, a demo club, HOST:PORT (DEMO=0 starts empty)
	@$(MANAGE) restore --finish
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@if [ "$(DEMO)" = 0 ]; then echo "The first organiser is made with: $(MANAGE) createsuperuser"; \
		else $(MANAGE) demo --if-empty; fi
	@echo "Serving on http://$(HOST):$(PORT)/ (Ctrl-C stops)"
	@exec $(GRANIAN) --workers 1 --log-level warning mahjong_site.wsgi:application

serve: .venv/installed ## the production server on HOST:PORT with WORKERS workers, no demo
	@$(MANAGE) restore --finish
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@exec $(GRANIAN) --workers $(WORKERS) mahjong_site.wsgi:application

test: .venv/installed-dev ## every test in JOBS processes: on SQLite and PostgreSQL, in a browser
	$(PYTEST) tests/evaluator --cov=scoring.evaluator --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	$(PYTEST) --ignore=tests/evaluator
	$(BIN)/python -m tests.support.postgres $(PYTEST)

lint: .venv/installed-dev ## style, types, floors, templates, migrations, deployment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/djade --target-version 5.2 --check $$(find templates -name '*.html')
	$(MANAGE) makemigrations --check --dry-run
	$(PRODUCTION) $(MANAGE) check --deploy --fail-level WARNING

backup: FILE ?= var/backups/club-$(shell date +%Y%m%d-%H%M%S).backup
backup: .venv/installed ## the database in one file, checked by restoring it; FILE= says where
	@$(MANAGE) backup $(FILE)

restore: .venv/installed ## FILE=…: a backup in the place of the database, which is kept beside it
	@test -n "$(FILE)" || { echo "Which backup? make restore FILE=var/backups/…"; exit 1; }
	@$(MANAGE) restore $(FILE)

bench: .venv/installed-dev ## how fast it is: scoring beside a peer, saving, pages; SECTIONS=
	@$(BIN)/python -m tests.bench $(SECTIONS)

load: .venv/installed-dev ## a busy evening on the production server, nothing lost; OPTIONS="--kill 30 --postgres"
	@$(BIN)/python -m tests.load.club $(OPTIONS)

mutants: .venv/installed-dev ## how many small mistakes in the evaluator the tests would notice (an hour or two)
	@$(BIN)/python -m tests.evaluator.mutants
