"""The set of tools over one opinion."""

from __future__ import annotations

from langchain_core.tools import BaseTool

from parcel_agents.retrievers.base import Index
from parcel_agents.tools.citing import citation_tool
from parcel_agents.tools.listing import list_tool
from parcel_agents.tools.quoting import quotation_tool
from parcel_agents.tools.reading import read_tool, search_tool


def opinion_tools(index: Index) -> list[BaseTool]:
    """Tools that read one opinion, for `bind_tools`, `ToolNode` or any agent.

    They are `search_opinion`, `read_passage`, `find_citation`, `list_parts` and `check_quotation`. Each answers with
    text for the model and with the same as plain JSON data in the message's `artifact`. They hold no state: one set
    serves any number of conversations about the opinion, in threads or tasks.

    Example:
        >>> from importlib.resources import files
        >>> from parcel_agents import Opinion
        >>> from parcel_agents.retrievers import make_retriever
        >>> opinion = Opinion.load(files("parcel_agents").joinpath("examples/opinions/people_v_marlowe.md"))
        >>> tools = opinion_tools(make_retriever("bm25").index(opinion))
        >>> print(tools[4].invoke({"text": "Convenience is among the exceptions"}).splitlines()[0])
        altered: 1 difference from the words at p21 | majority (Ferris, J.) | 97 NY3d at 215

    Args:
        index: the opinion, indexed by any retriever.
    """
    return [search_tool(index), read_tool(index), citation_tool(index), list_tool(index), quotation_tool(index)]
