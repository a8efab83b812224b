"""Write the reference pages of specs and of registered entries."""
