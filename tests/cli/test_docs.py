"""Every command and every option is documented, and nothing else is."""

import re
from pathlib import Path

import click
import pytest

from tightfit.cli import COMMANDS, cli

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "commands.md").read_text()
SECTIONS = dict(re.findall(r"^## tightfit (\S+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def commands(name):
    """A command, or those of a group."""
    command = cli.get_command(click.Context(cli), name)
    return [command, *getattr(command, "commands", {}).values()]


def own_options(name):
    return [
        option for command in commands(name) for option in command.params if isinstance(option, click.Option)
    ]


def options(name):
    return {spelling for option in own_options(name) for spelling in option.opts}


def test_every_command_has_a_section_and_no_other_does():
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_the_options_of_its_command(name):
    documented = set(re.findall(r"(?<=`)--[a-z-]+", SECTIONS[name].partition("Option")[2]))
    assert documented == options(name) - {"--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_does(name):
    command = cli.get_command(click.Context(cli), name)
    assert command.name == name
    assert command.help.split("\n\n")[0].replace("\n", " ") == COMMANDS[name]
    assert all(option.help for option in own_options(name))


def test_pages_link_to_pages_that_exist():
    for page in DOCS.glob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
