"""Accounts: made by an organiser or an invitation, and let in again when the password is lost."""

from collections.abc import Callable, Iterable
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.models import AccountSettings, NoticeKind, PushSubscription, current_club
from scoring.models.names import look
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    check_permission,
    is_owner,
)
from scoring.models.refusals import MAIL_ADDRESS_TAKEN, NAME_IS_A_MAIL_ADDRESS, SIGN_IN_NAME_TAKEN

from .audit import log_audit
from .locks import lock_account, lock_sign_in_names
from .notices import notify, notify_account, withdraw_notice
from .roles import check_outranks, check_still
from .second_factor import has_second_factor
from .signed_in import sign_out_everywhere


@transaction.atomic
def create_account(
    username: str,
    *,
    password: str | None,
    hashed: str = "",
    email: str = "",
    language: str = "",
    by: User | None,
) -> Account:
    """A new account, which may sign in with ``username`` or ``email``, and ``password``.

    It is an ordinary member's. The mail counts as not verified.

    :param password: None for who signs in by another server.
    :param hashed: ``password`` as :func:`make_password` returns it. That takes half a second, for which
        nobody else should wait: make it before a transaction begins.
    :param language: one of ``LANGUAGES``; empty for none chosen.
    :param by: None for the server itself, which has checked an invitation or the first run.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with all that is wrong with ``username``, ``password``, ``email`` and
        ``language``, each under its own name.
    """
    if by is not None:
        check_permission(by, Permission.ADD_A_PLAYER)
    account = Account(
        username=Account.normalize_username(username.strip()), email=email.strip().lower()
    )
    own = AccountSettings(user=account, language=language)
    _check(account, password, own)
    account.password = hashed or make_password(password)
    account.save()
    if account.email:
        EmailAddress.objects.create(user=account, email=account.email, primary=True)
    if language:
        own.save()
    log_audit("create_account", account, by=by)
    return account


def ask_to_confirm_mail(account: Account) -> None:
    """Mail ``account`` a link by which its person confirms its mail address, unless that is done."""
    address = EmailAddress.objects.filter(user=account, verified=False).first()
    if settings.SENDS_MAIL and address is not None:
        key = EmailConfirmationHMAC(address).key
        link = reverse("account_confirm_email", args=[key])
        notify_account("confirm", address.email, account=account, link=link)


@transaction.atomic
def make_reset_link(account: Account, *, by: User) -> str:
    """The path of a page on which ``account`` gets a new password: once, and for a day.

    It ends as well when the account signs in, changes its password or mail, or gets another role.

    :raises PermissionDenied: unless ``by`` may do everything that ``account`` may, and more: an
        organiser makes one for members, not for other organisers or who runs the site.
    :raises ValidationError: if the account is closed.
    """
    by = check_outranks(account, by=by)
    account = lock_account(account)
    require_open(account)
    log_way_in(account, by=by)
    log_audit("make_reset_link", account, by=by)
    withdraw_notice(account, about="reset_link")
    notify(NoticeKind.ACCOUNT, [account.pk], about="reset_link")
    return _reset_path(account)


@transaction.atomic
def hand_over(account: Account, *, by: User) -> str:
    """Close every way into ``account`` but one: the path of a page for a new password, as above.

    What was there before goes, because an organiser may have made it: the password, sessions, tokens,
    second factors, mail addresses, connections with another server, and devices that hear its notices.

    :raises PermissionDenied: unless ``by`` is an owner, who may do more than ``account``.
    :raises ValidationError: if the account is closed.
    """
    check_permission(by, Permission.MAKE_OWNERS)
    check_outranks(account, by=by)
    account = lock_account(account)
    check_still(by, Permission.MAKE_OWNERS)
    require_open(account)
    close_ways_in(account)
    log_audit("hand_over", account, by=by)
    return _reset_path(account)


def close_ways_in(account: Account) -> None:
    """Leave nothing by which anybody signs in to ``account``, which is locked, or hears its notices.

    A request that was about to add something finds another password: see :func:`lock_own_account`.
    """
    account.set_unusable_password()
    account.email = ""
    account.save(update_fields=["password", "email"])
    for ways_in in (Authenticator, EmailAddress, SocialAccount, PushSubscription):
        ways_in.objects.filter(user=account).delete()
    sign_out_everywhere(account)
    AccountSettings.objects.filter(user=account).update(
        has_first_password=False, opened_by_organiser=False
    )


def log_first_password(account: Account, *, by: User) -> None:
    """Note that ``by`` has given ``account`` its password: it gets no role until its person has another."""
    AccountSettings.objects.update_or_create(user=account, defaults={"has_first_password": True})
    log_way_in(account, by=by)


def log_way_in(account: Account, *, by: User) -> None:
    """Note that ``by`` can sign in to ``account``, unless it is an owner, who could do as much anyway."""
    if not is_owner(by):
        way_in = {"opened_by_organiser": True}
        AccountSettings.objects.update_or_create(user=account, defaults=way_in)


def require_open(account: Account) -> None:
    """:raises ValidationError: if nobody can sign in to ``account``."""
    if not account.is_active:
        raise ValidationError(_("This account is closed: open it first."), code="closed")


def _reset_path(account: Account) -> str:
    from allauth.account.forms import default_token_generator

    key = default_token_generator.make_token(account)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(account), key])


