// The first view: all cases by folder, failures first.

function worst(item) {
  const ranks = item.runs.map((run) => verdictOrder.indexOf(run.verdict));
  return verdictOrder[Math.min(...ranks)];
}

function folderOf(item) {
  const slash = item.file.lastIndexOf('/');
  return slash < 0 ? '' : item.file.slice(0, slash);
}

function isTroubled(item) {
  const verdict = worst(item);
  return verdict === 'fail' || verdict === 'inconclusive' || item.parity?.word === 'differs';
}

/** Folders with their cases, the worst first, else in the suite's order. */
function folders() {
  const groups = new Map();
  for (const item of suite.cases) {
    const folder = folderOf(item);
    if (!groups.has(folder)) groups.set(folder, []);
    groups.get(folder).push(item);
  }
  const rank = (item) => (item.parity?.word === 'differs' ? -1 : verdictOrder.indexOf(worst(item)));
  const best = (cases) => Math.min(...cases.map(rank));
  return [...groups].map(([name, cases]) => ({ name, cases: [...cases].sort((a, b) => rank(a) - rank(b)) }))
    .sort((a, b) => best(a.cases) - best(b.cases));
}

/** All runs in the order in which the list shows them. */
function runsInOrder() {
  return folders().flatMap((folder) => folder.cases).flatMap((item) => item.runs);
}

function headline() {
  const { fail, inconclusive, skipped, pass, flaky } = suite.totals;
  const total = suite.runs.length;
  switch (suite.status) {
    case 0:
      if (total === 0) return ['skipped', 'No run'];
      if (flaky > 0) return ['flaky', `${pass} of ${count(total, 'run')} passed, ${flaky} flaky, none failed`];
      if (pass < total) return ['pass', `${pass} of ${count(total, 'run')} passed, none failed`];
      return ['pass', total === 1 ? 'The run passed' : `All ${total} runs passed`];
    case 1:
      if (fail === 0) return ['fail', `${count(suite.stale.length, 'known failure')} not there`];
      return ['fail', `${fail} of ${count(total, 'run')} failed`];
    case 70: return ['fail', `The worlds differ in ${count(suite.parity.differs, 'case')}: a bug in Squall`];
    case 130: return ['inconclusive', `Interrupted after ${count(total, 'run')}`];
    default:
      if (total === 0) return ['skipped', 'No run'];
      if (inconclusive > 0) return ['inconclusive', `${inconclusive} of ${count(total, 'run')} inconclusive`];
      return ['skipped', skipped === total ? 'Every run was skipped' : `${pass} of ${count(total, 'run')} passed`];
  }
}

function suiteView() {
  const [verdict, sentence] = headline();
  const worlds = ['sim', 'live'].filter((world) => suite.runs.some((run) => run.world === world));
  const weather = suite.runs.reduce((sum, run) => sum + run.virtual, 0);
  const facts = [
    count(suite.cases.length, 'case'), worlds.join(' and '), `${span(weather)} of weather in ${span(suite.wall)}`,
  ];
  const { compared, equal, schedule_dependent: dependent, differs } = suite.parity;
  if (compared > 0) {
    facts.push(`parity ${equal} of ${compared} equal${dependent ? `, ${dependent} schedule dependent` : ''}`
      + (differs ? `, ${differs} differ` : ''));
  }
  if (suite.shortfall !== null) facts.push(suite.shortfall);
  return h('div', { class: 'suite' },
    h('header', { class: 'masthead' }, brand(), h('span', { class: 'title' }, suite.title)),
    h('section', { class: 'overview' },
      h('h1', { class: verdict }, h('i', { 'aria-hidden': 'true' }, verdicts[verdict].mark), sentence),
      h('p', { class: 'facts' }, facts.filter(Boolean).join('  \u00b7  ')),
      suite.origin && originLine(suite.origin),
      tally(),
      ...suite.stale.map(({ place, why }) => h('p', { class: 'cause fail' }, `${place} ${why}`))),
    h('div', { class: 'toolbar' }, ...filters()),
    h('div', { id: 'cases' }, ...folders().map(folderSection)),
    h('footer', { class: 'keys' }, keyHint('j', 'k', 'move'), keyHint('Enter', 'open'), keyHint('f', 'first failure'),
      keyHint('/', 'find')));
}

