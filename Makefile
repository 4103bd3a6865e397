# What can be done with the project. `make` alone lists it.
# What the environment and the command line do not say, the env file does, as the site reads it.
ENV_FILE ?= .env
or_env_file = $(or $(shell test -f "$(ENV_FILE)" && ENV_FILE="$(ENV_FILE)" $(BIN)/python -m scoring.site.env_file $(1) 2>/dev/null),$(2))
HOST ?= $(call or_env_file,HOST,127.0.0.1)
PORT ?= $(call or_env_file,PORT,8000)
DEMO ?= $(call or_env_file,DEMO,1)
WORKERS ?= $(call or_env_file,WORKERS,2)
# An IPv6 address stands in brackets before a port.
HOST_IN_URL = $(if $(findstring :,$(HOST)),[$(HOST)],$(HOST))
run serve: export THREADS ?= $(call or_env_file,THREADS,12)
JOBS ?= 2
PYTHON ?= python3
# Elsewhere, with VAR_DIR, where the checkout is read-only.
VENV ?= .venv
BIN = $(VENV)/bin
MANAGE = $(BIN)/python manage.py
# Refuses a port that is used, and answers 503 there while the site is prepared.
HOLD = $(BIN)/python -m mahjong_site.port "$(HOST)" "$(PORT)"
PREPARE = $(MANAGE) restore --finish && $(MANAGE) migrate --verbosity 0 && \
	$(MANAGE) collectstatic --noinput --verbosity 0
