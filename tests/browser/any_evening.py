"""An evening at one table as a phone lives it: what people do at random, and what must be true then.

Nothing here knows how the queue works. It taps, it breaks the network, it kills the browser, and keeps a
list of what the page called saved; in the end that list is held against the site and against the page.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.test import Client
from playwright.sync_api import Error, TimeoutError

from scoring.models import Game, Hand, HandEvent
from scoring.models.game_tables import with_table
from scoring.models.problems import Refused
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from tests.browser.table_page import TablePage
from tests.factories import BOOK_HAND, make_game, make_hand, make_member, make_organiser

STEPS = 25
IN_THE_END = 30  # seconds for everything to arrive once there is a network
MOST_TABS = 3
SOON = 5000  # milliseconds for a key that is there to be tapped
PATIENCE = 30_000  # milliseconds for the page to say what became of a hand
DOES_NOT_WIN = "222B 222D GGG 345B 5B 7B"

# What the site, or something before it, answers in place of the site.
ANSWERS = {
    409: {"status": 409, "body": "Conflict", "content_type": "text/plain"},
    422: {
        "status": 422,
        "json": {"outcome": "refused", "code": "invalid", "reasons": ["Not today."], "html": ""},
    },
    500: {"status": 500, "body": "<h1>Server Error</h1>", "content_type": "text/html"},
    503: {"status": 503, "body": "", "headers": {"Retry-After": "1"}},
}

FORM = """
() => {
    const form = document.querySelector("[data-hand-form]");
    if (!form || form.hidden || !form.elements.key.value) {
        return null;
    }
    const {key, winner, discarder, tiles, claimed_final: score} = form.elements;
    const shown = (found) => (found && !found.hidden ? found.textContent.trim() : "");
    const drawn = winner.value === "draw";
    return {
        key: key.value,
        values: [winner.value, discarder.value, drawn || score.value ? "" : tiles.value, drawn ? "" : score.value],
        panel: form.querySelector("[data-pad]").dataset.shown,
        alive: "started" in form.dataset && !form.querySelector("[data-pad-taps]").inert,
        busy: form.querySelector("[data-save]").disabled,
        refusal: shown(document.querySelector("[data-refusal]")),
        notice: shown(document.querySelector("[data-notice]")),
        user: document.querySelector("[data-waiting]").dataset.user,
    };
}
"""
# What the form says when it is submitted: a hand that Undo gives back may have come into it a moment before.
NOTE_SUBMITTED = f"""
() => {{
    window.submitted = null;
    document.addEventListener("submit", () => {{ window.submitted = ({FORM})(); }}, {{capture: true}});
}}
"""
ENTRIES = """
() => new Promise((resolve, reject) => {
    const asked = indexedDB.open("table", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("hands", {keyPath: "key"});
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
        const all = asked.result.transaction("hands").objectStore("hands").getAll();
        all.onsuccess = () => { asked.result.close(); resolve(all.result); };
    };
})
"""
WAITING_KEYS = """
() => Object.fromEntries([...document.querySelectorAll("[data-waiting]:not([hidden]) li")].map((item) =>
    [item.querySelector("[data-key]").dataset.key, item.textContent.replace(/\\s+/g, " ")]))
