// The panel: combines its parts, redraws them a few times a second, and handles keys.

/** The shortest and the longest pause between two redraws, in milliseconds. */
const drawingInterval = 200;
const longestPause = 1000;
/** The pause is this many times as long as the last redraw took, which leaves the browser time for the user. */
const pauseFactor = 12;

class Panel {
  constructor() {
    this.run = new LiveRun();
    this.isFrozen = false;
    /** Whether a step was ordered that ends with the run's next event. */
    this.isStepping = false;
    this.waiting = [];
    this.state = 'connecting';
    this.log = new StepLog(null);
    this.actions = new Actions(this.run, (form, answer) => {
      this.run.advance();
      this.log.add(form, answer, this.run.end);
    });
    this.log.actions = this.actions;
    this.faults = new FaultList(this.run, this.actions);
    this.lights = new Lights(this.run, (place) => this.select(place));
    this.clients = new ClientList(this.run, this.actions);
    this.lanes = new LiveLanes(this.run, (place) => this.select(place));
    this.ribbons = new LiveRibbons(this.run, (instant) => this.selectNear(instant));
    this.inspector = h('aside', { class: 'pane inspector', 'aria-label': 'Selected event' });
    this.status = h('span', { class: 'status', role: 'status' });
    this.counts = h('span', { class: 'note counts' });
    this.holdButton = h('button', {
      type: 'button', id: 'hold', 'aria-pressed': 'false', title: 'Freeze the run: no deadline passes, no byte moves',
      onclick: () => this.hold(),
    }, 'Pause', h('kbd', {}, 'Space'));
    this.stepButton = h('button', {
      type: 'button', id: 'step', disabled: true, title: 'Let the run go on until its next event',
      onclick: () => this.order('step'),
    }, 'Step', h('kbd', {}, 'n'));
    this.freezeButton = h('button', {
      type: 'button', id: 'freeze', 'aria-pressed': 'false', title: 'Hold the view still while events go on',
      onclick: () => this.freeze(),
    }, 'Freeze view', h('kbd', {}, 'V'));
    this.complaint = h('div', { class: 'complaint', role: 'alert', hidden: true });
    this.element = h('div', { class: 'panel' },
      this.header(), panel.invariants.length > 0 ? this.lights.element : h('div', { hidden: true }),
      this.ribbons.element,
      h('div', { class: 'panes' },
        h('div', { class: 'side' }, this.faults.element, this.actions.element, this.log.element),
        h('section', { class: 'pane timeline', 'aria-label': 'What happens' }, this.tools(), this.lanes.element),
        this.inspector),
      h('footer', { class: 'keys' }, keyHint('/', 'find an event'), keyHint('.', 'find an action'),
        keyHint('Enter', 'do it'), keyHint('z', 'do the last again'), keyHint('1', '9', panel.proxies ? 'remove a toxic' : 'heal a fault'),
        keyHint('0', panel.proxies ? 'reset all' : 'heal all'),
        ...(panel.holds ? [keyHint('Space', 'pause'), keyHint('n', 'step')] : []),
        keyHint('j', 'k', 'next and previous event'),
        ...(panel.invariants.length > 0 ? [keyHint('I', 'why an invariant is broken')] : []),
        keyHint('L', 'length of the ribbons'),
        keyHint('V', 'freeze the view'), keyHint('C', 'clear'), keyHint('T', panel.proxies ? 'events' : 'trace'),
        ...(panel.records ? [keyHint('R', 'scenario')] : []),
        keyHint('F', 'a key for every other button'), keyHint('Esc', 'leave'), legend()));
    this.lanes.element.addEventListener('scroll', () => this.lanes.scrolled());
    this.select(null);
  }

  header() {
    return h('header', { class: 'panel-head' },
      h('div', { class: 'masthead' }, brand(), h('span', { class: 'title' }, panel.title), this.status),
      this.clients.element);
  }

  tools() {
    const input = h('input', {
      type: 'search', id: 'find', placeholder: 'Find in names, keys, values', 'aria-label': 'Find events',
      oninput: () => this.find(input.value),
    });
    const lengths = [['1 min', 60e9], ['5 min', 300e9], ['all', Infinity]].map(([name, length]) => h('option', {
      value: length,
    }, name));
    const length = h('select', {
      id: 'length', 'aria-label': 'Length of the ribbons', title: 'Length of the ribbons (L)', onchange: () => {
        this.ribbons.length = Number(length.value);
        this.ribbons.zoom();
      },
    }, ...lengths);
    return h('div', { class: 'toolbar' }, input, ...(panel.holds ? [this.holdButton, this.stepButton] : []),
      this.freezeButton, h('button', { type: 'button', onclick: () => this.clear() }, 'Clear', h('kbd', {}, 'C')),
      h('a', { class: 'quiet', id: 'trace', href: 'record', download: panel.proxies ? 'events.jsonl' : 'trace.jsonl' },
        panel.proxies ? 'Events' : 'Trace', h('kbd', {}, 'T')),
      panel.records && h('button', {
        type: 'button', id: 'record', title: 'Download what was done and seen as a scenario',
        onclick: (click) => this.record(click.currentTarget),
      }, 'Scenario', h('kbd', {}, 'R')),
      length, this.counts, this.complaint);
  }

