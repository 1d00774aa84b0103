"""Reading opinions: a file becomes an `Opinion` with parts and passages.

`load` is the way in. `document` decodes (`characters`) and finds the reader by the file's ending, for briefs as well.
The readers `markdown`, `html`, `plain` (with `layout` for printed pages), `records` (JSON), `pdf` and `docx` (each
with the files of its name) turn a source into `blocks` without marks; `line_ends` makes divided words whole.
Typed markup is read by `markup`, `fastcase` and `publisher`.
`judges` has the pieces of which `headings` (separate writings), `openings` (the Court's) and `closings` (who concurred)
recognize lines, `sections` what a head says of single sections, `notes` the footnotes; with them `parts` says whose
voice each block is, and where that is unknown. `page_marks` keeps pages and paragraph numbers, `describe` (with
`captions`, `court_names`, `decision_dates`, `front_citations`) name, court, date and cite, and `passages` cuts the
units that are retrieved.
"""

from parcel_agents.opinions.document import Document, read_document
from parcel_agents.opinions.load import load_opinion, parse_opinion

__all__ = ["Document", "load_opinion", "parse_opinion", "read_document"]
