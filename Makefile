# The doors of the project. `make` alone lists them.
# What the environment and the command line do not say, the env file does, as the site reads it.
ENV_FILE ?= .env
or_env_file = $(or $(shell test -f "$(ENV_FILE)" && ENV_FILE="$(ENV_FILE)" $(BIN)/python -m mahjong_site.env_file $(1) 2>/dev/null),$(2))
HOST ?= $(call or_env_file,HOST,127.0.0.1)
PORT ?= $(call or_env_file,PORT,8000)
DEMO ?= $(call or_env_file,DEMO,1)
WORKERS ?= $(call or_env_file,WORKERS,2)
run serve: export THREADS ?= $(call or_env_file,THREADS,12)
JOBS ?= 2
PYTHON ?= python3
# Elsewhere, with VAR_DIR, where the checkout is read-only.
VENV ?= .venv
BIN = $(VENV)/bin
MANAGE = $(BIN)/python manage.py
# Refuses a port that is used, and answers 503 there while the site is prepared.
HOLD = $(BIN)/python -m mahjong_site.port $(HOST) $(PORT)
PREPARE = $(MANAGE) restore --finish && $(MANAGE) migrate --verbosity 0 && \
	$(MANAGE) collectstatic --noinput --verbosity 0
# A worker that dies is replaced: without that, it would take the whole server along.
GRANIAN = $(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --blocking-threads $(THREADS) \
	--respawn-failed-workers
OPENED = $(if $(filter 0,$(DEMO)),echo "The first organiser is made with: $(MANAGE) createsuperuser",$(MANAGE) demo --if-empty)
PYTEST = $(BIN)/python -m pytest -n $(JOBS)
# As a club serves it: the linters look at this configuration, whatever the developer's own is.
PRODUCTION = env ENV_FILE= DEBUG=0 SECRET_KEY= ALLOWED_HOSTS=club.example \
	CSRF_TRUSTED_ORIGINS=https://club.example NUM_PROXIES=1

.DEFAULT_GOAL := help
.PHONY: help run serve test lint backup restore bench load mutants

help: ## list what can be done
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	@echo "Installing what the site runs on, once."
	@$(PYTHON) -m venv $(VENV) || { echo "On Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements.txt requirements-dev.txt $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: $(VENV)/installed ## try the site: its own environment, a demo club, HOST:PORT (DEMO=0 starts empty)
	@$(HOLD) sh -c '$(MANAGE) time_zone && $(PREPARE) && $(OPENED)'
	@exec $(BIN)/python -m mahjong_site.addresses $(HOST) $(PORT) $(GRANIAN) --workers 1 --log-level warning mahjong_site.wsgi:application

serve: $(VENV)/installed ## the production server on HOST:PORT with WORKERS workers, no demo
	@$(HOLD) sh -c '$(PREPARE)'
	@exec $(GRANIAN) --workers $(WORKERS) mahjong_site.wsgi:application

test: $(VENV)/installed-dev ## every test in JOBS processes: on SQLite and PostgreSQL, in a browser
	$(PYTEST) tests/evaluator --cov=scoring.evaluator --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	$(PYTEST) --ignore=tests/evaluator
	$(BIN)/python -m tests.support.postgres $(PYTEST)

lint: $(VENV)/installed-dev ## style, types, floors, templates, migrations, deployment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/djade --target-version 5.2 --check $$(find templates -name '*.html')
	$(MANAGE) makemigrations --check --dry-run
	$(PRODUCTION) $(MANAGE) check --deploy --fail-level WARNING

backup: $(VENV)/installed ## the database in one file, checked by restoring it; FILE= says where, OPTIONS=--yes asks nothing
	@$(MANAGE) backup $(FILE) $(OPTIONS)

restore: $(VENV)/installed ## FILE=…: a backup in the place of the database, which is kept beside it
	@test -n "$(FILE)" || { echo "Which backup? make restore FILE=var/backups/…"; exit 1; }
	@$(MANAGE) restore $(FILE)

bench: $(VENV)/installed-dev ## how fast it is: scoring beside a peer, saving, pages; SECTIONS=
	@$(BIN)/python -m tests.bench $(SECTIONS)

load: $(VENV)/installed-dev ## a busy evening on the production server, nothing lost; OPTIONS="--kill 30 --postgres"
	@$(BIN)/python -m tests.load.club $(OPTIONS)

mutants: $(VENV)/installed-dev ## how many small mistakes in the evaluator the tests would notice (an hour or two)
	@$(BIN)/python -m tests.evaluator.mutants
