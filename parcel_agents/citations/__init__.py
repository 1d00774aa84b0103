"""Authorities, numbers, dates, names, speakers and quotations as legal text writes them."""
