"""One export of a project: what is stale, how it is built, how it is committed."""
