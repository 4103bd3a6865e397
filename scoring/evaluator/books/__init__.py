"""Rule books as data: what a file says is read, checked and compiled once, then scores any hand.

``docs/rule-books.md`` says how a book is written. Engines are code, values are data: nothing here asks
for the name of a book.
"""
