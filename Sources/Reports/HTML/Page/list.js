// The list of cases, by folder or by duration, with filters. Only the rows of open folders are created.

/**
 * The maximum number of cases for which every folder is open; in a larger suite, only folders with failures are open.
 */
const fewCases = 60;
/**
 * The number of rows that are displayed of a folder, or of the list by duration, before the user asks for the rest. It
 * also limits the number of failed cases in folders that are open only because of their failures.
 */
const rowLimit = 100;

/** The state of the list: search text, verdict, cause, order, and the folders that the user has opened or closed. */
const shown = { text: '', verdict: null, cause: null, order: 'folder', toggled: new Set(), whole: new Set() };

function worst(item) {
  const ranks = item.runs.map((run) => verdictOrder.indexOf(run.verdict));
  return verdictOrder[Math.min(...ranks)];
}

function isTroubled(item) {
  return ['fail', 'inconclusive', 'flaky'].includes(worst(item)) || item.parity?.word === 'differs';
}

function folderOf(item) {
  const slash = item.file.lastIndexOf('/');
  return slash < 0 ? '' : item.file.slice(0, slash);
}

function rankOf(item) {
  return item.parity?.word === 'differs' ? -1 : verdictOrder.indexOf(worst(item));
}

/** Groups cases by folder: folders with the worst verdict first, otherwise in the order of the suite. */
function foldersOf(items) {
  const groups = new Map();
  for (const item of items) {
    const folder = folderOf(item);
    if (!groups.has(folder)) groups.set(folder, []);
    groups.get(folder).push(item);
  }
  const best = (cases) => Math.min(...cases.map(rankOf));
  return [...groups].map(([name, cases]) => ({ name, cases: [...cases].sort((a, b) => rankOf(a) - rankOf(b)) }))
    .sort((a, b) => best(a.cases) - best(b.cases));
}

/** Returns the real time that all runs of a case took together. */
function durationOf(item) {
  return item.runs.reduce((sum, run) => sum + run.wall, 0);
}

/** Returns the cases in the order of the list. */
function inOrder(items) {
  if (shown.order === 'duration') return [...items].sort((a, b) => durationOf(b) - durationOf(a));
  return foldersOf(items).flatMap((folder) => folder.cases);
}

/** Returns all runs in the order in which the list displays them. */
function runsInOrder() {
  return inOrder(suite.cases).flatMap((item) => item.runs);
}

// Filters

function searchText(item) {
  item.text ??= [
    item.title, item.file, ...item.tags, ...item.covers,
    ...item.runs.flatMap((run) => [run.cause?.word ?? '', run.cause?.why ?? '']),
  ].join('\n').toLowerCase();
  return item.text;
}

/** Returns whether a case matches the search text. */
function isFound(item) {
  return shown.text.toLowerCase().split(/\s+/).every((word) => searchText(item).includes(word));
}

function matching() {
  const among = shown.cause === null ? null : new Set(suite.causes[shown.cause]?.cases);
  return suite.cases.filter((item) => (
    (among === null || among.has(item.index)) && (shown.verdict === null
      || item.runs.some((run) => run.verdict === shown.verdict))
    && isFound(item)));
}

/**
 * Returns the causes of the cases that match the search and the verdict, each with its number. A selected cause is
 * always included.
 */
function matchingCauses() {
  return suite.causes.map((cause, index) => [cause, index]).filter(([cause, index]) => (
    index === shown.cause || (shown.verdict === null || cause.verdict === shown.verdict)
      && cause.cases.some((place) => isFound(suite.cases[place]))));
}

function isFiltered() {
  return shown.text.trim() !== '' || shown.verdict !== null || shown.cause !== null;
}

function isOpen({ name, cases }) {
  const atFirst = isFiltered() || suite.cases.length <= fewCases || cases.some(isTroubled);
  return shown.toggled.has(name) ? !atFirst : atFirst;
}

/** Returns the URL fragment for the state of the list, so that a reload or a link displays the same cases. */
function listAddress() {
  const query = new URLSearchParams();
  if (shown.text !== '') query.set('find', shown.text);
  if (shown.verdict !== null) query.set('verdict', shown.verdict);
  if (shown.cause !== null) query.set('cause', shown.cause);
  if (shown.order !== 'folder') query.set('order', shown.order);
  for (const name of shown.toggled) query.append('folder', name);
  return query.size > 0 ? `#/?${query}` : '#/';
}

/** Reads the state of the list from a URL fragment; a fragment without a query leaves the state unchanged. */
function readFilters(address) {
  if (!address.startsWith('#/?')) return;
  const query = new URLSearchParams(address.slice(3));
  const cause = Number(query.get('cause') ?? NaN);
  shown.text = query.get('find') ?? '';
  shown.verdict = verdictOrder.includes(query.get('verdict')) ? query.get('verdict') : null;
  shown.cause = cause in suite.causes ? cause : null;
  shown.order = query.get('order') === 'duration' ? 'duration' : 'folder';
  shown.toggled = new Set(query.getAll('folder'));
}

