"""Serve the studio: see, walk, tune and choose levels in the browser.

The studio is a web page with a small server on this machine. Everyone who reaches the server gets
the page's files. Everything else goes over a WebSocket, whose first message must contain the token
of the printed address. A tab is a page open in a browser, a session what the server keeps for it. A
user edits a draft, a copy of the spec's text; saving writes it into the file.
"""
