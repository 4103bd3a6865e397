/** What a page has that Node has not, for the modules that look at one. */

/** As much of an element as the page of a table uses. */
export function element(dataset = {}) {
  return {
    dataset,
    hidden: false,
    textContent: "",
    classList: { toggle() {} },
    getAttribute: () => "/games/5/live/",
    querySelector: () => element(),
    querySelectorAll: () => [],
    addEventListener() {},
    replaceChildren() {},
    isEqualNode: () => false,
    cloneNode: () => ({ firstElementChild: element() }),
    get content() {
      return this;
    },
  };
}

globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail }) {
    super(name);
    this.detail = detail;
  }
};
delete globalThis.BroadcastChannel; // it would keep the test from its end
