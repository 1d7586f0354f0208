// The current state: active faults, standing invariants, clients, and the actions performed so far.

/**
 * The active faults with their durations so far, and the changes that last until another step undoes them. Each has a
 * button and a digit key that end it.
 */
class FaultList {
  constructor(run, actions) {
    this.run = run;
    this.actions = actions;
    this.list = h('ul', { class: 'active-faults' });
    this.element = h('section', { class: 'weather-now', 'aria-label': 'Active faults' }, this.list);
    this.shown = null;
  }

  draw() {
    const faults = this.run.activeFaults();
    const { changes } = this.run.board;
    const shown = JSON.stringify([faults.map((fault) => [fault.label, fault.from, this.valuesOf(fault)]), changes]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.list.replaceChildren(...faults.map((fault, index) => this.item(fault, index)),
        ...changes.map((change, index) => this.change(change, faults.length + index)));
      if (faults.length === 0) this.list.append(h('li', { class: 'note' }, `No ${panel.fault ?? 'fault'} is active.`));
      if (faults.length + changes.length > 1) this.list.append(h('li', {}, h('button', {
        type: 'button', class: 'quiet heal-all', onclick: () => this.healAll(),
      }, panel.proxies ? 'Reset all' : 'Heal all', h('kbd', {}, '0'))));
    }
    this.list.querySelectorAll('[data-began]').forEach((age) => {
      age.textContent = ageOf(this.run.end - Number(age.dataset.began));
    });
  }

  item(fault, index) {
    return h('li', {}, h('b', {}, faultName(fault)), whose(fault) && h('span', { class: 'who' }, whose(fault)),
      h('span', { class: 'age', 'data-began': fault.began }),
      h('button', { type: 'button', class: 'quiet', 'data-heal': fault.label, onclick: () => this.heal(fault) },
        panel.proxies ? 'Remove' : 'Heal', index < 9 && h('kbd', {}, index + 1)),
      h('span', { class: 'note values' }, this.valuesOf(fault)));
  }

  /** Returns the entry of a change, with the button that undoes it. */
  change({ step, undo }, index) {
    return h('li', { class: 'change' }, h('code', {}, step),
      h('button', { type: 'button', class: 'quiet', 'data-undo': undo.action, onclick: () => this.actions.send(undo) },
        'Undo', index < 9 && h('kbd', {}, index + 1)));
  }

  /** Returns the attributes of a toxic as text. */
  valuesOf(fault) {
    const proxy = this.run.board.proxies.find(({ name }) => name === fault.clients[0]);
    const toxic = proxy?.toxics.find(({ name }) => name === fault.label);
    if (!toxic) return '';
    const values = Object.entries(toxic.attributes).map(([name, value]) => `${name} ${brief(value)}`);
    return [...(fault.label.endsWith(toxic.stream) ? [] : [toxic.stream]), ...values, ...(toxic.toxicity === 1 ? [] : [`toxicity ${toxic.toxicity}`])].join(', ');
  }

  heal(fault) {
    const { action, field } = panel.heal;
    const client = panel.proxies ? fault.clients[0] : undefined;
    return this.actions.send({ action, fields: { [field]: fault.label }, client });
  }

  /** Ends all active faults and undoes all changes. */
  async healAll() {
    const { changes } = this.run.board;
    if (this.run.activeFaults().length > 0) await this.actions.send({ action: panel.heal_all });
    for (const { undo } of changes) await this.actions.send(undo);
  }

  healAt(index) {
    const faults = this.run.activeFaults();
    const change = this.run.board.changes[index - faults.length];
    if (faults[index]) this.heal(faults[index]);
    else if (change) this.actions.send(change.undo);
  }
}

/** Formats a duration in whole seconds: `8 s`, `2 min 5 s`. */
function ageOf(ns) {
  return span(Math.max(0, Math.floor(ns / 1e9)) * 1e9).replace(/\.\d+ s$/, ' s');
}

const lightSigns = { broken: '\u2715', holds: '\u2713', waiting: '\u00b7', unseen: '\u2013' };
const lightWords = {
  broken: 'broken', holds: 'holds', waiting: 'nothing to judge yet', unseen: 'not shown by this client',
};

/** The standing invariants: violated ones are displayed with the reason, the others as indicators. */
class Lights {
  constructor(run, onSelect) {
    this.run = run;
    this.onSelect = onSelect;
    this.chosen = null;
    this.strip = h('div', { class: 'strip-of-lights' });
    this.why = h('div', { class: 'why', role: 'status' });
    this.element = h('section', { class: 'lights', 'aria-label': 'Standing invariants' }, this.strip, this.why);
    this.shown = null;
  }

  draw() {
    const { lights } = this.run.board;
    const shown = JSON.stringify([lights, this.chosen]);
    if (shown === this.shown) return;
    this.shown = shown;
    const of = (state) => lights.filter((light) => light.state === state);
    const unseen = of('unseen');
    const seen = [...of('broken'), ...of('holds'), ...of('waiting')];
    put(this.strip, h('b', {}, 'Invariants'), ...seen.map((light) => this.light(light)),
      unseen.length > 0 && h('details', { class: 'more', open: unseen.some(({ name }) => name === this.chosen) },
        h('summary', {}, `${unseen.length} not shown by ${panel.clients.length > 1 ? 'these clients' : 'this client'}`),
        ...unseen.map((light) => this.light(light))));
    if (lights.length === 0) this.strip.append(h('span', { class: 'note' }, 'not judged yet'));
    const chosen = lights.find((light) => light.name === this.chosen);
    const told = [...of('broken'), ...(chosen && chosen.state !== 'broken' ? [chosen] : [])];
    this.why.replaceChildren(...told.map((light) => this.reason(light)));
  }

