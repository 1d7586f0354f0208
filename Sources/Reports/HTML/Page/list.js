// The list of cases: by folder or by duration, filtered, with rows only for what is open.

/** Up to this many cases, every folder is open; in a larger suite, only those with failures. */
const fewCases = 60;
/**
 * How many rows are drawn of a folder, or of a list by duration, before the rest is asked for; also how many failed cases
 * are drawn of all folders that are open only because of them.
 */
const rowLimit = 100;

/** What the list shows: its search, verdict, cause and order, and the folders that are not as they are at first. */
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

/** Folders with their cases, the worst first, else in the suite's order. */
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

/** How long a case took in real time, all of its runs together. */
function durationOf(item) {
  return item.runs.reduce((sum, run) => sum + run.wall, 0);
}

/** The cases in the order of the list. */
function inOrder(items) {
  if (shown.order === 'duration') return [...items].sort((a, b) => durationOf(b) - durationOf(a));
  return foldersOf(items).flatMap((folder) => folder.cases);
}

/** All runs in the order in which the list shows them. */
function runsInOrder() {
  return inOrder(suite.cases).flatMap((item) => item.runs);
}

// What is shown

function searchText(item) {
  item.text ??= [
    item.title, item.file, ...item.tags, ...item.covers,
    ...item.runs.flatMap((run) => [run.cause?.word ?? '', run.cause?.why ?? '']),
  ].join('\n').toLowerCase();
  return item.text;
}

/** Whether the search finds a case. */
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

/** The causes of the cases that the search and the verdict leave, each with its number; a chosen one stays. */
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

/** The address of the list as it is shown, so that a reload or a link shows the same cases. */
function listAddress() {
  const query = new URLSearchParams();
  if (shown.text !== '') query.set('find', shown.text);
  if (shown.verdict !== null) query.set('verdict', shown.verdict);
  if (shown.cause !== null) query.set('cause', shown.cause);
  if (shown.order !== 'folder') query.set('order', shown.order);
  for (const name of shown.toggled) query.append('folder', name);
  return query.size > 0 ? `#/?${query}` : '#/';
}

/** Takes what is shown from an address of the list; an address without a query leaves it as it is. */
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

/** Updates the page's address to the list as it is shown. */
function rememberList() {
  if (location.hash !== '' || listAddress() !== '#/') remember(listAddress());
}

/** Draws the list again after a change of what is shown. */
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
    oninput: () => { shown.text = input.value; applyFilters(); },
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

// Its elements

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
    // A large suite opens a folder for its failed cases, which are its first ones.
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
  // Where the worlds agree, the first run speaks for both.
  const telling = item.parity?.word === 'equal' ? [leading(item)] : item.runs;
  // Of a cause that many cases share, the section above has the sentence.
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

/** The run to show first: the first one with the worst verdict. */
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

/** How many runs of one verdict and world have a line of their own. */
const seedLimit = 4;

/** The runs of a case: one line for worlds that agree, and one for many seeds of one verdict. */
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
      return [runChip(first, `${first.world}, ${runs.length} of ${count(sizes.get(first.world), 'seed')}`, wall)];
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

/** The connection's state and the active faults over the run, as a small band. */
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
