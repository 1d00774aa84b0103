"""Making a data set of labelled claims from decisions, as the paper does (PARCEL, section 3.3).

model       what is made: candidates, what was dropped, the record of a decision
decisions   which decisions can be used
exemplars   parentheticals of real briefs, harvested and filtered, that show a model the style
rules/      claims made by rules alone; no model is asked
writing     claims written by a model; its prompts are text files in prompts/
checks      what makes a claim unfit, whoever made it
blind       another model labels each claim without knowing what it was meant to be
balance     how many of each class and strategy go into the set
folder      the files of a data set that is being made
"""
