"""The studio: a level in the browser, to see, walk, tune and choose it.

A small server on this machine. The page's own files are served to anyone who asks this machine by
its own name; everything else goes over one WebSocket, whose first message must be the token of the
address. What a person changes is a draft of the spec's text; the file is written when they save.
"""
