"""Run the command line: from its arguments to an exit code."""