  /**
   * Downloads the actions and observations so far as a scenario. Squall first tests the scenario by playing it several
   * dozen times; if there is no such scenario, displays the reason.
   */
  async record(button) {
    button.disabled = true;
    try {
      const answer = await fetch('scenario.yaml');
      const text = await answer.text();
      if (!answer.ok) {
        this.inspector.replaceChildren(h('pre', { class: 'refusal', role: 'alert' }, text));
        return;
      }
      const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
      h('a', { href: address, download: 'recorded.yaml' }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
    } catch {
      this.inspector.replaceChildren(h('pre', { class: 'refusal', role: 'alert' }, 'squall does not answer any more'));
    } finally {
      button.disabled = false;
    }
  }

  /** Called when the view has been added to the page, because only then is its size known. */
  appear() {
    this.lanes.draw();
    new ResizeObserver(() => this.lanes.resize()).observe(this.lanes.element);
    this.source = follow(this.run, (events) => this.take(events), (state) => {
      this.state = this.run.board.verdict === null ? state : 'over';
      this.drawSoon();
    });
    // Durations and ribbons change even without events.
    setInterval(() => this.drawSoon(), 1000);
    this.draw();
  }

  take(events) {
    if (this.run.board.verdict !== null) {
      this.state = 'over';
      this.source.close();
    }
    if (events.some((event) => event.name === 'run.hold_began')) this.isStepping = false;
    this.waiting.push(...events);
    if (this.waiting.length > keptEvents) this.waiting.splice(0, this.waiting.length - keptEvents);
    this.drawSoon();
  }

  drawSoon() {
    if (this.timer !== undefined) return;
    const pause = Math.min(Math.max(drawingInterval, (this.drawingTime ?? 0) * pauseFactor), longestPause);
    this.timer = setTimeout(() => {
      requestAnimationFrame(() => {
        this.timer = undefined;
        const start = performance.now();
        this.draw();
        // The browser lays the page out and paints it after this callback and before the next task.
        setTimeout(() => { this.drawingTime = performance.now() - start; });
      });
    }, pause);
  }

  draw() {
    const { run } = this;
    run.advance();
    this.drawStatus();
    this.faults.draw();
    this.lights.draw();
    this.clients.draw();
    if (this.isFrozen) return;
    if (this.waiting.length > keptRows) {
      // While the page was hidden, more events may have arrived than there are rows.
      this.lanes.lay();
    } else if (this.waiting.length > 0 || run.activeFaults().length > 0) {
      this.lanes.append(this.waiting);
      this.lanes.draw();
    }
    this.waiting = [];
    this.ribbons.zoom();
  }

  drawStatus() {
    const { run } = this;
    const verdict = run.board.verdict ?? 'over';
    const words = {
      connecting: ['wait', 'connecting'], live: ['good', 'live'], gone: ['bad', 'squall does not answer'],
      over: [/^fail/i.test(verdict) ? 'bad' : /^pass/i.test(verdict) ? 'good' : 'calm', verdict],
    };
    const isHeld = run.board.held && this.state === 'live';
    const isStepping = this.isStepping && !run.board.held && this.state === 'live';
    const [tone, word] = isHeld ? ['odd', 'held'] : isStepping ? ['odd', 'step: goes on to the next event']
      : this.isFrozen && this.state === 'live' ? ['odd', 'view frozen'] : words[this.state];
    this.holdButton.setAttribute('aria-pressed', String(run.board.held));
    this.holdButton.firstChild.textContent = run.board.held ? 'Go on' : 'Pause';
    this.stepButton.disabled = !run.board.held;
    this.status.className = `status tone ${tone}`;
    this.status.textContent = word;
    const parts = [`${run.received.toLocaleString('en')} of ${count(run.count, 'event')}`];
    if (this.isFrozen && this.waiting.length > 0) parts.push(`${count(this.waiting.length, 'event')} waiting`);
    if (run.dropped > 0) parts.push(`${run.dropped.toLocaleString('en')} were too old to be sent; the trace has them`);
    if (run.lost > 0) parts.push(`${run.lost.toLocaleString('en')} LOST`);
    this.counts.textContent = parts.join(' \u00b7 ');
    this.counts.classList.toggle('bad', run.lost > 0);
  }

  // Commands of the user

  freeze() {
    this.isFrozen = !this.isFrozen;
    this.freezeButton.setAttribute('aria-pressed', String(this.isFrozen));
    this.draw();
  }

  /** Pauses the run itself, or lets it continue. */
  hold() {
    return this.order(this.run.board.held ? 'release' : 'hold');
  }

  async order(order) {
    this.isStepping = order === 'step';
    const { refusal } = await post('hold', { order });
    if (refusal !== undefined) this.isStepping = false;
    this.drawSoon();
    this.complaint.textContent = refusal ?? '';
    this.complaint.hidden = refusal === undefined;
  }

  clear() {
    this.waiting = [];
    this.lanes.clear(this.run.next);
    this.select(null);
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    const matches = (event) => {
      const shown = describe(event);
      return [event.name, event.key ?? '', event.client ?? '', shown.said].join('\n').toLowerCase().includes(wanted);
    };
    this.lanes.find(wanted === '' ? null : matches);
  }

  select(place) {
    const event = place === null ? undefined : this.run.at.get(place);
    if (event) {
      this.lanes.mark(place);
      this.lanes.show(this.lanes.rowOf.get(place));
      this.ribbons.mark(event.time);
    }
    this.inspector.replaceChildren(inspector(this.run, event ?? null, (other) => this.select(other)));
    this.inspector.scrollTop = 0;
  }

  selectNear(instant) {
    const rows = this.lanes.rows.filter((row) => row.kind === 'event');
    const row = rows.findLast((candidate) => candidate.time <= instant) ?? rows[0];
    if (row) this.select(row.event.place);
  }

  step(step) {
    const place = this.lanes.neighbour(step);
    if (place !== null) this.select(place);
  }

  leave() {
    document.activeElement?.blur();
    this.actions.leave();
    this.lanes.isFollowing = true;
    this.lanes.draw();
  }
}

const view = new Panel();
const hints = new KeyHints();

const pageKeys = {
  ...(panel.holds ? { ' ': () => view.hold(), n: () => view.order('step') } : {}),
  V: () => view.freeze(),
  F: () => hints.show(),
  0: () => view.faults.healAll(),
  A: () => view.clients.element.querySelector('.url button')?.click(),
  I: () => view.lights.next(),
  L: () => {
    const length = byId('length');
    length.selectedIndex = (length.selectedIndex + 1) % length.options.length;
    length.dispatchEvent(new Event('change'));
  },
  j: () => view.step(1),
  k: () => view.step(-1),
  C: () => view.clear(),
  T: () => byId('trace').click(),
  R: () => byId('record')?.click(),
  x: () => view.actions.form.querySelector('.step-line button')?.click(),
  X: () => view.log.copy.hidden || view.log.copy.click(),
  z: () => view.log.again(),
  '/': () => byId('find').focus(),
  '.': () => byId('find-action').focus(),
  Enter: () => view.actions.perform(),
  Escape: () => view.leave(),
};

/** The keys of a two-key shortcut that were pressed so far. */
let pressed = '';

function handle(press) {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  const isField = press.target instanceof HTMLInputElement || press.target instanceof HTMLSelectElement;
  if (isField && press.key !== 'Escape') return;
  if (hints.isShown) {
    // Shift alone must not count as a key.
    if (press.key.length === 1 || press.key === 'Escape') hints.take(press.key);
    press.preventDefault();
    return;
  }
  // The browser itself handles these keys on a focused button.
  if (press.target instanceof HTMLButtonElement && (press.key === 'Enter' || press.key === ' ')) return;
  const keys = pressed + press.key;
  pressed = '';
  const action = actionsByKeys.get(keys);
  if (action) view.actions.choose(action);
  else if (Object.hasOwn(pageKeys, keys)) pageKeys[keys]();
  else if (/^[1-9]$/.test(keys)) view.faults.healAt(Number(keys) - 1);
  else if (panel.actions.some((candidate) => candidate.keys.startsWith(keys))) pressed = keys;
  else return;
  press.preventDefault();
}

document.addEventListener('keydown', handle);
// A button that was clicked with the mouse must not take the next Enter or space bar, which are keys of the panel.
document.addEventListener('click', (click) => {
  if (click.detail > 0) click.target.closest('button')?.blur();
});
byId('page').replaceChildren(view.element);
document.title = `Squall panel: ${panel.title}`;
view.appear();
