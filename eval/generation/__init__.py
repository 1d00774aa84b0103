"""Making a data set from decisions: what the command `generate` does with its arguments."""