/** Updates the page's URL to the state of the list. */
function rememberList() {
  if (location.hash !== '' || listAddress() !== '#/') remember(listAddress());
}

/** Redraws the list after its state has changed. */
function applyFilters() {
  rememberList();
  byId('cases').replaceChildren(...caseList());
  const pressed = document.activeElement?.dataset?.cause;
  document.querySelector('.causes')?.replaceWith(causesSection());
  if (pressed !== undefined) document.querySelector(`[data-cause="${pressed}"]`)?.focus();
  const press = (buttons, isPressed) => document.querySelectorAll(buttons).forEach((button) => {
    button.setAttribute('aria-pressed', String(isPressed(button.dataset)));
  });
  press('.choices [data-verdict]', ({ verdict }) => verdict === (shown.verdict ?? ''));
  press('.choices [data-order]', ({ order }) => order === shown.order);
  press('[data-cause]', ({ cause }) => cause === String(shown.cause));
}

function filters() {
  const input = h('input', {
    type: 'search', id: 'find', placeholder: 'Find words of a case, its tags, file, rows or cause',
    'aria-label': 'Find', value: shown.text,
    oninput: () => {
      // A search opens the folders with matches, even one that the user has opened or closed before.
      shown.toggled.clear();
      shown.text = input.value;
      applyFilters();
    },
  });
  const present = verdictOrder.filter((verdict) => suite.totals[verdict] > 0);
  const choices = present.length > 1 ? [null, ...present] : [];
  const buttons = choices.map((verdict) => h('button', {
    type: 'button', 'data-verdict': verdict ?? '', 'aria-pressed': String(shown.verdict === verdict),
    onclick: () => { shown.verdict = verdict; applyFilters(); },
  }, verdict === null ? 'all' : verdicts[verdict].word));
  const orders = [['folder', 'by folder'], ['duration', 'longest first']].map(([order, words]) => h('button', {
    type: 'button', 'data-order': order, 'aria-pressed': String(shown.order === order),
    onclick: () => { shown.order = order; applyFilters(); },
  }, words));
  return [input, h('div', { class: 'choices', role: 'group', 'aria-label': 'Verdicts' }, ...buttons),
    h('div', { class: 'choices', role: 'group', 'aria-label': 'Order' }, ...orders)];
}

// Elements of the list

function caseList() {
  const items = matching();
  if (items.length === 0) return [h('p', { class: 'note' }, 'No case has all of these words.')];
  if (shown.order === 'duration') {
    return [h('section', { class: 'folder' },
      h('h2', {}, 'Longest first', h('small', {}, 'real time of all runs of a case')), rows('', inOrder(items), rowLimit))];
  }
  let left = rowLimit;
  return foldersOf(items).map((folder) => {
    const open = isOpen(folder);
    // In a large suite, a folder is open because of its failed cases, which are listed first.
    const forFailures = open && !isFiltered() && suite.cases.length > fewCases && !shown.toggled.has(folder.name);
    if (!forFailures) return folderSection(folder, open, rowLimit);
    const limit = Math.min(left, folder.cases.filter(isTroubled).length);
    left -= limit;
    return folderSection(folder, open, limit);
  });
}

function folderSection(folder, open, limit) {
  const { name, cases } = folder;
  const toggle = () => {
    if (!shown.toggled.delete(name)) shown.toggled.add(name);
    applyFilters();
    [...document.querySelectorAll('.folder button')].find((button) => button.dataset.folder === name)?.focus();
  };
  const counts = verdictOrder.map((verdict) => [verdict, cases.filter((item) => worst(item) === verdict).length])
    .filter(([, size]) => size > 0);
  const words = counts.length === 1 && counts[0][0] === 'pass' ? 'pass'
    : counts.map(([verdict, size]) => `${size} ${verdicts[verdict].word}`).join(', ');
  return h('section', { class: 'folder' },
    h('h2', { class: worst({ runs: cases.flatMap((item) => item.runs) }) }, h('button', {
      type: 'button', 'data-folder': name, 'aria-expanded': String(open), onclick: toggle,
    }, name || 'scenarios'), h('small', {}, `${count(cases.length, 'case')}: ${words}`)),
    open && rows(name, cases, limit));
}

function rows(name, cases, atFirst) {
  const limit = shown.whole.has(name) ? Infinity : atFirst;
  const more = cases.length - limit;
  return h('ul', {}, ...cases.slice(0, limit).map(caseRow), more > 0 && h('li', {}, h('button', {
    type: 'button', class: 'quiet', onclick: () => { shown.whole.add(name); applyFilters(); },
  }, `show ${count(more, 'more case')}`)));
}

