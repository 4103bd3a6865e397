"""What a table plays by: rules of options, or a rule book, behind one interface.

What a league does with a hand asks here and nowhere else: whether it can be, what it is worth, who pays
whom, and who deals next.
"""

from .base import Claims, LoserEntry, LoserHand, Paid, Read, TableRules, Worth
from .by_book import BookTableRules, why_not_playable
from .by_options import OptionTableRules

__all__ = [
    "BookTableRules",
    "Claims",
    "LoserEntry",
    "LoserHand",
    "OptionTableRules",
    "Paid",
    "Read",
    "TableRules",
    "Worth",
    "why_not_playable",
]
