"""Formats of dates and figures in each language, where Django's own are not the club's.

Dutch is Django's own: 1.040, 4 november 2026, 21:10.
"""
