"""Hard claims: which claims several verifiers fail together, how their failures hang together, and why.

`failures` says what counts as a failure. On it stand the distribution (`distribution`), the failure graph (`cofailure`,
`patterns`, `communities`, `covers`, `graph`) and what a further verifier would add (`worth`). `causes/` holds the
diagnosis of one claim, a file a cause. Nothing here asks a model but `causes/leakage`.
"""