"""


def values_of_entry(entry):
    """What an entry of the queue says: winner, discarder, tiles, score."""
    fields = dict(entry["fields"])
    return [fields.get(name, "") for name in ("winner", "discarder", "tiles", "claimed_final")]


def values_of_hand(hand):
    """The same of a hand on the site."""
    if not hand.is_win:
        return ["draw", "", "", ""]
    discarder = "self" if hand.self_drawn else str(hand.discarder_id or "unknown")
    score = "" if hand.checked else str(hand.final)
    return [str(hand.winner_id), discarder, hand.tiles and "tiles", score]


def alike(one, other):
    """Tiles may be spelled and ordered in another way on the site."""
    return [part if at != 2 else bool(part) for at, part in enumerate(one)] == [
        part if at != 2 else bool(part) for at, part in enumerate(other)
    ]


class Evening:
    """One evening with the seed ``seed``: ``live`` runs it, ``history`` says what was done.

    ``server`` is what answers at ``base`` if it is a process of its own, which may be killed.
    """

    def __init__(self, seed, *, launch, base, watch, phone, server=None):
        self.random, self.server = Random(seed), server
        self.launch, self.base, self.watch, self.phone = launch, base, watch, phone
        self.game = make_game()
        players = self.game.players
        self.ann = make_member(player=players[0])
        self.ben = make_member(player=players[1])
        self.organiser = make_organiser()
        self.signed_in, self.session, self.offline = self.ann, "", False
        self.context, self.tabs, self.other_phone = None, [], None
        self.next_answers, self.held = [], []
        self.history = []
        self.pressed = {}  # key: what was in the form when Save was pressed
        self.saved = {}  # key: what the page called saved, in this order
        self.refused = {}  # key: what the page said it could not save
        self.given_up, self.undone, self.user_of = set(), set(), {}
        self.given_back = {}  # key: the key of the hand that Undo has given back as this one
        self.scores = list(range(20, 500, 10))
        self.random.shuffle(self.scores)

    # ----- the evening ----------------------------------------------------------------------------

    def live(self):
        steps = self.steps()
        self.start()
        self.open_tab()
        for _step in range(STEPS):
            name = self.random.choice(list(steps))
            self.history.append(name)
            try:
                steps[name]()
            except TimeoutError as error:
                # Its key went away before the thumb was there: the table renewed itself.
                self.history.append(f"(missed: {str(error).splitlines()[0]})")
            except Error as error:
                if not any(
                    word in str(error) for word in ("closed", "destroyed", "ERR_", "Not attached")
                ):
                    raise
                self.history.append(f"(away: {str(error).splitlines()[0]})")
        self.come_home()

    def steps(self):
        return {
            "load": self.load,
            "reload": self.reload,
            "back": self.back,
            "second tab": self.second_tab,
            "tab thrown away": self.throw_a_tab_away,
            "browser killed": self.kill,
            "offline": lambda: self.go_offline(True),
            "online": lambda: self.go_offline(False),
            "online again": lambda: self.go_offline(False),
            "slow question": lambda: self.next_answers.append("slow question"),
            "slow answer": lambda: self.next_answers.append("slow answer"),
            "answer lost": lambda: self.next_answers.append("lost"),
            **{f"answer {status}": self.answering(status) for status in ANSWERS},
            "slow ones arrive": self.release,
            "save a score": lambda: self.save(self.a_score()),
            "save another score": lambda: self.save(self.a_score()),
            "save a third score": lambda: self.save(self.a_score()),
            "save a draw": lambda: self.save(["draw"]),
            "save tiles": lambda: self.save([*self.who(), BOOK_HAND]),
            "save what does not win": lambda: self.save([*self.who(), DOES_NOT_WIN]),
            "save what is there": lambda: self.save(None),
            "begin": lambda: self.enter(self.tab(), self.who()),
            "correct one that waits": self.correct,
            "throw one away": self.throw_away,
            "undo": self.undo,
            "same hand": self.let_go,
            "another hand": self.as_another,
            "others log": self.others_log,
            "another phone logs": self.another_phone_logs,
            "end the game": lambda: self.service(finish_game, self.game),
            "open the game": lambda: self.service(reopen_game, self.game, reason="A slip"),
            "close the evening": lambda: self.service(close_evening, *self.day),
            "open the evening": lambda: self.service(reopen_evening, *self.day, reason="A slip"),
            "sign out": lambda: self.sign_in(None),
            "sign in": lambda: self.sign_in(self.ann),
            "somebody else signs in": lambda: self.sign_in(self.ben),
            "session lost": lambda: Session.objects.filter(pk=self.session).delete(),
            **({"server killed": self.kill_the_server} if self.server else {}),
        }

    def come_home(self):
        """Network, signed in, one page of the table; then everything has its place."""
        self.history.append("home")
        self.next_answers.clear()
        with suppress(Error):
            self.release()
        self.sign_in(self.ann)
        self.go_offline(False)
        if self.server:
            self.server.wait_until_ready()
        self.kill()
        self.sign_in(self.ann)
        tab = self.open_tab()
        until = monotonic() + IN_THE_END
        while (wrong := self.wrong(tab)) and monotonic() < until:
            tab.page.wait_for_timeout(250)
        assert not wrong, wrong

    # ----- what is true in the end ----------------------------------------------------------------

    def wrong(self, tab):
        entries = {entry["key"]: entry for entry in tab.page.evaluate(ENTRIES)}
        hands = {hand.entry_key: hand for hand in self.hands()}
        troubles = [
            trouble
            for key, entered in (self.refused | self.saved).items()
            if (trouble := self.wrong_about(key, entered, hands, entries, tab))
        ]
        keys = [hand.entry_key for hand in self.hands()]
        if len(set(keys)) != len(keys):
            troubles.append(f"stored twice: {keys}")
        troubles += [f"never saved: {key}" for key in keys if key not in self.pressed]
        return troubles + self.out_of_order()

    def wrong_about(self, key, entered, hands, entries, tab):
        hand, entry = hands.get(key), entries.get(key)
        if key in self.given_up or (hand and hand.status == Hand.Status.VOID):
            return None if key in self.given_up or hand.pk in self.undone else f"{entered} is void"
        # What became of a hand whose answer was lost, the phone learns when who saved it is signed in again.
        is_anns = entry and entry["user"] == str(self.ann.pk)
        if hand and entry and entry["state"] != "correcting" and (is_anns or not entry["tried"]):
            return f"{entered} is on the site and on the phone: {entry}"
        if hand and not entry and not alike(values_of_hand(hand), entered):
            return f"{entered} is {values_of_hand(hand)} on the site"
        if not hand and not entry:
            return f"{entered} is lost"
        return None if not entry else self.not_shown(entry, list(entries.values()), tab)

    def not_shown(self, entry, entries, tab):
        """What the page does not say of ``entry`` and should."""
        entered, key, state = values_of_entry(entry), entry["key"], entry["state"]
        form, items = tab.page.evaluate(FORM), tab.page.evaluate(WAITING_KEYS)
        in_form = form and form["key"] == key
        if not in_form and key not in items:
            return f"{entered} is not on the page: {state}"
        reasons = " ".join(entry["reasons"])
        if state == "correcting" and in_form:
            silent = entry["code"] and not form["refusal"] and not form["notice"]
            return f"{entered} lies in the form without a reason: {entry}" if silent else None
        if state in ("correcting", "blocked"):
            self.game.refresh_from_db()
            if state == "blocked" and not (self.game.finished or self.closed):
                return f"{entered} is shut out of an open table"
            words = [reasons or "did not say why"]
            if entry["code"] == "not_the_next_hand" and self.game.finished:
                # On the page of its table, which has no form: the next number may be another one by then.
                words.append("you will find it in the form there")
            silent = entry["code"] and not any(one in items[key] for one in words)
            return f"{entered} is on the page without a reason: {entry}" if silent else None
        if entry["user"] != str(self.ann.pk):
            return None
        held = any(
            one["state"] in ("correcting", "blocked", "asked")
            and 0 < one["order"] < entry["order"]
            and one["user"] == entry["user"]
            for one in entries
        )
        return None if held else f"{entered} is {state} still"

    def out_of_order(self):
        order = list(self.refused | self.saved)
        order.sort(key=self.place_of)
        troubles = []
        for user in (self.ann, self.ben):
            standing = [hand for hand in self.hands().current() if hand.logged_by_id == user.pk]
            keys = [hand.entry_key for hand in sorted(standing, key=lambda one: one.number)]
            known = [key for key in keys if key in order]
            if known != sorted(known, key=order.index):
                troubles.append(f"out of order: {[values_of_hand(hand) for hand in standing]}")
        return troubles

    def place_of(self, key):
        """When the hand was first saved, be it under another key before Undo gave it back."""
        while key in self.given_back:
            key = self.given_back[key]
        return list(self.pressed).index(key)

    def hands(self):
        """The hands of the two who use this phone, as they were logged."""
        logged = Hand.objects.filter(game=self.game, logged_by__in=[self.ann, self.ben])
        return logged.filter(supersedes=None)

    # ----- browser and network --------------------------------------------------------------------

    def start(self):
        self.context = self.launch()
        self.context.set_default_timeout(SOON)
        self.context.set_default_navigation_timeout(PATIENCE)
        self.context.on("dialog", lambda dialog: dialog.accept())
        self.context.route("**/hands/", self.answer)
        self.context.route("**/undo/", self.answer)
        self.context.set_offline(self.offline)
        self.tabs, self.held = [TablePage(self.context.pages[0], self.base, self.game)], []
        self.sign_in(self.signed_in)

    def kill(self):
        """As a phone kills it, without a word; its profile stays."""
        with suppress(Error):
            self.release()
        with self.context.expect_event("close", timeout=PATIENCE):
            for pid in processes_of(self.launch.profile):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.start()

    def answer(self, route):
        what = self.next_answers.pop(0) if self.next_answers else None
        with suppress(Error):
            if what == "slow question":
                self.held.append(route.continue_)
            elif what == "slow answer":
                response = route.fetch()
                self.held.append(lambda: route.fulfill(response=response))
            elif what == "lost":
                route.fetch()
                route.abort()
            elif what in ANSWERS:
                route.fulfill(**ANSWERS[what])
            else:
                route.continue_()

    def release(self):
        for go_on in self.held:
            with suppress(Error):
                go_on()
        self.held.clear()

    def answering(self, status):
        return lambda: self.next_answers.append(status)

    def kill_the_server(self):
        """In the middle of whatever it does; it starts again while the evening goes on."""
        self.server.kill()
        self.server.start()

    def go_offline(self, offline):
        self.offline = offline
        self.context.set_offline(offline)

    def sign_in(self, user):
        self.signed_in = user
        self.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
        if user:
            client = Client()
            client.force_login(user)
            self.session = client.cookies[settings.SESSION_COOKIE_NAME].value
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": self.session, "url": self.base}
            self.context.add_cookies([cookie])

    # ----- tabs -----------------------------------------------------------------------------------

    def tab(self):
        return self.random.choice(self.tabs) if self.tabs else self.second_tab()

    def second_tab(self):
        if len(self.tabs) < MOST_TABS:
            self.tabs.append(TablePage(self.context.new_page(), self.base, self.game))
            return self.open_tab(self.tabs[-1])
        return self.tabs[0]

    def open_tab(self, tab=None):
        tab = tab or self.tabs[0]
        tab.page.goto(tab.url)
        return tab

    def load(self):
        self.open_tab(self.tab())

    def reload(self):
        self.tab().page.reload()

    def back(self):
        page = self.tab().page
        page.goto(f"{self.base}/players/")
        page.go_back()

    def throw_a_tab_away(self):
        if len(self.tabs) > 1:
            tab = self.tab()
            self.tabs.remove(tab)
            tab.page.close()

    # ----- hands ----------------------------------------------------------------------------------

    def who(self):
        return [self.random.randrange(4), self.random.randrange(4)]

    def a_score(self):
        return [*self.who(), self.scores.pop()]

    def form(self, tab):
        """What the form says once it can be used; None where there is no form."""
        if not tab.page.url.startswith(tab.url):
            return None
        form = tab.page.evaluate(FORM)
        if form and not form["alive"]:
            tab.page.wait_for_function(f"() => ({FORM})()?.alive ?? true")
            form = tab.page.evaluate(FORM)
        return form

    def enter(self, tab, hand):
        """Tap ``hand`` (places of winner and discarder, then tiles or a score) into the form."""
        form = self.form(tab)
        if not form:
            return None
        winner = form["values"][0]
        if hand == ["draw"]:
            return tab if winner == "draw" else tab.draw()
        if winner not in ("", "draw"):
            tab.draw()
        place, discarder, *what = hand
        tab.won(place, discarder)
        if what and isinstance(what[0], int):
            self.enter_score(tab, form, *what)
        elif what:
            if form["panel"] != "tiles":
                tab.tap("[data-opens=score]")
            tab.page.locator("#id_tiles").fill(what[0])
        return tab

    def enter_score(self, tab, form, score):
        if form["panel"] != "score":
            tab.tap("[data-opens=score]")
        while tab.page.locator("[name=claimed_final]").input_value():
            tab.tap("[data-digit=back]")
        tab.digits([str(score // 100)] if score >= 100 else [])
        tab.digits([f"{score % 100:02}" if score >= 100 else str(score)])

    def save(self, hand):
        tab = self.tab()
        if hand is None or self.enter(tab, hand):
            self.press(tab, "[data-save]")

    def press(self, tab, selector):
        """Save, and hear what the page says of it."""
        before = self.form(tab)
        if not before or before["busy"]:
            return
        key, entered = before["key"], before["values"]
        self.pressed.setdefault(key, entered)
        self.user_of[key] = before["user"]
        self.history.append(f"  {key[:6]} {entered}")
        tab.page.evaluate(NOTE_SUBMITTED)
        tab.tap(selector)
        submitted = tab.page.evaluate("window.submitted")
        if submitted and submitted["key"] != key:
            key, entered = submitted["key"], submitted["values"]
            self.pressed.setdefault(key, entered)
            self.user_of[key] = submitted["user"]
            self.history.append(f"  rather {key[:6]} {entered}")
        after = self.hear(tab, key)
        if after and (after["refusal"] or after["notice"]) and after["key"] == key:
            self.history.append(f"  refused: {after['refusal'] or after['notice']}"[:100])
            entry = self.entry(tab, key)
            if entry and entry["order"]:
                self.refused[key] = entered
            return
        entry = self.entry(tab, key)
        if not after and entry and not entry["order"]:
            return  # not a whole hand, and the table was shut before the site said so
        self.keep_in_mind(tab, key, entered)

    def hear(self, tab, key):
        """What the form says when it has done with the hand ``key``."""
        for _try in range(PATIENCE // 50):
            form = tab.page.evaluate(FORM)
            if not form or (
                not form["busy"] and (form["key"] != key or form["refusal"] or form["notice"])
            ):
                return form
            tab.page.wait_for_timeout(50)
        raise AssertionError(f"The page says nothing of {key}: {form}")

    def keep_in_mind(self, tab, key, entered):
        """The page has called ``entered`` saved: it is somewhere, but for a form in which nothing was."""
        entry, hand = self.entry(tab, key), self.hands().filter(entry_key=key).first()
        if not entry and not hand and not any(entered):
            return
        if not entry and not hand:
            # It was given a key of its own, since another tab had saved something under this one.
            others = {one["key"]: values_of_entry(one) for one in tab.page.evaluate(ENTRIES)}
            others |= {one.entry_key: values_of_hand(one) for one in self.hands()}
            known = self.saved.keys() | self.pressed.keys()
            key = next((k for k, v in others.items() if k not in known and alike(v, entered)), None)
            assert key, f"{entered} was called saved and is nowhere"
            self.pressed[key] = entered
        self.saved[key] = entered
        self.refused.pop(key, None)
        self.given_up.discard(key)

    def entry(self, tab, key):
        return next((one for one in tab.page.evaluate(ENTRIES) if one["key"] == key), None)

    def one_of_the_panel(self, tab, act):
        """A key of the panel that does ``act``, with the key of its hand; None if there is none."""
        summary = tab.page.locator("details[data-waiting]:not([open]) > summary")
        if summary.is_visible():
            summary.click()
        buttons = tab.page.locator(f"[data-waiting] [data-act={act}]:visible").all()
        if not buttons:
            return None
        button = self.random.choice(buttons)
        return button, button.get_attribute("data-key")

    def correct(self):
        tab = self.tab()
        if not (entry := self.one_of_the_panel(tab, "correct")):
            return
        button, key = entry
        button.click()
        self.history.append(f"  {key[:6]}")
        tab.page.wait_for_function(
            f"(key) => ({FORM})()?.key === key || ![...document.querySelectorAll('li [data-key]')]"
            ".some(({dataset}) => dataset.key === key)",
            arg=key,
        )
        if self.random.random() < 0.7 and self.enter(tab, self.a_score()):
            self.press(tab, "[data-save]")

    def throw_away(self):
        if entry := self.one_of_the_panel(self.tab(), "discard"):
            button, key = entry
            self.given_up.add(key)
            self.history.append(f"  {key[:6]}")
            button.click()

    def undo(self):
        tab = self.tab()
        button = tab.page.locator("[data-undo]:visible")
        if not button.count():
            return
        pk = int(button.first.get_attribute("formaction").strip("/").split("/")[1])
        self.undone.add(pk)
        button.first.click()
        for _try in range(PATIENCE // 50):
            if tab.page.locator("[data-notice]:visible").count():
                break
            tab.page.wait_for_timeout(50)
        else:
            raise AssertionError("The page says nothing of what became of Undo.")
        hand = Hand.objects.get(pk=pk)
        notice = tab.page.locator("[data-notice]").text_content()
        self.history.append(f"  {hand.entry_key[:6]}: {notice}"[:100])
        if "was taken back. It is in the form again" in notice:
            entries = tab.page.evaluate(ENTRIES)
            begun = [values_of_entry(one) for one in entries]
            assert any(alike(one, values_of_hand(hand)) for one in begun), (
                f"{values_of_hand(hand)} is not there"
            )
            if hand.entry_key in self.pressed:
                back = [one["key"] for one in entries if one.get("undone") == pk]
                self.given_back |= {key: hand.entry_key for key in back if key != hand.entry_key}
            assert hand.events.filter(kind=HandEvent.Kind.UNDONE).exists()

    def let_go(self):
        tab = self.tab()
        form = self.form(tab)
        link = tab.page.locator("[data-hand-form] [data-let-go]:visible")
        if form and link.count():
            self.given_up.add(form["key"])
            self.history.append(f"  {form['key'][:6]}")
            link.click()

    def as_another(self):
        tab = self.tab()
        if self.form(tab) and tab.page.locator("[name=as_number]:visible").count():
            self.press(tab, "[name=as_number]")

    # ----- the others -----------------------------------------------------------------------------

    @property
    def day(self):
        return self.game.league, self.game.evening

    @property
    def closed(self):
        return with_table(Game.objects).get(pk=self.game.pk).evening_closed

    def service(self, act, *args, **fields):
        with suppress(Refused, ValidationError):
            act(*args, by=self.organiser, **fields)

    def others_log(self):
        with suppress(Refused):
            make_hand(self.game, winner=self.random.choice([None, 1, 2]), by=self.organiser)

    def another_phone_logs(self):
        """A player with a phone of their own, which has a network."""
        if not self.other_phone:
            page = self.phone(player=self.game.players[2])
            self.other_phone = TablePage(page, self.base, self.game)
        table = self.other_phone
        table.page.goto(table.url)
        if self.form(table) and self.enter(table, ["draw"]):
            key = self.form(table)["key"]
            table.save()
            after = self.hear(table, key)
            if after and after["refusal"]:
                table.page.locator("[data-let-go]").click()


def processes_of(profile):
    """The browser that runs on ``profile`` and the script that started it: their children follow."""
    processes = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = line.read_bytes().decode(errors="replace").split("\0")
            is_child = any(word.startswith("--type=") for word in words)
            if f"--user-data-dir={profile}" in words and not is_child:
                processes.append(int(line.parent.name))
    assert processes, "The browser is not there."
    return sorted(processes, reverse=True)
