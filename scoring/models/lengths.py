"""How long a text may be that several tables and forms keep, in characters."""

LONGEST_REASON = 300
