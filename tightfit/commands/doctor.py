"""`tightfit doctor`."""

import click

from tightfit.commands.options import json_option
from tightfit.commands.output import emit
from tightfit.reports.document import Document, Table, write


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """What is there, what is missing, and the one command that gets it.

    Exit status 1 if something that is needed is missing. The C compilers are optional.
    """
    from tightfit.doctor import examine

    checks = examine()
    form = [
        {
            "name": check.name,
            "ok": check.ok,
            "needed": check.needed,
            "detail": check.detail,
            "fix": check.fix,
            "needed_for": check.needed_for,
        }
        for check in checks
    ]
    rows = tuple(
        (check.state, check.name, check.detail, "" if check.ok else check.needed_for, check.fix or "")
        for check in checks
    )
    table = Table("", ("", "what", "where", "needed for", "command that gets it"), rows)
    emit({"checks": form}, write(Document("tightfit doctor", (table,)), "text"), as_json)
    if not all(check.ok or not check.needed for check in checks):
        raise click.exceptions.Exit(1)
