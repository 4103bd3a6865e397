"""Notices: written in the transaction of what they tell of, and sent by a worker afterwards.

Nothing is sent here. A notice that is stored is on the list of its reader; each delivery waits for
``manage.py send``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import (
    Channel,
    Delivery,
    Game,
    GuestClaim,
    Hand,
    InvitationUse,
    LateHand,
    League,
    Notice,
    NoticeChoice,
    NoticeKind,
    Player,
    PushSubscription,
)
from scoring.models.notices import ALWAYS_SENT, DEFAULTS, URGENT
from scoring.models.permissions import (
    Account,
    Permission,
    Role,
    User,
    check_permission,
    is_own_player,
)
from scoring.models.roles import organisers
from scoring.models.totals import totals

from .audit import log_audit
from .locks import keep_accounts, lock_own_account

# More devices than anybody carries; the one that was added first makes room.
MOST_DEVICES = 10

Choice = tuple[NoticeKind, Channel]


def notify(kind: NoticeKind, recipients: Iterable[int], **params: Any) -> None:
    """Tell each of ``recipients`` (ids of accounts) the same, on the list and on their channels.

    :param params: numbers and keys of rows, no names: JSON-able.
    """
    _notify(kind, dict.fromkeys(recipients, params))


def notify_invited(letters: Iterable[tuple[str, str, Mapping[str, Any]]]) -> None:
    """Send invitations by mail, in the club's language. The same few statements for one and for many.

    :param letters: of each the mail address; the secret path that lets the invited in, which is
        forgotten once it is sent; and which ``invitation`` it is of whom (``player``), by whom
        (``asker``), until when.
    """
    _send_links(
        NoticeKind.INVITATION,
        [(address, link, dict(about)) for address, link, about in letters],
    )


def notify_reset(account: Account, link: str, *, address: str = "") -> None:
    """Mail ``account`` the secret path to a new password; it is forgotten once it is sent.

    :param address: where the mail goes; empty for the main address of the account.
    """
    _send_link(NoticeKind.RESET, link, account, address=address)


def notify_account(
    about: str, address: str, *, account: Account | None, link: str = "", language: str = ""
) -> None:
    """Send what concerns an account or a mail ``address`` itself.

    :param about: one of ``ABOUT_ACCOUNTS`` in :mod:`scoring.queries.notice_texts`.
    :param account: None if nobody has the address.
    :param link: a secret path; it is forgotten once it is sent.
    :param language: that of the mail where the account has chosen none.
    """
    params = {"about": about, "language": language}
    _send_link(NoticeKind.ACCOUNT, link, account, address=address, params=params)


def notify_role(account: Account, role: Role, *, given: bool) -> None:
    """Tell ``account`` that it organises or owns the club now, or no longer."""
    notify(NoticeKind.ROLE, [account.pk], role=role.value, given=given)


def notify_guest(
    account: Account, guest: Player, *, agreed: bool = True, was_another: bool = False
) -> None:
    """Tell ``account`` whether what ``guest`` played counts as theirs now.

    :param was_another: it counts as that of ``guest``, another member, now.
    """
    about = {"player": guest.pk, "agreed": agreed}
    if was_another:
        about["was_another"] = True
    notify(NoticeKind.GUEST, [account.pk], **about)


def notify_guest_claim(claim: GuestClaim) -> None:
    """Ask who sat with the guest of ``claim``, and the organisers, whether its asker was that guest; nobody else, and each once."""
    asker = Player.objects.filter(user=claim.by_id).values_list("pk", flat=True).first()
    able = (claim.witnesses() | _organisers()) - {claim.by_id}
    asked = Notice.objects.filter(kind=NoticeKind.CLAIM, params__claim=claim.pk)
    asked.exclude(recipient__in=able).delete()
    new = able - set(asked.values_list("recipient", flat=True))
    notify(NoticeKind.CLAIM, new, player=claim.player_id, asker=asker, claim=claim.pk)


def ask_who_can_answer(guests: Iterable[Player]) -> None:
    """Ask anew about each claim to ``guests``: a game of theirs came or went."""
    for claim in GuestClaim.objects.filter(player__in=guests, agreed=None).order_by("pk"):
        notify_guest_claim(claim)


def notify_player_claim(use: InvitationUse) -> None:
    """Ask the organisers whether who joined by an open link is the player of the claim."""
    notify(NoticeKind.CLAIM, _organisers(), player=use.claim_id, joined=use.pk)


def withdraw_question(**about: int) -> None:
    """Ask nobody any more whose question was answered: ``claim`` or ``joined``, as it was asked."""
    named = {f"params__{name}": pk for name, pk in about.items()}
    Notice.objects.filter(kind=NoticeKind.CLAIM, **named).delete()


def withdraw_notice(account: Account, *, about: str) -> None:
    """Take back what ``account`` has not read ``about`` itself: it is about to be told anew."""
    unread = Notice.objects.filter(recipient=account, kind=NoticeKind.ACCOUNT, read_at=None)
    unread.filter(params__about=about).delete()


def notify_claim_decided(account: Account, player: Player, *, confirmed: bool) -> None:
    """Tell ``account`` whether it is that of ``player`` now."""
    about = "claim_confirmed" if confirmed else "claim_declined"
    notify(NoticeKind.ACCOUNT, [account.pk], about=about, player=player.pk)


def notify_disputed(hand: Hand, *, by: User, player: Player) -> None:
    """Tell the others at the table and the organisers that ``player`` disputes ``hand``."""
    about = {**_about(hand), "player": player.pk}
    table = _others(hand.game, by) - {player.user_id}
    notify(NoticeKind.DISPUTED, table, **about)
    notify(NoticeKind.DISPUTE, _organisers() - {by.pk, player.user_id, *table}, **about)


def notify_settled(hand: Hand, *, by: User, withdrawn: bool = False) -> None:
    """Tell the others at the table that the points of ``hand`` count again.

    :param withdrawn: whether nobody disputes it any more; else an organiser let it stand.
    """
    _withdraw_dispute(hand)
    notify(NoticeKind.SETTLED, _others(hand.game, by), **_about(hand), withdrawn=withdrawn)


def _withdraw_dispute(hand: Hand) -> None:
    """Ask no organiser any more to settle ``hand``, of which no version is disputed."""
    asked = Notice.objects.filter(recipient__in=organisers(), kind=NoticeKind.DISPUTE)
    asked.filter(params__game=hand.game_id, params__number=hand.number).delete()


def notify_corrected(hand: Hand, *, by: User, void: bool = False, restored: bool = False) -> None:
    """Tell the others at the table that ``hand`` was corrected, declared void or restored."""
    if void or not hand.disputed:
        _withdraw_dispute(hand)
    own = next((one.pk for one in hand.game.players if is_own_player(one, by)), None)
    about = {**_about(hand), "player": own, "void": void}
    if restored:
        about["restored"] = True
    notify(NoticeKind.CORRECTED, _others(hand.game, by), **about)


def notify_late_hand(late: LateHand, *, by: User) -> None:
    """Tell the organisers that hands of a game wait for them: once for all that wait there."""
    if late.game.late_hands.waiting().exclude(pk=late.pk).exists():
        return
    about = {"game": late.game_id, "league": late.game.league_id, "number": late.number}
    notify(NoticeKind.LATE_HAND, _organisers() - {by.pk}, **about)


def notify_recap(league: League, day: str, games: Sequence[Game]) -> None:
    """Tell who played in ``games`` how their evening was, as it stands now that it is closed."""
    with_hands = [game for game in games if not game.withdrawn and game.next_number > 1]
    won = totals(with_hands)
    best = _best_hands(with_hands)
    recaps: dict[int, dict[str, Any]] = {}
    for game in with_hands:
        for player in game.players:
            if player.user_id is None:
                continue
            recap = recaps.setdefault(
                player.user_id,
                {"league": league.pk, "day": day, "games": 0, "points": 0,
                 "best": best.get(player.pk)},
            )  # fmt: skip
            recap["games"] += 1
            recap["points"] += won[game.pk].get(player.pk, 0)
    _notify(NoticeKind.RECAP, recaps)


@transaction.atomic
def mark_read(*, by: User, notice: int | None = None) -> None:
    """Mark a notice of ``by`` (its id), or all of them, as read. One that is not theirs stays.

    :raises PermissionDenied: for a visitor.
    """
    own = Notice.objects.filter(
        recipient=check_permission(by, Permission.HEAR_OF_THINGS), read_at__isnull=True
    )
    if notice is not None:
        own = own.filter(pk=notice)
    own.update(read_at=timezone.now())


@transaction.atomic
def choose_notices(wanted: Iterable[Choice], among: Iterable[Choice], *, by: User) -> None:
    """Send ``by`` those of ``among`` that are ``wanted`` from now on, and the others no more.

    :raises PermissionDenied: for a visitor.
    """
    account, wanted = check_permission(by, Permission.HEAR_OF_THINGS), set(wanted)
    before = _choices_of(account)
    rows = [
        NoticeChoice(user=account, kind=kind, channel=channel, wanted=(kind, channel) in wanted)
        for kind, channel in among
        if kind not in ALWAYS_SENT
    ]
    NoticeChoice.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "kind", "channel"],
        update_fields=["wanted"],
    )
    if _choices_of(account) != before:
        log_audit("choose_notices", account, by=by)


def _choices_of(account: Account) -> set[tuple[str, str, bool]]:
    return set(account.notice_choices.values_list("kind", "channel", "wanted"))


@transaction.atomic
def add_device(endpoint: str, *, p256dh: str, auth: str, device: str = "", by: User) -> int:
    """Send the notices of ``by`` to a browser, too; its id. If it was somebody else's, it no longer is.

    :param endpoint: the address that the browser has from its push service.
    :param p256dh: the browser's public key.
    :param auth: its secret, as it gives it.
    :raises PermissionDenied: for a visitor, and if the account was given another password meanwhile.
    :raises ValidationError: for an address or a key that is none.
    """
    account = lock_own_account(check_permission(by, Permission.HEAR_OF_THINGS))
    PushSubscription.objects.filter(endpoint=endpoint).delete()
    row = PushSubscription(
        user=account, endpoint=endpoint, p256dh=p256dh, auth=auth, device=device[:60]
    )
    row.full_clean(validate_unique=False)
    _require_keys(row)
    own = PushSubscription.objects.filter(user=account)
    old = list(own.values_list("pk", flat=True)[MOST_DEVICES - 1 :])
    PushSubscription.objects.filter(pk__in=old).delete()
    row.save()
    log_audit("add_device", row, by=by)
    return row.pk


@transaction.atomic
def remove_device(pk: int, *, by: User) -> None:
    """Send nothing more to a browser of ``by``.

    :raises PermissionDenied: for a visitor.
    """
    account = check_permission(by, Permission.HEAR_OF_THINGS)
    row = PushSubscription.objects.filter(user=account, pk=pk).first()
    if row is not None:
        log_audit("remove_device", row, by=by)
        row.delete()


def _require_keys(row: PushSubscription) -> None:
    """:raises ValidationError: unless the keys have 65 and 16 bytes, as those of browsers."""
    import base64
    import binascii

    def length(text: str) -> int:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    try:
        fine = length(row.p256dh) == 65 and length(row.auth) == 16
    except (binascii.Error, ValueError):
        fine = False
    if not fine:
        raise ValidationError({"p256dh": ValidationError(_("These are no keys."), code="keys")})


def _about(hand: Hand) -> dict[str, Any]:
    game = hand.game
    about = {"hand": hand.pk, "number": hand.number, "game": game.pk, "league": game.league_id}
    return {**about, "day": game.evening.isoformat()}


def _others(game: Game, by: User) -> set[int]:
    """The accounts of the players of ``game``, but that of ``by``."""
    others = (player for player in game.players if not is_own_player(player, by))
    return {player.user_id for player in others if player.user_id is not None}


def _organisers() -> set[int]:
    """The accounts that run the club."""
    return set(organisers().values_list("pk", flat=True))


def _best_hands(games: Sequence[Game]) -> dict[int, int]:
    """The highest final score that each player won with in ``games``, by id."""
    best: dict[int, int] = {}
    for hand in Hand.objects.undisputed().filter(game__in=games).only("winner", "final"):
        if hand.winner_id is not None:
            best[hand.winner_id] = max(best.get(hand.winner_id, 0), hand.final or 0)
    return best


def _notify(kind: NoticeKind, params: dict[int, dict[str, Any]]) -> None:
    """Store a notice for each account (its id) with its own ``params``, and its deliveries."""
    # One who leaves just now would break what somebody else does.
    keep_accounts(params)
    accounts = Account.objects.filter(pk__in=params, is_active=True).order_by("pk")
    recipients = dict(accounts.values_list("pk", "email"))
    if not recipients:
        return
    notices = Notice.objects.bulk_create(
        Notice(recipient_id=pk, kind=kind, params=params[pk]) for pk in recipients
    )
    wanted = _wanted(kind, list(recipients))
    devices: dict[int, list[int]] = {}
    subscriptions = PushSubscription.objects.filter(user__in=wanted[Channel.PUSH]).order_by("pk")
    for user, pk in subscriptions.values_list("user", "pk"):
        devices.setdefault(user, []).append(pk)
    urgent = kind in URGENT
    deliveries = []
    for notice in notices:
        assert notice.recipient_id is not None
        pk = notice.recipient_id
        if settings.SENDS_MAIL and pk in wanted[Channel.MAIL] and recipients[pk]:
            deliveries.append(Delivery(notice=notice, channel=Channel.MAIL, urgent=urgent))
        deliveries += [
            Delivery(notice=notice, channel=Channel.PUSH, subscription_id=device, urgent=urgent)
            for device in devices.get(pk, [])
        ]
    Delivery.objects.bulk_create(deliveries)


def _wanted(kind: NoticeKind, accounts: Sequence[int]) -> dict[Channel, set[int]]:
    """Which of ``accounts`` get notices of ``kind`` on each channel."""
    wanted = {channel: set(accounts) if channel in DEFAULTS[kind] else set() for channel in Channel}
    choices = NoticeChoice.objects.filter(kind=kind, user__in=accounts)
    for user, channel, chosen in choices.values_list("user", "channel", "wanted"):
        (wanted[Channel(channel)].add if chosen else wanted[Channel(channel)].discard)(user)
    return wanted


def _send_link(
    kind: NoticeKind,
    link: str,
    account: Account | None,
    *,
    address: str = "",
    params: dict[str, Any] | None = None,
) -> None:
    _send_links(kind, [(address, link, params or {})], account)


@transaction.atomic
def _send_links(
    kind: NoticeKind,
    letters: Sequence[tuple[str, str, dict[str, Any]]],
    account: Account | None = None,
) -> None:
    """Store a notice and a mail of each of ``letters``: address, link and params."""
    notices = Notice.objects.bulk_create(
        Notice(recipient=account, kind=kind, params=params) for _address, _link, params in letters
    )
    if settings.SENDS_MAIL:
        Delivery.objects.bulk_create(
            Delivery(
                notice=notice,
                channel=Channel.MAIL,
                address=address,
                link=link,
                urgent=kind in URGENT,
            )
            for notice, (address, link, _params) in zip(notices, letters, strict=True)
        )
