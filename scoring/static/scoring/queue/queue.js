/**
 * The queue as a page knows it: the list of entries, the same in all tabs.
 *
 * Fires "change" whenever the list may have changed, and "available" when the disk has answered after it was given up.
 */

const CHANNEL = "queue";

export class Queue extends EventTarget {
  /** @param {{all, change}} store */
  constructor(store) {
    super();
    this.store = store;
    store.onavailable = async () => {
      await this.change((entries) => entries);
      this.dispatchEvent(new Event("available"));
    };
    this.entries = [];
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANNEL) : undefined;
    this.channel?.addEventListener("message", () => this.load());
  }

  /** Whether the entries last no longer than the page. */
  get isVolatile() {
    return Boolean(this.store.isVolatile);
  }

  /** Whether the list may lack hands of `user` that wait. */
  mayLack(user) {
    return this.store.mayHoldHands(user);
  }

  /** Read the list again. */
  async load() {
    this.#show(await this.store.all());
    return this.entries;
  }

  async all() {
    return this.store.all();
  }

  /** Replace the list by `change(list)`; resolves once that is stored. */
  async change(change) {
    this.#show(await this.store.change(change));
    this.channel?.postMessage("changed");
    return this.entries;
  }

  #show(entries) {
    this.entries = entries;
    this.dispatchEvent(new Event("change"));
  }
}
