// The script of the comparison page: the changes between two runs of a suite, and the two runs of a case side by side.

const comparison = JSON.parse(byId('comparison').textContent);
comparison.runs.forEach((run, number) => { run.number = number; });
comparison.cases.forEach((item, index) => { item.index = index; });

// The list of changes

function changesView() {
  const { title, verdict, notes, cases, changes } = comparison;
  return h('div', { class: 'suite' },
    h('header', { class: 'masthead' }, brand(), h('span', { class: 'title' }, 'Comparison of two reports')),
    h('section', { class: 'overview' }, h('h1', { class: verdict }, title),
      ...['old', 'new'].map((side) => sideLine(side)),
      ...notes.map((note) => h('p', { class: 'note' }, `note: ${note}`))),
    ...changes.map(({ change, words, count: size }) => changeSection(words, size,
      cases.filter((item) => item.change === change))),
    cases.length === 0 && h('p', { class: 'note' }, 'No case has changed.'),
    h('footer', { class: 'keys' }, keyHint('j', 'k', 'move'), keyHint('Enter', 'open'),
      keyHint('f', 'first difference')));
}

/** Returns the line that describes the origin of one of the two reports. */
function sideLine(side) {
  const { report, run } = comparison[side];
  const facts = run === null ? [] : [`squall ${run.version}`, run.date.replace('T', ' ').replace('Z', ' UTC')];
  if (run?.commit) facts.push(`commit ${run.commit.slice(0, 12)}`);
  return h('p', { class: 'origin' }, h('b', {}, side), ` ${[report, ...facts].join('  \u00b7  ')}`);
}

function changeSection(words, size, cases) {
  return h('section', { class: 'folder' },
    h('h2', {}, words, h('small', {}, count(size, 'case'))),
    ...byCause(cases).flatMap((group) => [
      group.length > 1 && h('h3', { class: 'shared' }, group[0].shape, h('small', {}, count(group.length, 'case'))),
      h('ul', {}, ...group.map((item, place) => caseRow(item, place === 0)))]));
}

