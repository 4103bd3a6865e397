"""Notices: the list of them, and what somebody wants to hear of by which way."""
