"""Files on disk: written whole, remembered in a manifest, cached by key."""
