/**
 * The hands on this phone that the site does not have, on every page: how many, which, why, and what is
 * to be done about them. Its words are data attributes of components/waiting.html.
 */

import * as list from "./entries.js";

const NOT_ACCEPTED = new Set([list.CORRECTING, list.BLOCKED]);
const CAN_BE_CORRECTED = new Set([list.WAITING, list.CORRECTING, list.ENTERING]);
const LEFT_BEHIND = 60 * 24 * 60 * 60 * 1000; // milliseconds after which nobody comes back for a hand
const URGENT_FIRST = [list.CORRECTING, list.BLOCKED, list.ASKED, list.WAITING, list.ENTERING];

export class QueueView {
  /**
   * @param {HTMLElement} root
   * @param {{correct, ask, discard}} actions what its buttons do, each with an entry
   */
  constructor(root, actions) {
    this.root = root;
    this.actions = actions;
    this.context = root.dataset; // who looks, at which table
    this.words = wordsOf(root);
    this.summaryElement = root.querySelector("[data-waiting-sum]");
    this.list = root.querySelector("[data-waiting-list]");
    this.template = root.querySelector("template");
    this.refused = "";
    this.entries = [];
    this.items = []; // the elements of the list
    root.addEventListener("click", ({ target }) => {
      const { act, key } = target.closest("[data-act]")?.dataset ?? {};
      const entry = act && list.find(this.entries, key);
      if (entry && (act !== "discard" || this.confirmDiscard(entry))) {
        actions[act](entry);
      }
    });
  }

  /**
   * Show `entries` less the one that is open in the form.
   *
   * @param {{open: string, hasForm: boolean, sender, isVolatile: boolean}} now the key in the form,
   *   whether there is a form, the sender, which knows what is under way, and whether the entries last
   *   no longer than the page
   */
  show(entries, { open, hasForm, sender, isVolatile }) {
    this.entries = entries;
    const shown = entries
      .filter((entry) => entry.key !== open && this.concerns(entry))
      .sort((one, other) => urgency(one) - urgency(other) || list.byOrder(one, other) || one.number - other.number);
    const text = this.summary(shown, sender, isVolatile);
    this.root.hidden = !text;
    this.root.dataset.state = shown.some(notAccepted) ? "refused" : "";
    if (this.summaryElement.textContent !== text) {
      this.summaryElement.textContent = text;
    }
    this.openFor(shown, hasForm);
    this.replaceItems(shown.map((entry) => this.item(entry, hasForm, sender)));
  }

  /** Show `items`. What is there already stays: a button may be under a finger, or have the focus. */
  replaceItems(items) {
    const before = this.items;
    this.items = items.map((item) => before.find((one) => one.isEqualNode(item)) ?? item);
    if (this.items.length !== before.length || this.items.some((item, place) => item !== before[place])) {
      this.list.replaceChildren(...this.items);
    }
  }

  /** A hand half entered belongs to its table; not one that was saved, too early for the queue. */
  concerns({ state, early, user, game }) {
    return state !== list.ENTERING || early || (user === this.context.user && game === this.context.game);
  }

  /** Ask before the hand `entry` is thrown away, after the sentence `why`. True: throw it away. */
  confirmDiscard({ tried }, why = "") {
    const { sure, sureTried } = this.words;
    return window.confirm(`${why} ${tried ? sureTried : sure}`.trim());
  }

  /** Ask about a hand that was saved before. True: it was played twice. */
  confirmRepeated() {
    return window.confirm(this.words.repeats);
  }

  /** Say that nobody is signed out without a network. */
  sayCannotSignOut() {
    window.alert(this.words.cannotSignOut);
  }

  /** Say that nobody knows whether the site has signed anybody out. */
  sayMayBeSignedIn() {
    window.alert(this.words.mayBeSignedIn);
  }

  /** Ask before `user` signs out while hands of theirs wait, which the list may lack yet. True: sign out. */
  confirmSignOut(user, mayLackSome) {
    const waits = this.entries.some((entry) => entry.user === user && entry.order && !entry.known);
    return (!waits && !mayLackSome) || window.confirm(this.words.sureSignOut);
  }

  /**
   * The list opens by itself when a hand is refused, was taken back by Undo, or is whole and has lost its form: others
   * wait until somebody looks.
   */
  openFor(shown, hasForm) {
    const isLeft = (entry) => !hasForm && entry.game === this.context.game && isToBeSaved(entry);
    const needsSomebody = (entry) => notAccepted(entry) || isGivenBack(entry) || isLeft(entry);
    const refused = shown.filter(needsSomebody).map(({ key }) => key).join();
    if (refused && refused !== this.refused) {
      this.root.open = true;
    }
    this.refused = refused;
  }

  summary(shown, sender, isVolatile) {
    const { words } = this;
    const refused = shown.filter(notAccepted).length;
    const begun = shown.filter(({ state }) => state === list.ENTERING).length;
    const waits = shown.length - refused - begun;
    return [
      !sender.reached && words.away,
      sender.reached && waits && sender.signedOut && words.signedOut,
      refused && plural(refused, words.oneRefused, words.manyRefused),
      waits && plural(waits, words.one, words.many),
      begun && plural(begun, words.oneBegun, words.manyBegun),
      shown.length && isVolatile && words.isVolatile,
    ]
      .filter(Boolean)
      .join(" ");
  }

