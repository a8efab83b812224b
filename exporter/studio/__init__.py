"""Serve the studio: see, walk, tune and choose a level in the browser.

A small server on this machine. The page's files are served to every request that names this
machine; everything else goes over one WebSocket, whose first message must be the token of the
address. A user edits a draft of the spec's text; saving writes the file.
"""
