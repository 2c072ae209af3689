# `make portfolio` sets everything up, searches, measures and prints the portfolio; of some PRIMITIVES, if they are named.
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

portfolio: setup
	$(BIN)/tightfit fill $(PRIMITIVES)
	$(BIN)/tightfit table

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
