"""Settings of files and of the environment stand for options; bad ones are one line with file and key."""

import json
import tomllib

import click
import pytest
from click.shell_completion import BashComplete

from tightfit import settings
from tightfit.cli import COMMANDS, CONFIGURED, cli
from tightfit.units import parse_clock, parse_duration

pytestmark = pytest.mark.usefixtures("no_tools")


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Write `tightfit.toml` of the working folder, or of the user."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIGHTFIT_CONFIG", str(tmp_path / "user.toml"))

    def write(text, name=settings.FILE):
        (tmp_path / name).write_text(text)

    return write


def answers(outcome):
    assert (outcome.status, outcome.err) == (0, "")
    data = json.loads(outcome.out)
    return data.get("answers", [data])


def test_settings_of_user_folder_and_environment(tightfit, config, monkeypatch):
    config('target = "AVR"\nrom = "2KB"\nram = 512\n', "user.toml")
    config('target = "rl78"\nconstant-path = true\nclock = "8MHz"\n')
    (only,) = answers(tightfit("ask", "aes128", "encrypt", "--json"))
    assert (only["target"], only["budget"]["name"]) == ("rl78", "2KB/512B constant-path")
    assert (only["budget"]["rom"], only["budget"]["ram"], only["milliseconds"]) == (2048, 512, 0.25)
    monkeypatch.setenv("TIGHTFIT_ROM", "1KB")
    monkeypatch.setenv("TIGHTFIT_CONSTANT_PATH", "no")
    (only,) = answers(tightfit("ask", "aes128", "encrypt", "--ram", "128B", "--json"))
    assert only["budget"]["name"] == "1KB/128B"
    every = answers(tightfit("--no-config", "ask", "aes128", "encrypt", "--json"))
    assert len({one["target"] for one in every}) > 1


def test_what_is_said_comes_before_settings(tightfit, config):
    config('target = "avr"\npart = "ATmega328P"\nkind = "hash"\nmessage = 64\n')
    (only,) = answers(tightfit("ask", "aes128", "encrypt", "rl78", "--json"))
    assert (only["target"], only["primitive"], only["filters"]["message"]) == ("rl78", "aes-128", 64)
    (only,) = answers(tightfit("ask", "aes128", "encrypt", "--target", "rl78", "--json"))
    assert only["part"] == "R5F100xE"
    (only,) = answers(tightfit("ask", "aes128", "encrypt", "--json"))
    assert only["part"] == "ATmega328P"
    together = tightfit("ask", "--need", "aes-128:encrypt", "--target", "rl78", "--json")
    assert together.status == 0


@pytest.mark.parametrize(
    "text, line",
    [
        ("target = \n", "tightfit.toml: expected TOML: Invalid value (at line 1, column 10)"),
        ('taget = "avr"\n', "tightfit.toml: no key 'taget'; the nearest: target"),
        ('target = "rl87"\n', "tightfit.toml: target: no target 'rl87'; the nearest: rl78"),
        ("target = 3\n", "tightfit.toml: target: expected text, found 3"),
        ('part = "ATmega"\n', "tightfit.toml: part: no part 'ATmega'; it may be "),
        ('rom = "1MB"\n', "tightfit.toml: rom: '1MB' is no size"),
        ("[rom]\nmost = 3\n", "tightfit.toml: rom: expected text, found {'most': 3}"),
        ("security = -1\n", "tightfit.toml: security: expected a number above 0, found -1"),
        ('constant-time = "maybe"\n', "tightfit.toml: constant-time: expected true or false, found 'maybe'"),
        ('under = "5"\n', "tightfit.toml: under: '5' is no duration"),
    ],
)
def test_a_bad_file_is_one_line(tightfit, config, text, line):
    config(text)
    outcome = tightfit("ask", "aes128")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert line in outcome.err


def test_a_file_that_is_no_text_and_a_bad_variable(tightfit, config, tmp_path, monkeypatch):
    (tmp_path / settings.FILE).write_bytes(b"\xff\xfe")
    outcome = tightfit("ask")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1) and "expected TOML" in outcome.err
    (tmp_path / settings.FILE).unlink()
    (tmp_path / settings.FILE).mkdir()
    assert "tightfit.toml: cannot be read: Is a directory" in tightfit("ask").err
    (tmp_path / settings.FILE).rmdir()
    monkeypatch.setenv("TIGHTFIT_RAM", "lots")
    assert (
        tightfit("ask").err
        == "tightfit: TIGHTFIT_RAM: 'lots' is no size: write bytes or KB, such as 486, 512B, 1KB or 0x200\n"
    )


def test_every_setting_is_an_option_of_its_commands():
    assert tuple(settings.COMMANDS) == CONFIGURED
    for command, keys in settings.COMMANDS.items():
        options = {name for one in cli.get_command(click.Context(cli), command).params for name in one.opts}
        assert {f"--{key}" for key in keys} <= options


@pytest.mark.parametrize(
    "arguments, incomplete, expected",
    [
        ([], "as", {"ask"}),
        (["ask"], "PRES", {"present-80"}),
        (["ask"], "encrypt-", {"encrypt-next"}),
        (["ask", "--target"], "r", {"rl78", "rv32e"}),
        (["export", "aes-128", "encrypt", "--target", "avr", "--part"], "attiny84", {"ATtiny84"}),
        (["ask", "--need"], "keccak-2", {"keccak-256:hash"}),
        (["table"], "--wi", {"--wide"}),
    ],
)
def test_the_shell_completes_ids(arguments, incomplete, expected):
    completions = BashComplete(cli, {}, "tightfit", "_TIGHTFIT_COMPLETE").get_completions(
        arguments, incomplete
    )
    assert {item.value for item in completions} == expected


def test_units():
    assert [parse_clock(text) for text in ("8MHz", "32.768 kHz", 16)] == [8_000_000, 32_768, 16]
    assert [parse_duration(text) * 10**6 for text in ("5ms", "250us", "1.5 s")] == [5000, 250, 1_500_000]


def test_the_example_of_the_page_is_right():
    from tests.cli.test_docs import TEXT

    example = TEXT.partition("```toml\n")[2].partition("```")[0]
    assert {key: settings.KEYS[key](value) for key, value in tomllib.loads(example).items()}
    assert COMMANDS.keys() >= settings.COMMANDS.keys()