function caseRow(item) {
  // If the simulated and the live run agree, only the first run's cause is displayed.
  const telling = item.parity?.word === 'equal' ? [leading(item)] : item.runs;
  // The sentence of a cause that many cases share is displayed in the section above the list.
  const causes = [...new Set(telling.map(({ cause }) => cause && (item.shared ?? cause.why)).filter(Boolean))];
  return h('li', { class: `case ${isTroubled(item) ? 'troubled' : ''}` },
    h('div', { class: 'what' },
      h('a', { class: 'name', href: runAddress(leading(item)) }, item.title),
      h('span', { class: 'file' }, shown.order === 'folder' ? item.file.slice(item.file.lastIndexOf('/') + 1) : item.file),
      ...item.tags.map((tag) => h('span', { class: 'tag' }, tag)),
      ...causes.slice(0, 2).map((why) => h('p', { class: `cause ${worst(item)}` }, why)),
      parityNote(item)),
    h('div', { class: 'runs' }, ...chips(item)));
}

/** Returns the run that is displayed first: the first one with the worst verdict. */
function leading(item) {
  const verdict = worst(item);
  return item.runs.find((run) => run.verdict === verdict);
}

function parityNote(item) {
  if (!item.parity || item.parity.word === 'equal') return null;
  const word = item.parity.word === 'differs' ? 'The worlds differ' : 'Schedule dependent';
  const [first, ...rest] = item.parity.how.split('\n');
  if (rest.length === 0) return h('p', { class: `parity ${item.parity.word}` }, `${word}: ${first}`);
  return h('details', { class: `parity ${item.parity.word}` }, h('summary', {}, `${word}: ${first}`),
    h('pre', {}, rest.join('\n')));
}

/** The maximum number of runs with the same verdict and world that get a line each. */
const seedLimit = 4;

/** The maximum number of seeds that are named on a line. */
const namedSeeds = 12;

/**
 * Returns the lines for the runs of a case. Runs that agree in both worlds share a line, and so do many seeds with the
 * same verdict.
 */
function chips(item) {
  const seeds = new Set(item.runs.map((run) => run.seed));
  if (seeds.size === 1) {
    const agree = item.parity?.word === 'equal' && item.runs.every((run) => run.verdict === item.runs[0].verdict);
    if (agree) return [runChip(item.runs[0], item.runs.map((run) => run.world).join(', '), durationOf(item))];
    return item.runs.map((run) => runChip(run, run.world, run.wall));
  }
  const groups = new Map();
  for (const run of item.runs) {
    const key = `${run.world} ${run.verdict}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  const sizes = new Map();
  for (const run of item.runs) sizes.set(run.world, (sizes.get(run.world) ?? 0) + 1);
  return [...groups.values()].sort((a, b) => verdictOrder.indexOf(a[0].verdict) - verdictOrder.indexOf(b[0].verdict))
    .flatMap((runs) => {
      const [first] = runs;
      if (first.verdict !== 'pass' && runs.length <= seedLimit) {
        return runs.map((run) => runChip(run, `${run.world} seed ${run.seed}`, run.wall));
      }
      const wall = runs.reduce((sum, run) => sum + run.wall, 0);
      const label = `${first.world}, ${runs.length} of ${count(sizes.get(first.world), 'seed')}`;
      if (first.verdict === 'pass') return [runChip(first, label, wall)];
      const named = runs.slice(0, namedSeeds).map((run) => run.seed).join(', ');
      const more = runs.length > namedSeeds ? `, and ${runs.length - namedSeeds} more` : '';
      return [runChip(first, `${label} (${named}${more})`, wall)];
    });
}

function runChip(run, label, wall) {
  return h('a', {
    class: 'chip', href: runAddress(run), title: `${span(run.virtual)} of weather, ${span(wall)} of real time`,
  },
    verdictTag(run.verdict), h('span', { class: 'world' }, label),
    h('span', { class: 'length' }, span(shown.order === 'duration' ? wall : run.virtual)),
    run.strip ? strip(run) : h('span', {}));
}

/** Draws the connection states and the active faults over time as a small bar. */
function strip(run) {
  const length = Math.max(run.end, 1);
  const place = (element, from, to) => {
    element.style.left = `${(from / length) * 100}%`;
    element.style.width = `${(Math.max(0, to - from) / length) * 100}%`;
    return element;
  };
  const states = [];
  for (let index = 0; index < run.strip.length; index += 2) {
    const value = run.strip[index + 1];
    states.push(place(h('span', { class: `tone ${toneOf(value)}`, title: brief(value) }), run.strip[index],
      run.strip[index + 2] ?? run.end));
  }
  const faults = run.faults.map(([from, to]) => place(h('span', { class: 'weather' }), from, to));
  return h('span', { class: 'strip', title: 'connection.state over the run; hatched: a fault is on' },
    ...states, ...faults);
}
