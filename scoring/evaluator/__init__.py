"""What a Mah Jongg hand is worth: pure Python, no Django, no clock, no I/O."""
