// The panel's actions: a button and a keyboard shortcut for each, the form of the selected action, and the equivalent
// scenario step or API call.

/** The headings of the buttons, in the order of the actions. */
const groups = [...new Set(panel.actions.map((action) => action.group))];

const actionsByKeys = new Map(panel.actions.filter((action) => action.keys).map((action) => [action.keys, action]));

class Actions {
  constructor(run, onDone) {
    this.run = run;
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

  /** Displays the buttons: those of common actions, or those that match the search text. */
  list() {
    const words = this.finder.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const text = (action) => `${action.id} ${action.title} ${action.meaning}`.toLowerCase();
    const isWanted = (action) => words.every((word) => text(action).includes(word));
    put(this.buttons, groups.flatMap((name) => {
      const all = panel.actions.filter((action) => action.group === name && isWanted(action));
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
    }, action.title, action.keys && h('kbd', {}, [...action.keys].join(' ')));
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
    const names = this.run.board.clients.map((client) => client.name);
    this.client = this.clientField(action, names);
    this.label = action.label
      ? h('input', { 'data-field': 'as', placeholder: action.title.replaceAll(' ', '_'), autocomplete: 'off' }) : null;
    this.step = h('code', { class: 'step' });
    this.refusal = h('pre', { class: 'refusal', role: 'alert', hidden: true });
    this.form.hidden = false;
    put(this.form,
      h('div', { class: 'form-head' }, h('h3', {}, action.title), h('button', {
        type: 'button', class: 'quiet', onclick: () => this.leave(), 'aria-label': 'Close the form',
      }, '\u2715')),
      h('p', { class: 'note' }, action.meaning),
      ...this.fields.map(([field, widget]) => row(field.name, widget, field.meaning, field.required)),
      this.client && row(panel.client ?? 'client', this.client, panel.client ?? 'the client whose phone it is', false),
      this.label && row('as', this.label, 'the name by which it is healed, released or found', false),
      h('div', { class: 'step-line' }, this.step, copyButton('Copy', () => this.step.textContent, 'x')),
      this.refusal,
      h('button', { type: 'submit', class: 'perform' }, 'Do it', h('kbd', {}, 'Enter')));
    this.check();
    // In a text field or on the button, Enter performs the action; in a selection list it would open the list.
    const first = this.form.querySelector('input[data-required]') ?? this.form.querySelector('.perform');
    first.focus({ preventScroll: true });
    if (first.select) first.select();
    this.form.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Returns the field for the client: required for some actions, and offered for others only if there are several
   * clients.
   */
  clientField(action, names) {
    if (action.client === null) return null;
    if (action.client === 'required') return choice('client', names, '', names[0] ?? '');
    return names.length > 1 ? choice('client', names, 'all') : null;
  }

  widget(field) {
    const value = this.chosen.preset[field.name] ?? (field.required ? field.example : '');
    switch (field.kind) {
      case 'word': return choice(field.name, field.words, defaultOf(field), value);
      case 'flag': return choice(field.name, ['true', 'false'], defaultOf(field), value);
      default: return h('input', {
        'data-field': field.name, value, autocomplete: 'off', spellcheck: 'false', placeholder: placeholderOf(field),
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

  /** Returns the form's values for the server, which converts them to a scenario step or an API call. */
  content() {
    const texts = this.fields.map(([field, widget]) => [field.name, widget.value.trim()]);
    return {
      action: this.chosen.id, fields: Object.fromEntries(texts.filter(([, text]) => text !== '')),
      label: this.label?.value.trim() || undefined, client: this.client?.value || undefined,
    };
  }

  async check() {
    if (!this.chosen) return;
    // Responses may arrive in another order than the requests were sent.
    this.checks = (this.checks ?? 0) + 1;
    const { chosen, checks } = this;
    const answer = await post('check', this.content());
    if (this.chosen === chosen && this.checks === checks) this.report(answer);
  }

  report({ line, refusal }) {
    if (line !== undefined) this.step.textContent = line;
    this.refusal.textContent = refusalText(refusal ?? '');
    this.refusal.hidden = refusal === undefined;
  }

  async perform() {
    if (!this.chosen) return;
    const { chosen } = this;
    // The focus leaves the form, so that the next keys are shortcuts of the panel and not input for a field or the
    // button.
    const focused = this.form.contains(document.activeElement) ? document.activeElement : null;
    focused?.blur();
    const answer = await this.send(this.content());
    if (this.chosen !== chosen || answer.refusal === undefined) return;
    this.report(answer);
    if (document.activeElement === document.body) focused?.focus();
  }

  /** Submits a form, and adds it to the log. */
  async send(form) {
    const answer = await post('perform', form);
    this.onDone(form, answer);
    return answer;
  }
}

/** Returns the sentences of an error message without its location and excerpt, because the form displays both. */
function refusalText(text) {
  return text.split('\n').filter((line) => !/^ *(\d+ )?\|/.test(line))
    .map((line) => line.replace(/^step:\d+:\d+: error: /, '').replace(/^ *= help: /, '')).join('\n');
}

function row(name, widget, meaning, isRequired) {
  return h('label', { class: 'field', title: meaning }, h('span', {}, name, isRequired ? ' *' : ''), widget);
}

// A field has no `name`: a form has a property for each name, which would replace its own, such as `contains`.
function choice(name, words, standard, value = '') {
  const options = words.map((word) => h('option', { value: word, selected: word === value }, word));
  if (value === '') options.unshift(h('option', { value: '', selected: true }, standard));
  return h('select', { 'data-field': name }, ...options);
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
