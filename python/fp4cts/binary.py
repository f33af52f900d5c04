# SPDX-License-Identifier: Apache-2.0
"""The binary that judges, and how it is called."""
import os
import pathlib
import subprocess
import sys

_PACKAGED = pathlib.Path(__file__).parent / "bin" / "fp4cts"


class UsageError(ValueError):
    """What fp4cts refuses before it runs anything: exit code 2, with its words."""


def path():
    """The binary: of the variable FP4CTS_BINARY, or the one in this package."""
    chosen = os.environ.get("FP4CTS_BINARY")
    if chosen:
        return chosen
    if not _PACKAGED.exists():
        raise FileNotFoundError(f"{_PACKAGED}: the package carries no binary; set FP4CTS_BINARY to one")
    return str(_PACKAGED)


def run(arguments, **options):
    """The finished process of `fp4cts ARGUMENTS`, with its output as text."""
    return subprocess.run([path(), *arguments], capture_output=True, text=True, errors="replace", **options)


def ask(arguments):
    """The standard output of a command that has no verdict. UsageError where it fails."""
    process = run(arguments)
    if process.returncode != 0:
        raise UsageError(process.stderr.strip() or f"fp4cts exited with status {process.returncode}")
    return process.stdout


def version():
    """What `fp4cts version` says."""
    return ask(["version"]).strip()


def main():
    """The command `fp4cts` of an environment in which the wheel is installed."""
    os.execv(path(), ["fp4cts", *sys.argv[1:]])
