# `make portfolio` sets everything up, then searches, measures and proves AES-128 encryption on every target from nothing;
# PRIMITIVES=xtea does it for every operation of that, PRIMITIVES=all for everything. It goes on where it was stopped.
# `make test` sets everything up and runs the tests.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Pins what pip builds with as well as what it installs.
export PIP_CONSTRAINT := $(CURDIR)/requirements.txt
NO_VENV := python3 has no venv module; "sudo apt-get install python3-venv" gets it
GET_VENV = test "$$(id -u)" = 0 || { echo '$(NO_VENV)' >&2; exit 1; }; \
	apt-get -q update && apt-get -q install -y --no-install-recommends python3-venv
.DEFAULT_GOAL := portfolio
.PHONY: portfolio test setup clean

# What is made lies apart from the portfolio that ships, and nothing is taken from that.
MADE := $(CURDIR)/build/portfolio
FROM_NOTHING := TIGHTFIT_PORTFOLIO=$(MADE) TIGHTFIT_STORE=$(MADE)/store.sqlite
NAMED := $(filter-out all,$(PRIMITIVES))

portfolio: setup
	$(FROM_NOTHING) $(BIN)/tightfit fill $(if $(PRIMITIVES),$(NAMED),aes-128 --operation encrypt) --portfolio $(MADE)
	$(FROM_NOTHING) $(BIN)/tightfit table $(if $(PRIMITIVES),$(NAMED:%=--primitive %),--primitive aes-128)
	@echo; echo 'Made in $(MADE). `make portfolio PRIMITIVES=all` does the same for every primitive and operation.'

# Bytecode is kept whatever the environment says: a run starts hundreds of commands.
test: setup
	$(BIN)/tightfit setup --tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --quiet

setup: $(INSTALLED)
	$(BIN)/tightfit setup

$(INSTALLED): pyproject.toml requirements.txt | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

# Debian keeps the venv module in a package of its own.
$(BIN)/pip:
	@python3 -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV); $(GET_VENV); python3 -m venv $(VENV); }

clean:
	rm -rf $(VENV)
