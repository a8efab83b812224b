"""What there is to use: the reference page of specs, and everything that is registered."""
