"""Draw and encode pictures: PNG, animations, relief, letters, sprites."""
