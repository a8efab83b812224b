"""Run the command line: parse arguments, run a command, return its code.

Each command is a module of this package.
"""
