"""Errors of making a backup and putting it back."""


class BackupRefused(Exception):
    """``str()`` says why, and what to do. Nothing was changed."""
