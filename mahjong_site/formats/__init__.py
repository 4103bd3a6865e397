"""How dates and figures are written in each language, where Django's own way is not the club's.

Dutch is Django's own: 1.040, 4 november 2026, 21:10.
"""
