"""Make shell scripts that complete the commands of `exporter`.

The scripts have all names in them, so pressing Tab starts no Python. A word that begins with a
hyphen is completed with options, other words with the allowed values of an option or argument, or
else with files.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

from exporter.cli.arguments import subcommands
from exporter.cli.main import COMMANDS
from exporter.model.lazy_dataclass import dataclass

PROGRAM = "exporter"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command, as a completion script needs it.

    Attributes:
        names: The spellings of the option, such as `-o` and `--output`.
        help: The help text.
        takes_value: Whether a value follows the option.
        values: The allowed values; empty if any text is allowed.
    """

    names: tuple[str, ...]
    help: str
    takes_value: bool
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandDescription:
    """A command and its options, as a completion script needs them.

    Attributes:
        words: The words after `exporter` that call the command; empty for `exporter` itself.
        inner: The subcommands, each with its help text.
        options: The command's options.
        values: The allowed values of the command's arguments.
    """

    words: tuple[str, ...]
    inner: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]
    values: tuple[str, ...]

    @property
    def path(self) -> str:
        """The words after `exporter` that call the command, joined by spaces."""
        return " ".join(self.words)


def described(parser: argparse.ArgumentParser) -> list[CommandDescription]:
    """Return descriptions of the command of `parser` and its subcommands.

    The command itself comes first.
    """
    return list(_described(parser, ()))


def bash_script(commands: Sequence[CommandDescription]) -> str:
    """Return the script with which bash completes `commands`."""
    lines = [
        f"# Completion of {PROGRAM} for bash.",
        f"_{PROGRAM}() {{",
        '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local command="" word candidates="" always=""',
        '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        '        case "$command $word" in',
        f'            {_paths(commands)}) command="${{command:+$command }}$word" ;;',
        "        esac",
        "    done",
        '    case "$command $previous" in',
    ]
    for values, patterns in _fixed_values(commands).items():
        lines.append(f'        {"|".join(patterns)}) candidates="{" ".join(values)}"; always=1 ;;')
    lines += ['        *) case "$command" in']
    for command in commands:
        words = [name for name, _ in command.inner] + list(command.values)
        words += [name for option in command.options for name in option.names]
        always = "; always=1" if command.inner or command.values else ""
        lines.append(f'            "{command.path}") candidates="{" ".join(words)}"{always} ;;')
    lines += [
        "        esac ;;",
        "    esac",
        "    COMPREPLY=()",
        "    if [[ -n $always || $current == -* ]]; then",
        '        COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
        "    fi",
        "}",
        f"complete -o default -F _{PROGRAM} {PROGRAM}",
    ]
    return "\n".join(lines) + "\n"


def zsh_script(commands: Sequence[CommandDescription]) -> str:
    """Return the script with which zsh completes `commands`."""
    lines = [
        f"#compdef {PROGRAM}",
        f"# Completion of {PROGRAM} for zsh.",
        f"_{PROGRAM}() {{",
        '    local command="" word',
        "    local -a candidates options",
        '    for word in "${(@)words[2,CURRENT-1]}"; do',
        '        case "$command $word" in',
        f'            ({_paths(commands)}) command="${{command:+$command }}$word" ;;',
        "        esac",
        "    done",
        '    case "$command $words[CURRENT-1]" in',
    ]
    for values, patterns in _fixed_values(commands).items():
        lines.append(f"        ({'|'.join(patterns)}) compadd -- {' '.join(values)}; return ;;")
    lines += ["    esac", '    case "$command" in']
    for command in commands:
        words = [_zsh_item(name, text) for name, text in command.inner]
        words += [_zsh_item(value, "") for value in command.values]
        options = [
            _zsh_item(name, option.help) for option in command.options for name in option.names
        ]
        lines += [
            f'        ("{command.path}")',
            f"            candidates=({' '.join(words)})",
            f"            options=({' '.join(options)}) ;;",
        ]
    lines += [
        "    esac",
        "    if [[ $PREFIX == -* ]]; then",
        "        _describe option options",
        "    elif (( $#candidates )); then",
        "        _describe command candidates",
        "    else",
        "        _files",
        "    fi",
        "}",
        f'if [[ $funcstack[1] == _{PROGRAM} ]]; then _{PROGRAM} "$@"',
        f"else compdef _{PROGRAM} {PROGRAM}; fi",
    ]
    return "\n".join(lines) + "\n"


