"""Finding the passages of an opinion that bear on a claim.

`bm25` ranks by words, `dense` by sentence embeddings, `hybrid` weighs both with what else tells where a claim
is dealt with. All follow the contract in `base`.
"""

from parcel_agents.retrievers.base import Index, Retriever, make_retriever

__all__ = ["Index", "Retriever", "make_retriever"]
