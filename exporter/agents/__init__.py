"""The server for agents (Model Context Protocol): a thin face over check, preview, measure, search.

`server` has the tools and speaks the protocol, `worker` runs them in a process of its own, `tools`
says what each does, `answers` what an answer looks like, `specs` finds and writes level specs.
"""
