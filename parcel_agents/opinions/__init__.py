"""Reading opinions: a file becomes an `Opinion` with parts and passages.

`load` is the way in: it decodes (`characters`) and finds the reader by the file's ending. The readers `markdown`,
`html`, `plain` (with `layout` for printed pages) and `records` (JSON) turn a source into `blocks` without marks.
`headings` knows the lines that name judges, `notes` the footnotes; with them `parts` tells whose voice each block is.
`page_marks` and `describe` keep what the marks and the head say, and `passages` cuts the units that are retrieved.
"""

from parcel_agents.opinions.load import load_opinion, parse_opinion

__all__ = ["load_opinion", "parse_opinion"]
