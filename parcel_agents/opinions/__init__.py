"""Reading opinions: a file becomes an `Opinion` with parts and passages.

`load` is the way in. `document` decodes (`characters`) and finds the reader by the file's ending, for briefs as well.
The readers `markdown`, `html`, `plain` (with `layout` for printed pages), `records` (JSON), `pdf` and `docx` (each
with the files of its name) turn a source into `blocks` without marks; `line_ends` makes divided words whole.
`headings` knows the lines that name judges, `notes` the footnotes; with them `parts` tells whose voice each block is.
`page_marks` and `describe` keep what the marks and the head say, and `passages` cuts the units that are retrieved.
"""

from parcel_agents.opinions.document import Document, read_document
from parcel_agents.opinions.load import load_opinion, parse_opinion

__all__ = ["Document", "load_opinion", "parse_opinion", "read_document"]