@transaction.atomic
def remove_second_factor(account: Account, *, by: User) -> None:
    """Let ``account``, whose phone or key is lost, sign in with the password alone.

    :raises PermissionDenied: as for :func:`make_reset_link`.
    """
    check_outranks(account, by=by)
    Authenticator.objects.filter(user=account).delete()
    log_audit("remove_second_factor", account, by=by)
    notify(NoticeKind.ACCOUNT, [account.pk], about="second_step_removed")


@transaction.atomic
def change_name(account: Account, username: str, *, by: User) -> None:
    """Let ``account`` sign in with ``username`` from now on.

    :raises PermissionDenied: unless it is the account of ``by``.
    :raises ValidationError: if somebody else has the name, or it is none.
    """
    if check_permission(by, Permission.CHANGE_OWN_ACCOUNT).pk != account.pk:
        raise PermissionDenied(_("Members change their own name only."))
    account = lock_account(account)
    wanted = Account.normalize_username(username.strip())
    if wanted == account.username:
        return
    account.username = wanted
    check_sign_in(account, "username")
    account.save(update_fields=["username"])
    log_audit("change_name", account, by=by)


@transaction.atomic
def choose_language(language: str, *, by: User) -> None:
    """Remember the language that ``by`` reads; empty follows the browser again.

    :raises PermissionDenied: for a visitor.
    :raises ValidationError: for a language that the site does not speak.
    """
    account = check_permission(by, Permission.CHANGE_OWN_ACCOUNT)
    own = AccountSettings.objects.select_for_update().filter(user=account).first()
    own = own or AccountSettings(user=account)
    before, own.language = own.language, language
    own.full_clean()
    own.save()
    if language != before:
        log_audit("choose_language", account, by=by, language=language)


def demands_second_factor(user: User) -> bool:
    """Whether the club asks ``user`` for a second factor before anything else."""
    # In this order: what the club demands is remembered, and costs no query.
    return current_club().owners_need_second_factor and is_owner(user)


def require_second_factor(user: User) -> None:
    """:raises PermissionDenied: if the club asks ``user`` for a second factor that is not there yet."""
    # In this order: the first costs no query where the club demands nothing.
    if demands_second_factor(user) and not has_second_factor(user):
        message = _("Your club asks its owners for a second step. Set one up to go on.")
        raise PermissionDenied(message, code="second_factor")


def _check(account: Account, password: str | None, own: AccountSettings) -> None:
    """:raises ValidationError: with everything that is wrong, by field."""
    errors: dict[str, list[ValidationError]] = {}
    checks: tuple[Callable[[], object], ...] = (
        lambda: check_sign_in(account, "username", "email"),
        own.clean,
        lambda: _check_password(account, password),
    )
    for check in checks:
        try:
            check()
        except ValidationError as error:
            errors |= error.error_dict
    if errors:
        raise ValidationError(errors)


def check_sign_in(account: Account, *fields: str) -> None:
    """Let nobody else choose the same of ``fields`` (name, mail) until the transaction ends.

    :raises ValidationError: if one of them is none, or somebody else's, or the name looks like another.
    """
    lock_sign_in_names()
    errors: dict[str, Any] = {}
    try:
        account.clean_fields(exclude={f.name for f in account._meta.fields} - set(fields))
    except ValidationError as error:
        errors |= error.error_dict
    others = Account.objects.exclude(pk=account.pk)
    if "username" not in errors and others.filter(username__iexact=account.username).exists():
        errors["username"] = SIGN_IN_NAME_TAKEN
    elif "username" not in errors and "@" in account.username and not _is_own_mail(account):
        errors["username"] = NAME_IS_A_MAIL_ADDRESS
    elif "username" not in errors and is_taken_alike(
        account.username, others.values_list("username", flat=True)
    ):
        errors["username"] = _("This name looks like that of somebody else: choose another one.")
    if "email" in fields and account.email and mail_is_taken(account.email, by_others_than=account):
        errors.setdefault("email", MAIL_ADDRESS_TAKEN)
    if errors:
        raise ValidationError(errors)


def is_taken_alike(username: str, others: Iterable[str]) -> bool:
    """Whether ``username`` is easily taken for one of ``others`` in letters of another kind.

    Names in plain letters alone may be close: who has a number more is somebody else.

    >>> is_taken_alike("dеmo", ["demo"]), is_taken_alike("demo1", ["demol"])
    (True, False)
    """
    unlike = (other for other in others if not (username.isascii() and other.isascii()))
    return bool(look(username)) and look(username) in map(look, unlike)


def mail_is_taken(email: str, *, by_others_than: Account) -> bool:
    """Whether an account other than ``by_others_than`` has the address ``email``, or is called that."""
    rows = EmailAddress.objects.filter(email__iexact=email)
    accounts = Account.objects.filter(Q(email__iexact=email) | Q(username__iexact=email))
    return (
        rows.exclude(user=by_others_than.pk).exists()
        or accounts.exclude(pk=by_others_than.pk).exists()
    )


def _is_own_mail(account: Account) -> bool:
    """Whether the name of ``account`` is a mail address of its own, and of nobody else's."""
    name = account.username
    own = EmailAddress.objects.filter(user=account.pk, email__iexact=name)
    is_own = name.casefold() == account.email.casefold() or own.exists()
    return is_own and not mail_is_taken(name, by_others_than=account)


def _check_password(account: Account, password: str | None) -> None:
    if password is None:
        return
    if not password:
        raise ValidationError({"password": _("Give a password.")})
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise ValidationError({"password": error.error_list}) from error
