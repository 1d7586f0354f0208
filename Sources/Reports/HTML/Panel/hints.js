// Key hints: after F, every button that has no key of its own shows one.

class KeyHints {
  constructor() {
    /** The buttons by the keys that were assigned to them; empty while no hints are shown. */
    this.buttons = new Map();
    this.typed = '';
    this.layer = h('div', { class: 'hints', 'aria-hidden': 'true' });
  }

  get isShown() { return this.buttons.size > 0; }

  show() {
    const found = [...document.querySelectorAll('button, summary')].filter((button) => KeyHints.needsHint(button));
    const letters = [...'asdfghjklqwertyuiopzxcvbnm'];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const keys = found.length > letters.length ? pairs : letters;
    this.buttons = new Map(found.slice(0, keys.length).map((button, index) => [keys[index], button]));
    this.layer.replaceChildren(...[...this.buttons].map(([key, button]) => {
      const { left, top } = button.getBoundingClientRect();
      const hint = h('kbd', {}, key);
      hint.style.left = `${left}px`;
      hint.style.top = `${top}px`;
      return hint;
    }));
    document.body.append(this.layer);
  }

  /** Returns whether a button is visible and enabled and shows no key. */
  static needsHint(button) {
    if (button.disabled || button.querySelector('kbd')) return false;
    if (!button.checkVisibility({ visibilityProperty: true })) return false;
    const { left, top } = button.getBoundingClientRect();
    const front = document.elementFromPoint(left + 2, top + 2);
    return button.contains(front) || front?.contains(button) === true;
  }

  hide() {
    this.buttons = new Map();
    this.typed = '';
    this.layer.remove();
  }

  /** Handles a key while the hints are shown: presses the button with this key, or hides the hints. */
  take(key) {
    const keys = [...this.buttons.keys()];
    this.typed += key;
    if (keys.some((candidate) => candidate !== this.typed && candidate.startsWith(this.typed))) return;
    const button = this.buttons.get(this.typed);
    this.hide();
    button?.click();
  }
}
