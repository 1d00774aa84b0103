"""`parcel-agents hard`: hard claims of recorded runs, as a study, as text, as JSON and as a page."""
