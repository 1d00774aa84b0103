"""LangGraph graphs: `verify` checks one claim against one opinion."""
