"""Lengths, in characters, of texts that several tables and forms keep."""

LONGEST_REASON = 300
