"""Score Mah Jongg hands: pure Python, no Django, no clock, no I/O."""