  item(entry, hasForm, sender) {
    const item = this.template.content.cloneNode(true).firstElementChild;
    const { words } = this;
    const fill = (name, text) => {
      item.querySelector(`[data-entry=${name}]`).textContent = text;
    };
    item.dataset.state = entry.state;
    fill("number", words.hand.replace("{number}", entry.number));
    fill("label", entry.label);
    const isElsewhere = entry.game !== this.context.game;
    fill("table", isElsewhere && entry.tableName ? words.tableOf.replace("{names}", entry.tableName) : "");
    fill("state", this.stateOf(entry, sender));
    const own = entry.user === this.context.user;
    const isHere = own && entry.game === this.context.game;
    fill("reasons", this.reasonsOf(entry, isHere && !hasForm));
    const allowed = {
      correct: isHere && hasForm && CAN_BE_CORRECTED.has(entry.state) && entry.key !== sender.underWay,
      ask: own && (mayBeAsked(entry) || (isHere && !hasForm && isToBeSaved(entry))),
      // What an organiser has is no longer on this phone alone.
      discard: (own || this.isLeftBehind(entry)) && entry.key !== sender.underWay && !entry.known,
    };
    for (const button of item.querySelectorAll("[data-act]")) {
      button.dataset.key = entry.key;
      button.hidden = !allowed[button.dataset.act];
    }
    if (allowed.ask && list.isOvertaken(entry)) {
      item.querySelector("[data-act=ask]").textContent = words.askAnother.replace("{number}", entry.next);
      item.querySelector("[data-act=discard]").textContent = words.sameHand;
    }
    const elsewhere = item.querySelector("[data-elsewhere]");
    elsewhere.hidden = !isElsewhere || entry.code === "gone";
    elsewhere.href = entry.page;
    return item;
  }

  /** Whether whoever is signed in may throw away a hand of another member: that account may be closed, or merged with another. */
  isLeftBehind({ at }, now = Date.now()) {
    return Boolean(this.context.user && at) && now - at > LEFT_BEHIND;
  }

  stateOf(entry, sender) {
    const { words } = this;
    if (this.context.unknown) {
      // A page that is shown without a network knows nobody.
      return entry.state === list.ENTERING ? words.begun : words.waits;
    }
    if (entry.user !== this.context.user) {
      return entry.userName ? words.others.replace("{name}", entry.userName) : words.somebody;
    }
    const before = list.heldBy(this.entries, entry);
    switch (entry.state) {
      case list.ENTERING:
        return words.begun;
      case list.CORRECTING:
        return { "": words.correcting, declined: words.declined }[entry.code] ?? words.refused;
      case list.BLOCKED:
        return words.refused;
      case list.ASKED:
        if (before && before.state !== list.ASKED) {
          return words.held.replace("{number}", before.number);
        }
        return entry.known ? words.asked : words.asking;
      default:
        if (entry.key === sender.underWay) {
          return words.underWay;
        }
        if (before) {
          return words.held.replace("{number}", before.number);
        }
        if (sender.signedOut) {
          return words.waitsForYou;
        }
        if (sender.isHeld(entry.game)) {
          return words.undoing;
        }
        if (sender.isInTrouble(entry.game)) {
          return words.inTrouble;
        }
        return sender.reached ? words.toBeSent : words.waits; // another tab may be sending it
    }
  }

  /** Why `entry` was not accepted, and what helps where it `lacksForm`: its table shows none. */
  reasonsOf(entry, lacksForm) {
    const { overtaken, unexplained, needsForm, comesBack } = this.words;
    if (lacksForm && (entry.state === list.ENTERING || entry.code === "not_the_next_hand")) {
      return comesBack; // which number is next may be another one by now
    }
    const reasons = entry.reasons.join(" ") || (entry.code ? unexplained : "");
    if (lacksForm && isWrong(entry)) {
      return `${reasons} ${needsForm}`;
    }
    // That its table takes no hands is not all that stands against it.
    const isMore = entry.state === list.BLOCKED && list.isOvertaken(entry);
    const { number, next } = entry;
    return isMore ? `${reasons} ${overtaken.replace("{number}", number).replace("{next}", next)}` : reasons;
  }
}

/** The words in the attributes `data-say-…`, by their names. */
const wordsOf = ({ dataset }) =>
  Object.fromEntries(
    Object.entries(dataset)
      .filter(([name]) => name.startsWith("say"))
      .map(([name, words]) => [name[3].toLowerCase() + name.slice(4), words]),
  );

const notAccepted = ({ state, code }) => NOT_ACCEPTED.has(state) && Boolean(code);
const isGivenBack = ({ state, undone }) => state === list.CORRECTING && Boolean(undone);
// Organisers do not see what belongs to a game that is withdrawn, and no hand follows the last one.
const mayBeAsked = ({ state, code }) => state === list.BLOCKED && !["withdrawn", "played_out"].includes(code);
// What the hand itself says is wrong: organisers take in what was played, and correct nothing.
const isWrong = ({ state, code }) => state === list.CORRECTING && code === "invalid";
// Where there is no form any more, an organiser can still take the hand in.
const isToBeSaved = ({ state, code, whole }) =>
  (state === list.CORRECTING && !isWrong({ state, code })) || (state === list.ENTERING && Boolean(whole));
const urgency = ({ state }) => URGENT_FIRST.indexOf(state);
const plural = (count, one, many) => (count === 1 ? one : many.replace("{count}", count));
