"""The two ways a command ends badly. Both carry one clear line for the user."""


class TightfitError(Exception):
    """Base of the errors shown to users as one line, without a traceback."""

    exit_status = 1


class WorkError(TightfitError):
    """The work failed: a tool is missing, a build broke, a disk is full (exit status 1)."""

    exit_status = 1


class UsageError(TightfitError):
    """The question was wrong: an unknown name, a malformed file, a size that is no size (exit status 2)."""

    exit_status = 2