/** Groups cases by cause, in the order of each cause's first case. A case without a cause is a group of its own. */
function byCause(cases) {
  const groups = new Map();
  for (const item of cases) {
    const key = item.shape ?? item;
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Returns the list entry of a case. Only the first entry of a cause contains the sentence that describes the cause. */
function caseRow(item, isFirst) {
  return h('li', { class: 'case' },
    h('div', { class: 'what' },
      h('a', { class: 'name', href: `#/case/${item.index}` }, item.title),
      h('span', { class: 'file' }, item.file),
      isFirst && item.cause && h('p', { class: `cause ${item.new?.verdict ?? ''}` }, item.cause),
      item.divergence && h('p', { class: 'parted' }, `first difference: ${item.divergence.what}`)),
    h('div', { class: 'runs' }, h('span', {}, item.worlds.join(', ')), h('span', { class: 'turn' }, item.verdicts)));
}

// Two runs side by side

/** One of the two runs: its states over time, and its event lanes. */
class Half {
  constructor(side, run, onSelect) {
    this.run = run;
    this.lanes = new Lanes(run, (place) => onSelect(this, place), `${side}-`);
    this.ribbons = new Ribbons(run, () => {});
    const { summary } = run;
    this.element = h('section', { class: `half ${summary.verdict}`, 'aria-label': `The ${side} run` },
      h('h2', {}, side, verdictTag(summary.verdict),
        h('small', {}, `${summary.world}, seed ${summary.seed}, ${summary.tool}, ${span(summary.virtual)}`)),
      this.ribbons.element, this.lanes.element);
  }

  /** Returns the row of an event; if `place` is null, the row of the end of the run. */
  rowOf(place) {
    return place === null ? this.lanes.rows.at(-1) : this.lanes.rowOf.get(place);
  }

  /** Highlights the event at which the two runs diverge, and returns its row. */
  light(place) {
    if (place !== null) {
      this.lanes.uncover(place);
      this.lanes.mark(place);
    }
    const row = this.rowOf(place) ?? this.lanes.rows.at(-1);
    row.element.classList.add('parted');
    this.ribbons.mark(row.time);
    return row;
  }
}

class PairView {
  constructor(item, runs) {
    this.item = item;
    this.halves = runs.map((run, index) => run && new Half(['old', 'new'][index], run, (half, place) => (
      this.select(half, place)))).filter(Boolean);
    this.inspector = h('aside', { class: 'pane inspector', 'aria-label': 'Selected event' },
      h('p', { class: 'empty' }, 'Select an event to see its fields.'));
    const present = new Set(this.halves.map((half) => half.run));
    const missing = ['old', 'new'].filter((side, index) => item[side] && !present.has(runs[index]));
    this.element = h('div', { class: 'pair' },
      h('header', { class: `run-head ${item.new?.verdict ?? ''}` },
        h('div', { class: 'masthead' }, brand(), h('span', { class: 'title' }, item.words),
          h('nav', { class: 'siblings' }, h('a', { class: 'chip', href: '#/' }, 'all changes'))),
        h('div', { class: 'headline' }, h('h1', {}, item.title)),
        h('p', { class: 'facts' }, h('span', {}, item.file), h('span', {}, item.worlds.join(', ')),
          h('span', {}, item.verdicts)),
        item.cause && h('div', { class: 'cause' }, h('p', { class: 'why' }, item.cause)),
        item.divergence && h('p', { class: 'parted' }, `first difference: ${item.divergence.what}`),
        ...missing.map((side) => h('p', { class: 'note' },
          `The ${side} report has no trace of this run${item.obstacle ? `, and ${item.obstacle}` : ''}; `
          + 'squall run --traces all keeps those of passing runs.')),
        item.replay && h('div', { class: 'replay' }, h('code', {}, item.replay),
          copyButton('Copy', () => item.replay))),
      h('div', { class: 'halves' }, ...this.halves.map((half) => half.element), this.inspector),
      h('footer', { class: 'keys' }, keyHint('f', 'first difference'), keyHint('n', 'p', 'next and previous case'),
        keyHint('Esc', 'all changes'), legend()));
    this.resizes = new ResizeObserver(() => {
      for (const { lanes } of this.halves) if (lanes.list.clientWidth !== lanes.width) lanes.draw();
    });
  }

  /** Called when the view has been added to the page, because only then is its size known. */
  appear() {
    for (const { lanes } of this.halves) {
      lanes.draw();
      this.resizes.observe(lanes.list);
    }
    this.goToDifference();
    this.scrollTogether();
  }

  goToDifference() {
    const { divergence } = this.item;
    if (!divergence) return;
    const [before, after] = this.halves;
    const rows = [before.light(divergence.old), after.light(divergence.new)];
    // Scrolls both rows to the same height: a third of the pane below its upper edge, or less if there is less content
    // above one of them.
    const above = Math.min(before.lanes.element.clientHeight / 3, ...rows.map((row) => row.top));
    rows.forEach((row, index) => { this.halves[index].lanes.element.scrollTop = row.top - above; });
    if (divergence.new !== null) this.select(after, divergence.new);
    else if (divergence.old !== null) this.select(before, divergence.old);
  }

  /** Scrolls both panes by the same distance, so that corresponding rows stay next to each other. */
  scrollTogether() {
    if (this.halves.length < 2) return;
    const panes = this.halves.map(({ lanes }) => lanes.element);
    const tops = panes.map((pane) => pane.scrollTop);
    panes.forEach((pane, index) => pane.addEventListener('scroll', () => {
      const moved = pane.scrollTop - tops[index];
      if (moved === 0) return;
      tops[index] = pane.scrollTop;
      const other = panes[1 - index];
      other.scrollTop += moved;
      tops[1 - index] = other.scrollTop;
    }));
  }

  select(half, place) {
    const event = half.run.at.get(place);
    if (!event) return;
    half.lanes.mark(place);
    half.ribbons.mark(event.time);
    this.inspector.replaceChildren(inspector(half.run, event, (other) => this.select(half, other)));
  }
}

// Navigation and keys

let view = null;
/** Resolves when the view for the current URL has been drawn. */
let drawn = Promise.resolve();

function route() {
  drawn = show(location.hash);
}

async function show(address) {
  const [, wanted] = /^#\/case\/(\d+)$/.exec(address) ?? [];
  const item = comparison.cases[Number(wanted ?? NaN)];
  view?.resizes.disconnect();
  view = null;
  if (!item) {
    byId('page').replaceChildren(changesView());
    document.title = comparison.title;
    return;
  }
  document.title = `${item.words}: ${item.title}`;
  try {
    const sides = [item.old, item.new];
    const runs = await Promise.all(sides.map((side) => (
      Number.isInteger(side?.run) ? openRun(comparison.runs[side.run]) : null)));
    if (location.hash !== address) return;
    view = new PairView(item, runs);
  } catch (error) {
    byId('page').replaceChildren(dataFailure(error));
    return;
  }
  byId('page').replaceChildren(view.element);
  view.appear();
}

function moveInList(step) {
  const links = [...document.querySelectorAll('.case .name')];
  const index = links.indexOf(document.activeElement);
  links[index < 0 ? (step > 0 ? 0 : links.length - 1) : index + step]?.focus();
}

function goToCase(step) {
  const next = comparison.cases[view.item.index + step];
  if (next) location.hash = `#/case/${next.index}`;
}

function firstDifference() {
  if (view) return view.goToDifference();
  const first = comparison.cases.find((item) => item.divergence) ?? comparison.cases[0];
  if (first) location.hash = `#/case/${first.index}`;
}

const keys = {
  j: () => view === null && moveInList(1),
  k: () => view === null && moveInList(-1),
  f: firstDifference,
  n: () => view && goToCase(1),
  p: () => view && goToCase(-1),
  Escape: () => { if (view) location.hash = '#/'; },
};

document.addEventListener('keydown', (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey || !Object.hasOwn(keys, press.key)) return;
  press.preventDefault();
  keys[press.key]();
});

window.addEventListener('hashchange', route);
route();
