// The actions: a button and a key for each, the form of the chosen one, and the step that it is.

const groups = [
  ['Network', (action) => action.actor === 'network'],
  ['Phone', (action) => action.actor === 'device' || action.actor === 'user'],
  ['Server', (action) => action.actor === 'server'],
];

const actionsByKeys = new Map(panel.actions.filter((action) => action.keys).map((action) => [action.keys, action]));

/** The words on a button: `half open`. */
function verbOf(action) {
  return action.verb.replaceAll('_', ' ');
}

class Actions {
  constructor(onDone) {
    this.onDone = onDone;
    this.chosen = null;
    this.finder = h('input', {
      type: 'search', id: 'find-action', placeholder: 'Find an action', 'aria-label': 'Find an action',
      oninput: () => this.list(),
    });
    this.buttons = h('div', { class: 'buttons' });
    this.form = h('form', { class: 'form', 'aria-label': 'Chosen action', hidden: true });
    this.form.addEventListener('submit', (submit) => {
      submit.preventDefault();
      this.perform();
    });
    this.form.addEventListener('input', () => this.check());
    this.element = h('section', { class: 'pane actions', 'aria-label': 'Actions' }, this.form,
      h('div', { class: 'toolbar' }, this.finder), this.buttons);
    this.list();
  }

  /** Lists the buttons: the common ones first, or those that were searched for. */
  list() {
    const words = this.finder.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const text = (action) => `${action.id} ${verbOf(action)} ${action.meaning}`.toLowerCase();
    const isWanted = (action) => words.every((word) => text(action).includes(word));
    put(this.buttons, groups.flatMap(([name, isOf]) => {
      const all = panel.actions.filter((action) => isOf(action) && isWanted(action));
      if (all.length === 0) return [];
      const shown = words.length > 0 ? all : all.filter((action) => action.common);
      const others = all.filter((action) => !shown.includes(action));
      return [h('h2', {}, name), h('div', { class: 'choices' }, ...shown.map((action) => this.button(action))),
        others.length > 0 && h('details', { class: 'more' }, h('summary', {}, `${others.length} more`),
          h('div', { class: 'choices' }, ...others.map((action) => this.button(action))))];
    }));
    this.light();
  }

  button(action) {
    return h('button', {
      type: 'button', class: 'action', 'data-action': action.id, title: action.meaning,
      onclick: () => this.choose(action),
    }, verbOf(action), action.keys && h('kbd', {}, [...action.keys].join(' ')));
  }

  light() {
    this.buttons.querySelectorAll('.action').forEach((button) => {
      button.setAttribute('aria-pressed', String(button.dataset.action === this.chosen?.id));
    });
  }

  choose(action) {
    this.chosen = action;
    this.light();
    this.fields = action.fields.map((field) => [field, this.widget(field)]);
    // A step of one of several clients has the client before its actor.
    const hasClients = panel.clients.length > 1 && (action.actor === 'device' || action.actor === 'user');
    this.client = hasClients ? choice('client', panel.clients.map((client) => client.name), 'all') : null;
    this.label = action.label ? h('input', { name: 'as', placeholder: action.verb, autocomplete: 'off' }) : null;
    this.step = h('code', { class: 'step' });
    this.refusal = h('pre', { class: 'refusal', role: 'alert', hidden: true });
    this.form.hidden = false;
    put(this.form,
      h('div', { class: 'form-head' }, h('h3', {}, verbOf(action)), h('button', {
        type: 'button', class: 'quiet', onclick: () => this.leave(), 'aria-label': 'Close the form',
      }, '\u2715')),
      h('p', { class: 'note' }, action.meaning),
      ...this.fields.map(([field, widget]) => row(field.name, widget, field.meaning, field.required)),
      this.client && row('client', this.client, 'the client whose phone it is', false),
      this.label && row('as', this.label, 'the name by which it is healed, released or found', false),
      h('div', { class: 'step-line' }, this.step, copyButton('Copy', () => this.step.textContent)),
      this.refusal,
      h('button', { type: 'submit', class: 'perform' }, 'Do it', h('kbd', {}, 'Enter')));
    this.check();
    // Enter in a text or on the button performs the step; on a list of words it would open the list.
    const first = this.form.querySelector('input[data-required]') ?? this.form.querySelector('.perform');
    first.focus({ preventScroll: true });
    if (first.select) first.select();
    this.form.scrollIntoView({ block: 'nearest' });
  }

  widget(field) {
    const value = field.required ? field.example : '';
    switch (field.kind) {
      case 'word': return choice(field.name, field.words, defaultOf(field), value);
      case 'flag': return choice(field.name, ['true', 'false'], defaultOf(field), value);
      default: return h('input', {
        name: field.name, value, autocomplete: 'off', spellcheck: 'false', placeholder: placeholderOf(field),
        inputmode: field.kind === 'integer' ? 'numeric' : null, 'data-required': field.required ? '' : null,
      });
    }
  }

  leave() {
    this.chosen = null;
    this.form.hidden = true;
    this.form.replaceChildren();
    this.light();
  }

  /** What the form says, for the server, which alone writes steps. */
  content() {
    const texts = this.fields.map(([field, widget]) => [field.name, widget.value.trim()]);
    return {
      action: this.chosen.id, fields: Object.fromEntries(texts.filter(([, text]) => text !== '')),
      label: this.label?.value.trim() || undefined, client: this.client?.value || undefined,
    };
  }

  async check() {
    if (!this.chosen) return;
    // Answers can arrive in another order than their requests.
    this.checks = (this.checks ?? 0) + 1;
    const { chosen, checks } = this;
    const answer = await post('check', this.content());
    if (this.chosen === chosen && this.checks === checks) this.report(answer);
  }

  report({ step, refusal }) {
    if (step !== undefined) this.step.textContent = step;
    this.refusal.textContent = refusal ?? '';
    this.refusal.hidden = refusal === undefined;
  }

  async perform() {
    if (!this.chosen) return;
    const answer = await this.send(this.content());
    if (this.chosen && answer.refusal !== undefined) this.report(answer);
  }

  /** Performs a form or a step, and notes it in the log. */
  async send(form) {
    const answer = await post('perform', form);
    this.onDone(answer);
    return answer;
  }
}

function row(name, widget, meaning, isRequired) {
  return h('label', { class: 'field', title: meaning }, h('span', {}, name, isRequired ? ' *' : ''), widget);
}

function choice(name, words, standard, value = '') {
  const options = words.map((word) => h('option', { value: word, selected: word === value }, word));
  if (value === '') options.unshift(h('option', { value: '', selected: true }, standard));
  return h('select', { name }, ...options);
}

function defaultOf(field) {
  return field.initial === undefined ? '\u2013' : `${field.initial} (default)`;
}

function placeholderOf(field) {
  if (field.initial !== undefined) return field.initial;
  switch (field.kind) {
    case 'duration': return 'such as 5s';
    case 'integer': return field.max > 1e9 ? `from ${field.min}` : `${field.min} to ${field.max}`;
    case 'list': return 'names';
    case 'json': return 'JSON';
    default: return '';
  }
}
