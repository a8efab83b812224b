"""Write files atomically, record them in a manifest, cache results by key."""
