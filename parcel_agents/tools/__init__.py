"""LangChain tools over one opinion, for the `agent` verifier and for anybody's own agent.

`opinion_tools(index)` makes the five of them: `search_opinion`, `read_passage` (`reading`), `find_citation`
(`citing`, with the places found by `mentions`), `list_parts` (`listing`) and `check_quotation` (`quoting`). All
answer through `answers`, and show the opinion's text as `untrusted` makes it safe to show.
"""

from parcel_agents.tools.opinion_tools import opinion_tools

__all__ = ["opinion_tools"]
