"""Labelled data sets: a folder, one table with the decisions' texts, or ContractNLI's JSON."""

from parcel_agents.eval.datasets.load import load_dataset, locate_excerpt
from parcel_agents.eval.datasets.model import Dataset, DatasetError, Problem
from parcel_agents.types import GoldClaim

__all__ = ["Dataset", "DatasetError", "GoldClaim", "Problem", "load_dataset", "locate_excerpt"]