def fish_script(commands: Sequence[CommandDescription]) -> str:
    """Return the script with which fish completes `commands`."""
    lines = [f"# Completion of {PROGRAM} for fish."]
    for command in commands:
        condition = _fish_condition(command)
        for name, text in command.inner:
            lines.append(f"complete -c {PROGRAM} -f -n {condition} -a {name} -d {_quote(text)}")
        if command.values:
            values = _quote(" ".join(command.values))
            lines.append(f"complete -c {PROGRAM} -f -n {condition} -a {values}")
        for option in command.options:
            names = [
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            ]
            value = f"-x -a {_quote(' '.join(option.values))}" if option.values else "-r"
            parts = [*names, *([value] if option.takes_value else [])]
            lines.append(
                f"complete -c {PROGRAM} -n {condition} {' '.join(parts)} -d {_quote(option.help)}"
            )
    return "\n".join(lines) + "\n"


SCRIPTS: dict[str, Callable[[Sequence[CommandDescription]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}


def _described(
    parser: argparse.ArgumentParser, words: tuple[str, ...]
) -> Iterator[CommandDescription]:
    inner = subcommands(parser)
    helps = COMMANDS | _helps(parser)
    options = []
    values: list[str] = []
    for action in parser._actions:  # argparse has no public list of them
        choices = tuple(map(str, action.choices or ())) or _names_of(action)
        if action.option_strings:
            takes_value = action.nargs != 0
            text = (action.help or "") % {"default": action.default}
            options.append(Option(tuple(action.option_strings), text, takes_value, choices))
        elif not inner:
            values += choices
    yield CommandDescription(
        words, tuple((name, helps.get(name, "")) for name in inner), tuple(options), tuple(values)
    )
    for name, item in inner.items():
        yield from _described(item, (*words, name))


def _names_of(action: argparse.Action) -> tuple[str, ...]:
    """Return the metric or overlay names that shells offer for an option.

    Empty for options that `completes` in `arguments` has not marked.
    """
    kind = getattr(action, "completes", None)
    if kind is None:
        return ()
    from exporter.measures.names import known_names

    return tuple(known_names(kind))


def _helps(parser: argparse.ArgumentParser) -> dict[str, str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {
                choices_action.dest: choices_action.help or ""
                for choices_action in action._choices_actions
            }
    return {}


def _fixed_values(commands: Sequence[CommandDescription]) -> dict[tuple[str, ...], list[str]]:
    """Return the options that have fixed values, by these values.

    Options with the same values share an item. An option is given as a shell pattern of its command
    and name.
    """
    result: dict[tuple[str, ...], list[str]] = {}
    for command in commands:
        for option in command.options:
            if option.values:
                patterns = result.setdefault(option.values, [])
                patterns += [f'"{command.path} {name}"' for name in option.names]
    return result


def _paths(commands: Sequence[CommandDescription]) -> str:
    """Return a shell pattern that matches the words of each subcommand.

    The shell script matches it with the command so far and the next word, joined by a space.
    """
    steps = [
        f'"{" ".join(command.words[:-1])} {command.words[-1]}"'
        for command in commands
        if command.words
    ]
    return "|".join(steps)


def _zsh_item(name: str, text: str) -> str:
    """Return `name` and its help `text` as an item for zsh's `_describe`."""
    escaped = name.replace(":", "\\:")
    return _quote(f"{escaped}:{text}" if text else escaped)


def _fish_condition(command: CommandDescription) -> str:
    seen = [f"__fish_seen_subcommand_from {word}" for word in command.words]
    if not seen:
        return "__fish_use_subcommand"
    if command.inner:
        names = " ".join(name for name, _ in command.inner)
        seen.append(f"not __fish_seen_subcommand_from {names}")
    return _quote("; and ".join(seen))


def _quote(text: str) -> str:
    """Quote `text` so that bash, zsh and fish read it as one word."""
    return "'" + text.replace("'", "'\\''") + "'"
