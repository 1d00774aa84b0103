"""Models behind an API: how they are described, asked, limited, paid for and remembered.

spec      one model's settings            chat      the LangChain clients
pool      one Asker per model, shared     asking    a question with a structured answer, down the rungs
calling   one call: limits, deadline, retries
limits, gate, waiting   requests and tokens a minute; how many calls at a time
outcomes, reading       exceptions and messages -> Outcome
answers   text or tool call -> fields     cost      tokens -> money, and the cap
cache     answers kept in SQLite          stop      the exceptions that end a run
"""

from parcel_agents.providers.asking import Asked, Asker, Question, UnusableError
from parcel_agents.providers.cache import AnswerCache
from parcel_agents.providers.cost import Account, Estimate
from parcel_agents.providers.pool import Providers
from parcel_agents.providers.spec import RUNGS, ModelSpec, Rung
from parcel_agents.providers.stop import AuthError, CostCapError, QuotaError, RunStoppedError

__all__ = [
    "RUNGS",
    "Account",
    "AnswerCache",
    "Asked",
    "Asker",
    "AuthError",
    "CostCapError",
    "Estimate",
    "ModelSpec",
    "Providers",
    "Question",
    "QuotaError",
    "RunStoppedError",
    "Rung",
    "UnusableError",
]
