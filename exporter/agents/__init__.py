"""Serve agents over the Model Context Protocol.

A thin layer over check, preview and search.

`server` has the tools and speaks the protocol, `worker` runs them in a separate process, `tools`
implements them, `answers` formats answers, `specs` finds and writes level specs.
"""
