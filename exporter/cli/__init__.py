"""Run the command line: arguments in, exit codes out."""
