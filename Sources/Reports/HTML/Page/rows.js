// Lays out the event lanes on a non-linear time axis: one row per event, idle periods folded, and a row for each missed
// deadline.

const rowHeight = 22;
const foldHeight = 26;
const dueHeight = 30;
/** The shortest idle period, in nanoseconds, that gets a row of its own. */
const idleFrom = 1e9;

/** If a client reports at least this many initial values at its start, they share one row until the user unfolds it. */
const manyFirstValues = 6;

/** The maximum number of omitted events between two rows that is not mentioned. */
const quietlyHidden = 9;

/**
 * Returns whether an event is a measurement without influence on the verdict; such rows are displayed only on request.
 */
function isQuiet(run, event) {
  return event.name.startsWith('metrics.') && !run.decides.has(event.place);
}

/** Returns the rows of a run, or of some of its events, each with its distance from the top. */
function layRows(run, wanted = null, unfolded = new Set(), showsMetrics = false) {
  const rows = [];
  let top = 6;
  let clock = 0;
  let hidden = 0;
  const add = (row, height) => {
    rows.push({ ...row, top, height, middle: top + height / 2 });
    top += height;
  };
  const idle = (until) => {
    if (until - clock >= idleFrom) add({ kind: 'idle', from: clock, to: until, isPart: wanted !== null }, foldHeight);
    clock = Math.max(clock, until);
  };
  const flush = () => {
    if (hidden > quietlyHidden) add({ kind: 'hidden', count: hidden }, foldHeight);
    hidden = 0;
  };
  const due = duesOf(run);
  const duesBefore = (instant) => {
    while (due.length > 0 && due[0].by < instant) {
      const expectation = due.shift();
      flush();
      idle(expectation.by);
      add({ kind: 'due', expectation, time: expectation.by }, dueHeight);
    }
  };
  const bursts = wanted === null ? firstValues(run) : new Map();
  for (const event of run.events) {
    hidden += event.skipped;
    if (wanted !== null && !wanted(event)) continue;
    const burst = bursts.get(event.place);
    if (wanted === null && burst === undefined && !showsMetrics && isQuiet(run, event)) continue;
    flush();
    duesBefore(event.time);
    idle(event.time);
    if (burst === undefined || unfolded.has(burst[0])) {
      add({ kind: 'event', event, time: event.time }, rowHeight);
    } else if (burst[0] === event.place) {
      add({ kind: 'first', places: burst, event, time: event.time }, rowHeight);
    }
  }
  const drawn = run.events.reduce((sum, event) => sum + event.skipped + 1, 0);
  hidden += run.count - drawn;
  flush();
  duesBefore(Infinity);
  idle(run.end);
  add({ kind: 'end', time: run.end }, foldHeight);
  return { rows, height: top + 6 };
}

/** Returns the events with which clients report many initial values in sequence, each with all events of its row. */
function firstValues(run) {
  const seen = new Set();
  const bursts = new Map();
  let burst = [];
  const end = () => {
    if (burst.length >= manyFirstValues) burst.forEach((place) => bursts.set(place, burst));
    burst = [];
  };
  let last = null;
  for (const event of run.events) {
    const name = `${event.client}\n${event.name}\n${event.key}`;
    const isFirst = event.change === 1 && !seen.has(name) && !run.decides.has(event.place);
    seen.add(name);
    if (!isFirst || (last !== null && (last.time !== event.time || last.client !== event.client))) end();
    if (isFirst) burst.push(event.place);
    last = event;
  }
  end();
  return bursts;
}

/** Returns the expectations whose deadline was missed, grouped by deadline. */
function duesOf(run) {
  return run.expectations.filter((expectation) => expectation.verdict === 'fail' && expectation.by !== undefined)
    .sort((a, b) => a.by - b.by).slice(0, 40);
}

/** Returns the part of the reason that states what was expected. */
function expectedOf(expectation) {
  const why = expectation.why ?? '';
  const start = why.lastIndexOf('; expected ');
  if (start < 0) return why;
  const subject = /^(\S+) (?:was|were|had|did) /.exec(why);
  return `${subject ? subject[1] : 'expected'} ${why.slice(start + 11)}`;
}
