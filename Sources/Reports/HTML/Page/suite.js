// The overview of a suite: the verdict, the causes of failure, and the list of cases.

/** The decompressed list of cases with their runs; null until it has been read. */
let suite = null;

/**
 * Reads the list of cases. Its element precedes this script, so the list can be displayed before the runs are parsed.
 */
async function readSuite() {
  suite = JSON.parse((await linesOf(byId('suite')))[0]);
  suite.runs.forEach((run, number) => { run.number = number; });
  suite.cases.forEach((item, index) => {
    item.index = index;
    item.runs = item.runs.map((number) => suite.runs[number]);
    item.runs.forEach((run) => { run.case = item; });
  });
  suite.causes.forEach((cause) => {
    if (cause.cases.length > 1) for (const index of cause.cases) suite.cases[index].shared ??= cause.heading;
  });
}

function headline() {
  const { fail, inconclusive, skipped, pass, flaky } = suite.totals;
  const total = suite.runs.length;
  switch (suite.status) {
    case 0:
      if (total === 0) return ['skipped', 'No run'];
      if (flaky > 0) return ['flaky', `${number(pass)} of ${count(total, 'run')} passed, ${flaky} flaky, none failed`];
      if (pass < total) return ['pass', `${number(pass)} of ${count(total, 'run')} passed, none failed`];
      return ['pass', total === 1 ? 'The run passed' : `All ${count(total, 'run')} passed`];
    case 1:
      if (fail === 0) return ['fail', `${count(suite.stale.length, 'known failure')} not there`];
      return ['fail', `${number(fail)} of ${count(total, 'run')} failed`];
    case 70: return ['fail', `The worlds differ in ${count(suite.parity.differs, 'case')}: a bug in Squall`];
    case 130: return ['inconclusive', `Interrupted after ${count(total, 'run')}`];
    default:
      if (total === 0) return ['skipped', 'No run'];
      if (inconclusive > 0) return ['inconclusive', `${number(inconclusive)} of ${count(total, 'run')} inconclusive`];
      if (skipped === total) return ['skipped', 'Every run was skipped'];
      return ['skipped', `${number(pass)} of ${count(total, 'run')} passed`];
  }
}

function suiteView() {
  const [verdict, sentence] = headline();
  const worlds = ['sim', 'live'].filter((world) => suite.runs.some((run) => run.world === world));
  const weather = suite.runs.reduce((sum, run) => sum + run.virtual, 0);
  const times = suite.wall > 0 ? Math.floor(weather / suite.wall) : 0;
  const pace = times > 1 ? `, ${number(times)} times as fast` : '';
  const facts = [
    count(suite.cases.length, 'case'), worlds.join(' and '), `${span(weather)} of weather in ${span(suite.wall)}${pace}`,
  ];
  const { compared, equal, schedule_dependent: dependent, differs } = suite.parity;
  if (compared > 0) {
    facts.push(`parity ${number(equal)} of ${number(compared)} equal`
      + (dependent ? `, ${number(dependent)} schedule dependent` : '') + (differs ? `, ${number(differs)} differ` : ''));
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
    causesSection(),
    h('div', { class: 'toolbar' }, ...filters()),
    h('div', { id: 'cases' }, ...caseList()),
    h('footer', { class: 'keys' }, keyHint('j', 'k', 'move'), keyHint('Enter', 'open'), keyHint('f', 'first failure'),
      keyHint('/', 'find'), toneLegend()));
}

/** Returns the line that states when the suite was run, with which version and with which command. */
function originLine(origin) {
  const facts = [`squall ${origin.version}`, origin.date.replace('T', ' ').replace('Z', ' UTC')];
  if (origin.commit !== null) facts.push(`commit ${origin.commit.slice(0, 12)}`);
  return h('p', { class: 'origin' }, facts.join('  \u00b7  '), '  \u00b7  ', h('code', {}, origin.command));
}

/** Returns a bar that is divided in proportion to the verdicts, with their counts as text. */
function tally() {
  const present = verdictOrder.filter((verdict) => suite.totals[verdict] > 0);
  const bar = h('div', { class: 'bar', 'aria-hidden': 'true' });
  for (const verdict of present) {
    const part = h('span', { class: verdict });
    part.style.flexGrow = suite.totals[verdict];
    bar.append(part);
  }
  const words = present.map((verdict) => h('li', {}, verdictTag(verdict), h('b', {}, number(suite.totals[verdict]))));
  return h('div', { class: 'tally' }, bar, h('ul', {}, ...words));
}

/** The maximum number of causes in the overview; the list of cases includes the others. */
const causeLimit = 12;

/**
 * Returns the causes of the failures that match the search and the verdict, those with the most cases first. The name
 * of a cause links to its first run, and its count filters the list of cases.
 */
function causesSection() {
  if (suite.causes.length === 0) return null;
  const found = matchingCauses();
  const rows = found.slice(0, causeLimit).map(([cause, index]) => h('li', { class: cause.verdict },
    h('div', { class: 'cause-head' },
      verdictTag(cause.verdict), h('a', { class: 'name', href: runAddress(suite.runs[cause.run]) }, cause.heading),
      h('button', {
        type: 'button', class: 'quiet', 'data-cause': index, 'aria-pressed': String(shown.cause === index),
        onclick: () => { shown.cause = shown.cause === index ? null : index; applyFilters(); },
      }, `${count(cause.cases.length, 'case')}, ${count(cause.count, 'run')}`)),
    h('p', { class: 'why' }, cause.why)));
  const more = found.length - causeLimit;
  const some = found.length < suite.causes.length ? `${number(found.length)} of ` : '';
  return h('section', { class: 'causes', 'aria-label': 'Causes' },
    h('h2', {}, 'What failed', h('small', {}, some + count(suite.causes.length, 'cause'))),
    found.length > 0 && h('ul', {}, ...rows), more > 0 && h('p', { class: 'note' }, `${count(more, 'more cause')} in the list of cases`));
}

function runAddress(run) {
  return `#/run/${run.number}`;
}

/** Returns the legend for the colours of the small bars. */
function toneLegend() {
  const tones = [['good', 'connected'], ['wait', 'connecting'], ['odd', 'degraded'], ['bad', 'offline']];
  return h('span', { class: 'legend' }, ...tones.map(([tone, word]) => (
    h('span', {}, h('i', { class: `swatch tone ${tone}`, 'aria-hidden': 'true' }), word))),
  h('span', {}, h('i', { class: 'swatch weather', 'aria-hidden': 'true' }), 'a fault is on'));
}
