"""Serve AI agents over the Model Context Protocol (MCP).

This is a thin layer over the commands `check`, `preview`, `seeds` and `export`. A tool is a
function that an agent can call.

`server` describes the tools and speaks the protocol, `worker` runs them in a separate process,
`tools` implements them, `answers` and `fixes` format answers, `topics` describes the format of
specs, `specs` finds and writes specs.
"""
