"""Sharing the work of one project: a store of results that many machines fill, shards, clusters."""
