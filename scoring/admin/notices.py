"""Notices and their deliveries at the desk, to look at."""

from django.contrib import admin

from scoring.models import Delivery, Notice, NoticeChoice, PushSubscription

from .ledger import LedgerAdmin


@admin.register(Notice)
class NoticeAdmin(LedgerAdmin):
    list_display = ("kind", "recipient", "made_at", "read_at")
    list_filter = ("kind",)
    list_select_related = ("recipient",)


@admin.register(NoticeChoice)
class NoticeChoiceAdmin(LedgerAdmin):
    list_display = ("user", "kind", "channel", "wanted")
    list_select_related = ("user",)


@admin.register(Delivery)
class DeliveryAdmin(LedgerAdmin):
    list_display = ("notice", "channel", "state", "tries", "sent_at", "reason")
    list_filter = ("channel", "state")
    list_select_related = ("notice__recipient",)
    exclude = ("address", "link", "key")


@admin.register(PushSubscription)
class PushSubscriptionAdmin(LedgerAdmin):
    list_display = ("user", "device", "made_at")
    list_select_related = ("user",)
    exclude = ("endpoint", "p256dh", "auth")
