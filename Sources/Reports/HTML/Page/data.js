// The data that the page carries, read into plain objects.

const suite = JSON.parse(byId('suite').textContent);
suite.runs.forEach((run, number) => { run.number = number; });
suite.cases.forEach((item) => {
  item.runs = item.runs.map((number) => suite.runs[number]);
  item.runs.forEach((run) => { run.case = item; });
});

function sourceOf(file) {
  return Object.hasOwn(suite.sources, file) ? suite.sources[file] : null;
}

const opened = new Map();

/** A run with its events, decoded when it is first shown. */
function openRun(number) {
  if (!opened.has(number)) opened.set(number, readRun(number));
  return opened.get(number);
}

function readRun(number) {
  const data = parseExactly(byId(`run-${number}`).textContent);
  const run = { ...data, summary: suite.runs[number], number };
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
