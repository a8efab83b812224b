"""Run `exporter completion`: print a script for a shell.

With the script, the shell completes commands and options.
"""

from __future__ import annotations

import argparse

from exporter.cli.arguments import Commands
from exporter.model.exit_codes import ExitCode

SHELLS = ("bash", "zsh", "fish")
_HOW = """\
Load it when a shell starts:
  bash   eval "$(exporter completion bash)"             in ~/.bashrc
  zsh    eval "$(exporter completion zsh)"              in ~/.zshrc, after compinit
  fish   exporter completion fish | source              in ~/.config/fish/config.fish
"""


def add(commands: Commands) -> None:
    """Add `exporter completion` to the commands of the command line."""
    parser = commands.add_parser("completion", examples=("exporter completion bash",), epilog=_HOW)
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter completion` with parsed options; return the exit code."""
    from exporter.cli.completion_scripts import SCRIPTS, described

    print(SCRIPTS[options.shell](described(options.command_line)), end="")
    return ExitCode.DONE
