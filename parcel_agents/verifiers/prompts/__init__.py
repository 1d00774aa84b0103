"""What models are told: one text file a protocol, with a version in its name, and how opinion and claim go into it.

A file that has been used is never changed, since votes name it; a better wording is a new file.
"""

from parcel_agents.verifiers.prompts.render import Rendered, render, render_opinion
from parcel_agents.verifiers.prompts.template import Template, load_template

__all__ = ["Rendered", "Template", "load_template", "render", "render_opinion"]
