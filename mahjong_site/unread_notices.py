"""Fetch the number of unread notices with the account: the header costs no query of its own."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from scoring.models import Notice
from scoring.models.permissions import Account


class UnreadCount(ModelBackend):
    """A backend whose accounts have ``unread_notices``."""

    def get_user(self, user_id: int) -> Account | None:
        own = Notice.objects.filter(recipient=OuterRef("pk"), read_at__isnull=True).order_by()
        number = Subquery(own.values("recipient").annotate(number=Count("pk")).values("number"))
        accounts = Account.objects.annotate(unread_notices=Coalesce(number, 0))
        account = accounts.filter(pk=user_id).first()
        return account if account and self.user_can_authenticate(account) else None
