"""Reading opinions: a file becomes an `Opinion` with parts and passages.

`load` finds the reader by the file's ending; `markdown`, `html` and `plain` turn a source into `Block`s without
marks; `parts` tells whose voice each block is; `passages` cuts parts into the units that are retrieved.
"""

from parcel_agents.opinions.load import load_opinion, parse_opinion

__all__ = ["load_opinion", "parse_opinion"]
