"""Why a backup is not made or not put back."""


class BackupRefused(Exception):
    """``str()`` says why, and what to do. Nothing was changed."""
