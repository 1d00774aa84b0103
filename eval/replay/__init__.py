"""Recorded votes under other panels, policies and cascades; `report` puts everything together."""
