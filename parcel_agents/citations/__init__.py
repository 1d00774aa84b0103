"""Authorities, numbers, dates and names as legal text writes them."""