# A worker that dies is replaced: without that, it would take the whole server along. Should it die again within seconds, the
# server ends all the same (docs/deployment.md).
GRANIAN = $(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --blocking-threads $(THREADS) \
	--respawn-failed-workers
# The worker that sends notices runs beside the server, and ends with it.
BESIDE = $(BIN)/python -m mahjong_site.supervisor $(MANAGE) send --beside --
OPENED = $(if $(filter 0,$(DEMO)),$(MANAGE) start_code --starting $(HOST) $(PORT),$(MANAGE) demo --if-empty)
# Each process begins with a part of its own (worksteal), so that one is in the browser while the others compute.
PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
# A test in a browser waits for a third of its time: the cores have room for one process more.
PYTEST_MORE = $(PYTEST) -n $(shell expr $(JOBS) + 1)
# What scores thousands of hands reaches no line that the rest does not: without the cost of coverage.
MANY_HANDS = $(addprefix tests/evaluator/test_, against_reference.py exhaust.py properties.py)
COVERING = $(filter-out $(MANY_HANDS),$(wildcard tests/evaluator/test_*.py tests/evaluator/books/test_*.py))
# Folders that "make test-fast" leaves out.
NOT_FAST = admin bench browser commands load operations
space = $(subst ,, )
# As a club serves it: the linters look at this configuration, whatever the developer's own is.
PRODUCTION = env ENV_FILE= DEBUG=0 SECRET_KEY= ALLOWED_HOSTS=club.example \
	CSRF_TRUSTED_ORIGINS=https://club.example NUM_PROXIES=1

.DEFAULT_GOAL := help
.PHONY: help run dev serve test thorough test-fast lint format messages pictures backup restore bench load mutants exhaust

help: ## list what can be done
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	@echo "Installing what the site runs on, once."
	@$(PYTHON) -m venv $(VENV) || { echo "Where this folder may not be written to, name another one: make VENV=/srv/club/venv …"; echo "On Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements.txt requirements-variants.txt requirements-dev.txt $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-variants.txt || \
		echo "MCR and riichi will not be tested: a C++ compiler is missing. On Debian: apt install g++ python3-dev"
	@touch $@

run: $(VENV)/installed ## try the site: its own environment, a demo club, HOST:PORT (DEMO=0 starts empty)
	@$(HOLD) sh -c '$(MANAGE) time_zone && $(PREPARE) && $(OPENED)'
	@exec $(BIN)/python -m mahjong_site.addresses $(HOST) $(PORT) $(BESIDE) $(GRANIAN) --workers 1 --log-level error mahjong_site.wsgi:application

dev: $(VENV)/installed ## as run, for working on the code: DEBUG, and a server that restarts at each change
	@DEBUG=1 $(HOLD) sh -c '$(MANAGE) restore --finish && $(MANAGE) migrate --verbosity 0 && $(OPENED)'
	@DEBUG=1 exec $(BIN)/python -m mahjong_site.addresses $(HOST) $(PORT) $(MANAGE) runserver $(HOST_IN_URL):$(PORT)

serve: $(VENV)/installed ## the production server on HOST:PORT with WORKERS workers, no demo
	@$(HOLD) sh -c '$(PREPARE) && $(MANAGE) start_code --starting $(HOST) $(PORT)'
	@exec $(BESIDE) $(GRANIAN) --workers $(WORKERS) mahjong_site.wsgi:application

# Hundreds of processes follow: what one has compiled need not be compiled again, a second or two each.
test test-fast: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/installed-dev ## the tests: on SQLite, on PostgreSQL, in a browser; for JOBS cores
	$(PYTEST) $(COVERING) --cov=scoring.evaluator --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	EACH_ONCE=$$($(BIN)/python -m tests.support.postgres echo 1) $(PYTEST_MORE) $(COVERING:%=--ignore=%)
	$(BIN)/python -m tests.support.postgres $(PYTEST)

thorough: $(VENV)/installed-dev ## make test with all that it only samples: before a release
	THOROUGH=1 $(MAKE) test

test-fast: $(VENV)/installed-dev ## most tests, on SQLite alone; it prints what it leaves out
	@echo "Left out: PostgreSQL, tests marked slow, tests/$(subst $(space), tests/,$(strip $(NOT_FAST))) $(MANY_HANDS)"
	$(PYTEST) --dist load -q -m "not browser and not slow" $(NOT_FAST:%=--ignore=tests/%) $(MANY_HANDS:%=--ignore=%)

lint: $(VENV)/installed-dev ## style, types, layers, templates, migrations, deployment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/djade --target-version 5.2 --check $$(find templates -name '*.html')
	$(MANAGE) makemigrations --check --dry-run
	$(PRODUCTION) $(MANAGE) check --deploy --fail-level WARNING

format: $(VENV)/installed-dev ## Python and templates, written as make lint wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(find templates -name '*.html')

messages: $(VENV)/installed-dev ## collect new sentences for the translators, and compile what they wrote (needs gettext)
	$(MANAGE) makemessages
	$(MANAGE) compilemessages

pictures: $(VENV)/installed-dev ## docs/pictures/, taken anew from a demo club in a browser
	@$(BIN)/python -m tests.pictures

backup: $(VENV)/installed ## the database in one file, checked by restoring it; FILE= says where, OPTIONS=--yes asks nothing
	@$(MANAGE) backup $(FILE) $(OPTIONS)

restore: $(VENV)/installed ## FILE=…: a backup in the place of the database, which is kept beside it
	@test -n "$(FILE)" || { echo "Which backup? make restore FILE=var/backups/…"; exit 1; }
	@$(MANAGE) restore $(FILE)

bench: $(VENV)/installed-dev ## how fast it is: scoring beside a peer, saving, pages; SECTIONS=
	@$(BIN)/python -m tests.bench $(SECTIONS)

load: $(VENV)/installed-dev ## a busy evening on the production server, nothing lost; OPTIONS="--kill 30 --postgres"
	@$(BIN)/python -m tests.load.club $(OPTIONS)

mutants: $(VENV)/installed-dev ## how many small mistakes in the evaluator the tests would notice (half a day; OPTIONS="--every 10")
	@$(BIN)/python -m tests.evaluator.mutants $(OPTIONS)

exhaust: $(VENV)/installed-dev ## score every winning hand in three ways (an hour, resumable); OPTIONS="--kongs 0 --each"
	@$(BIN)/python -m tests.evaluator.exhaust --processes $(JOBS) $(OPTIONS)