/** When, with what and by which command the suite was played. */
function originLine(origin) {
  const facts = [`squall ${origin.version}`, origin.date.replace('T', ' ').replace('Z', ' UTC')];
  if (origin.commit !== null) facts.push(`commit ${origin.commit.slice(0, 12)}`);
  return h('p', { class: 'origin' }, facts.join('  \u00b7  '), '  \u00b7  ', h('code', {}, origin.command));
}

/** A bar divided by verdicts, with their counts in words. */
function tally() {
  const present = verdictOrder.filter((verdict) => suite.totals[verdict] > 0);
  const bar = h('div', { class: 'bar', 'aria-hidden': 'true' });
  for (const verdict of present) {
    const part = h('span', { class: verdict });
    part.style.flexGrow = suite.totals[verdict];
    bar.append(part);
  }
  const words = present.map((verdict) => h('li', {}, verdictTag(verdict), h('b', {}, suite.totals[verdict])));
  return h('div', { class: 'tally' }, bar, h('ul', {}, ...words));
}

const shown = { text: '', verdict: null };

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
  return [input, h('div', { class: 'choices', role: 'group', 'aria-label': 'Verdicts' }, ...buttons)];
}

/** The address of the list with its filters, so that a reload or a link shows the same cases. */
function listAddress() {
  const query = new URLSearchParams();
  if (shown.text !== '') query.set('find', shown.text);
  if (shown.verdict !== null) query.set('verdict', shown.verdict);
  return query.size > 0 ? `#/?${query}` : '#/';
}

/** Takes the filters from an address of the list; an address without any leaves them as they are. */
function readFilters(address) {
  if (!address.startsWith('#/?')) return;
  const query = new URLSearchParams(address.slice(3));
  shown.text = query.get('find') ?? '';
  shown.verdict = verdictOrder.includes(query.get('verdict')) ? query.get('verdict') : null;
}

function applyFilters() {
  const words = shown.text.toLowerCase().split(/\s+/);
  if (location.hash !== '' || listAddress() !== '#/') remember(listAddress());
  for (const section of document.querySelectorAll('.folder')) {
    let any = false;
    for (const row of section.querySelectorAll('.case')) {
      const matches = words.every((word) => row.dataset.text.includes(word))
        && (shown.verdict === null || row.dataset.verdicts.split(' ').includes(shown.verdict));
      row.hidden = !matches;
      any ||= matches;
    }
    section.hidden = !any;
  }
  for (const button of document.querySelectorAll('.choices button')) {
    button.setAttribute('aria-pressed', String(button.dataset.verdict === (shown.verdict ?? '')));
  }
}

function folderSection({ name, cases }) {
  return h('section', { class: 'folder' },
    h('h2', {}, name || 'scenarios', h('small', {}, count(cases.length, 'case'))),
    h('ul', {}, ...cases.map(caseRow)));
}

function caseRow(item) {
  // Where the worlds agree, the first run speaks for both.
  const telling = item.parity?.word === 'equal' ? [leading(item)] : item.runs;
  const causes = [...new Set(telling.map((run) => run.cause?.why).filter(Boolean))];
  const words = telling.map((run) => run.cause?.word ?? '');
  const text = [item.title, item.file, ...item.tags, ...item.covers, ...words, ...causes].join('\n').toLowerCase();
  return h('li', {
    class: `case ${isTroubled(item) ? 'troubled' : ''}`, 'data-text': text,
    'data-verdicts': item.runs.map((run) => run.verdict).join(' '), 'title': item.tags.join(', '),
  },
    h('div', { class: 'what' },
      h('a', { class: 'name', href: runAddress(leading(item)) }, item.title),
      h('span', { class: 'file' }, item.file.slice(item.file.lastIndexOf('/') + 1)),
      ...causes.slice(0, 2).map((why) => h('p', { class: `cause ${worst(item)}` }, why)),
      parityNote(item)),
    h('div', { class: 'runs' }, ...item.runs.map(runChip)));
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

function runAddress(run) {
  return `#/run/${run.number}`;
}

function runChip(run) {
  const seeds = new Set(run.case.runs.map((other) => other.seed));
  return h('a', { class: `chip${seeds.size > 1 ? ' seeded' : ''}`, href: runAddress(run) },
    verdictTag(run.verdict),
    h('span', { class: 'world' }, run.world, seeds.size > 1 ? ` seed ${run.seed}` : ''),
    h('span', { class: 'length' }, span(run.virtual)),
    strip(run));
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
