// Reads the data embedded in the page: JSON in elements that browsers do not execute. The runs are compressed in
// chunks.

/** Resolves when the browser has parsed the elements after this script. */
const parsed = new Promise((done) => {
  if (document.readyState !== 'loading') done();
  else document.addEventListener('DOMContentLoaded', done, { once: true });
});

/** Decompresses an element and returns its lines. */
async function linesOf(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return (await new Response(stream).text()).split('\n');
}

const chunks = new Map();

/** Returns the data of a run, from the chunk that contains it. */
async function runData(number) {
  await parsed;
  const element = [...document.querySelectorAll('script.runs')].findLast((one) => Number(one.dataset.first) <= number);
  if (!chunks.has(element)) chunks.set(element, linesOf(element));
  const lines = await chunks.get(element);
  return parseExactly(lines[number - Number(element.dataset.first)]);
}

let sources = null;

/** Reads the contents of the scenario files, which `sourceOf` returns. */
async function readSources() {
  await parsed;
  const element = byId('sources');
  sources ??= element === null ? {} : JSON.parse((await linesOf(element))[0]);
}

function sourceOf(file) {
  return Object.hasOwn(sources, file) ? sources[file] : null;
}

const opened = new Map();

/** Returns a run with its events, which are decoded when the run is first displayed. */
async function openRun(summary) {
  if (!opened.has(summary.number)) {
    await readSources();
    opened.set(summary.number, readRun(await runData(summary.number), summary));
  }
  return opened.get(summary.number);
}

function readRun(data, summary) {
  const run = { ...data, summary: { ...summary, ...data.facts }, number: summary.number };
  run.events = readEvents(data);
  run.at = new Map(run.events.map((event) => [event.place, event]));
  run.arrows = [];
  run.partner = new Map();
  for (let index = 0; index < data.arrows.length; index += 2) {
    const arrow = { from: data.arrows[index], to: data.arrows[index + 1] };
    run.arrows.push(arrow);
    run.partner.set(arrow.from, arrow);
    if (arrow.to >= 0) run.partner.set(arrow.to, arrow);
  }
  run.end = run.summary.end;
  run.clients = new Set(run.events.map((event) => event.client).filter((client) => client !== null));
  run.missing = run.count - run.events.length;
  run.decides = new Map();
  run.expectations.forEach((expectation, index) => {
    expectation.index = index;
    if (expectation.verdict !== 'fail' && expectation.verdict !== 'inconclusive') return;
    for (const place of expectation.evidence) {
      if (!run.decides.has(place)) run.decides.set(place, []);
      run.decides.get(place).push(expectation);
    }
  });
  return run;
}

/** Returns the message for data that could not be read. */
function dataFailure(error, what = 'this run') {
  const isOld = typeof DecompressionStream === 'undefined';
  const why = isOld ? 'this browser is too old to decompress it (Chromium 103, Firefox 113 and Safari 16.4 can)'
    : String(error);
  return h('p', { class: 'note failure' }, `The data of ${what} cannot be read: ${why}. `,
    suite !== null && h('a', { class: 'chip', href: '#/' }, 'all cases'));
}