  light(light) {
    return h('button', {
      type: 'button', class: `light ${light.state}`, 'aria-pressed': String(light.name === this.chosen),
      'data-light': light.name, title: `${lightWords[light.state]}${light.why ? `: ${light.why}` : ''}`,
      onclick: () => {
        this.chosen = this.chosen === light.name ? null : light.name;
        this.draw();
      },
    }, h('i', { 'aria-hidden': 'true' }, lightSigns[light.state]), light.name.replaceAll('_', ' '));
  }

  /** Displays the next broken invariant with the event that broke it. */
  next() {
    const broken = this.run.board.lights.filter((light) => light.state === 'broken');
    if (broken.length === 0) return;
    const light = broken[(broken.findIndex(({ name }) => name === this.chosen) + 1) % broken.length];
    this.chosen = light.name;
    this.draw();
    const place = light.evidence.findLast((candidate) => this.run.at.has(candidate));
    if (place !== undefined) this.onSelect(place);
  }

  reason(light) {
    const meaning = panel.invariants.find(({ name }) => name === light.name)?.meaning;
    const place = light.evidence.findLast((candidate) => this.run.at.has(candidate));
    return h('p', { class: light.state },
      h('b', {}, `${light.name}: ${lightWords[light.state]}. `), light.why && `${light.why}. `,
      meaning && h('span', { class: 'note' }, meaning, ' '),
      place !== undefined && h('button', {
        type: 'button', class: 'link', onclick: () => this.onSelect(place),
      }, 'Show the event'));
  }
}

/** The clients with the addresses at which an app can reach its server. */
class ClientList {
  constructor(run, actions) {
    this.run = run;
    this.actions = actions;
    this.list = h('ul');
    this.element = h('section', { class: 'clients', 'aria-label': 'Clients' }, this.list);
    this.shown = null;
  }

  draw() {
    const { clients, proxies } = this.run.board;
    const shown = JSON.stringify([clients, proxies]);
    if (shown === this.shown) return;
    this.shown = shown;
    put(this.list, clients.map((client, index) => (panel.proxies ? this.proxy(client) : this.item(client, index))),
      panel.notes.map((note) => h('li', { class: 'note' }, note)));
  }

  /** Returns the entry of a client. The key that copies an address stands for the first client's. */
  item(client, index) {
    const tones = { connected: 'good', open: 'wait', opening: 'wait' };
    return h('li', {}, panel.clients.length > 1 && h('b', {}, client.name),
      h('span', { class: `tone ${tones[client.link] ?? 'calm'}` },
        client.link === 'none' ? 'no WebSocket' : client.link),
      h('span', { class: 'note' }, count(client.connections, 'open connection')),
      client.urls.slice(0, 1).map((url) => h('span', { class: 'url' },
        h('code', {}, url), copyButton('Copy', () => url, index === 0 ? 'A' : undefined))));
  }

  /** Returns the entry of a proxy, with the button that enables or disables it. */
  proxy(client) {
    const upstream = this.run.board.proxies.find(({ name }) => name === client.name)?.upstream;
    const isOn = client.link === 'listening';
    return h('li', {}, h('b', {}, client.name), h('span', { class: `tone ${isOn ? 'good' : 'bad'}` }, client.link),
      h('span', { class: 'note' }, count(client.connections, 'open connection')),
      client.urls.slice(0, 1).map((url) => h('span', { class: 'url' }, h('code', {}, url),
        copyButton('Copy', () => url), upstream && h('code', {}, `\u2192 ${upstream}`))),
      h('button', {
        type: 'button', class: 'quiet', 'data-proxy': client.name,
        onclick: () => this.actions.send({ action: isOn ? 'proxy.disable' : 'proxy.enable', client: client.name }),
      }, isOn ? 'Disable' : 'Enable'));
  }
}

/** The log of the actions performed on this page, newest first. */
class StepLog {
  constructor(actions) {
    this.actions = actions;
    this.steps = [];
    this.list = h('ol', { class: 'steps' });
    this.copy = copyButton('Copy all', () => this.script(), 'X');
    this.copy.hidden = true;
    this.element = h('section', { class: 'pane step-log', 'aria-label': 'Done' },
      h('h2', {}, 'Done here', this.copy), this.list, h('p', { class: 'note empty' }, 'Nothing yet.'));
  }

  add(form, { line, refusal }, instant) {
    const isDone = refusal === undefined;
    if (isDone) this.steps.push(line);
    this.element.querySelector('.empty').hidden = true;
    this.copy.hidden = this.steps.length === 0;
    const again = () => this.actions.send(form);
    this.list.prepend(h('li', { class: isDone ? 'done' : 'refused' },
      h('span', { class: 'time' }, time(instant)), h('code', {}, line ?? ''),
      isDone ? h('button', { type: 'button', class: 'quiet', onclick: again }, 'Again') : null,
      isDone ? copyButton('Copy', () => line) : null,
      !isDone && h('pre', { class: 'refusal' }, refusalText(refusal))));
    while (this.list.children.length > 200) this.list.lastChild.remove();
  }

  /** Performs the most recent action again. */
  again() {
    this.list.querySelector('.done button')?.click();
  }

  script() {
    return this.steps.map((line) => (panel.proxies ? `${line}\n` : `  - ${line}\n`)).join('');
  }
}
