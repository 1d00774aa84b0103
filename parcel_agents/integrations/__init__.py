"""For drafting agents: LangChain tools and an MCP server that check claims before they are cited.

`library.py` knows which opinion a citation means, `checking.py` has a panel check claims about it, `wording.py` says
the verdict so that a model cannot mistake it, `langchain_tools.py` and `mcp_server.py` offer this to agents.
"""

from parcel_agents.integrations.checking import Checked, Checker
from parcel_agents.integrations.langchain_tools import verify_claim_tool, verify_claims_tool
from parcel_agents.integrations.library import Library
from parcel_agents.tools import opinion_tools

__all__ = ["Checked", "Checker", "Library", "opinion_tools", "verify_claim_tool", "verify_claims_tool"]
