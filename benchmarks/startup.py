"""CPU seconds of short commands, as multiples of a bare interpreter that imports click.

    python benchmarks/startup.py --rounds 20

Every round runs each command once, one after the other, so that other load on the machine falls on all of
them alike; the least of the rounds counts. The first round, which fills caches, is not counted.
"""

import argparse
import os
import resource
import subprocess
import sys

ASK = "ask {} --target {} --rom {} --ram {}"
COMMANDS = {
    "ask aes-128 on rl78": ASK.format("aes-128 encrypt", "rl78", "1KB", "64B"),
    "ask aes-128 on avr, as JSON": ASK.format("aes-128 encrypt+decrypt", "avr", "2KB", "128B") + " --json",
    "ask sha-256 on msp430": ASK.format("sha-256", "msp430", "2KB", "384B"),
    "ask, everything": "ask --rom 1KB --ram 128B",
    "ask for every hash on avr": ASK.format("--kind hash", "avr", "2KB", "512B"),
    "ask for two needs on avr": ASK.format("--need aes-128:encrypt --need sha-256", "avr", "2KB", "384B"),
    "table of aes-128": "table --primitive aes-128",
    "table of aes-128 on avr": "table --primitive aes-128 --target avr",
    "table": "table",
    "--help": "--help",
    "ask --help": "ask --help",
    "list": "list",
    "list budgets": "list budgets",
}
BARE = [sys.executable, "-c", "import click"]


def seconds(command: list[str]) -> float:
    """CPU seconds, user and system, of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="how often each command is run")
    rounds = parser.parse_args().rounds
    tightfit = [sys.executable, "-m", "tightfit.cli"]
    commands = {"import click": BARE} | {
        name: [*tightfit, *words.split()] for name, words in COMMANDS.items()
    }
    least = dict.fromkeys(commands, float("inf"))
    for number in range(rounds + 1):
        for name, command in commands.items():
            taken = seconds(command)
            if number:
                least[name] = min(least[name], taken)
    bare = least["import click"]
    for name, taken in least.items():
        print(f"{name:32} {taken:6.3f} s  {taken / bare:5.2f}")


if __name__ == "__main__":
    main()
