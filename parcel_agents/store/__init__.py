"""Run folders: what was asked, of whom, and a vote a line."""

from parcel_agents.store.meta import DatasetMeta, PanelMeta, RunMeta, SettingsMeta, VerifierMeta, verifier_differences
from parcel_agents.store.run import Run

__all__ = ["DatasetMeta", "PanelMeta", "Run", "RunMeta", "SettingsMeta", "VerifierMeta", "verifier_differences"]
