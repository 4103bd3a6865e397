"""Stored sums of what the hands that count tell, so that no page reads all hands again.

An evening is worked out from its hands (:mod:`.evenings`), a month from its evenings, a year from its
months and a league from its years (:mod:`.store`), so a change costs one evening and a few dozen rows
however much was played. ``docs/decisions/sums-of-the-story.md`` says why.
"""
