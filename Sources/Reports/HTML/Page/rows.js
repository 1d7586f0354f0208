// Non-linear time: one row an event, idle stretches folded, and rows for what was due and did not come.

const rowHeight = 22;
const foldHeight = 26;
const dueHeight = 30;
/** Shorter stretches than this are not worth a row. */
const idleFrom = 1e9;

/** The rows of a run, each with its place from the top. */
function layRows(run, wanted) {
  const rows = [];
  let top = 6;
  let clock = 0;
  let hidden = 0;
  const add = (row, height) => {
    rows.push({ ...row, top, height, middle: top + height / 2 });
    top += height;
  };
  const idle = (until) => {
    if (until - clock >= idleFrom) add({ kind: 'idle', from: clock, to: until }, foldHeight);
    clock = Math.max(clock, until);
  };
  const flush = () => {
    if (hidden > 0) add({ kind: 'hidden', count: hidden }, foldHeight);
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
  for (const event of run.events) {
    hidden += event.skipped;
    if (!wanted(event)) continue;
    flush();
    duesBefore(event.time);
    idle(event.time);
    add({ kind: 'event', event, time: event.time }, rowHeight);
  }
  const drawn = run.events.reduce((sum, event) => sum + event.skipped + 1, 0);
  hidden += run.count - drawn;
  flush();
  duesBefore(Infinity);
  idle(run.end);
  add({ kind: 'end', time: run.end }, foldHeight);
  return { rows, height: top + 6 };
}

/** The expectations whose bound was missed, by their deadline. */
function duesOf(run) {
  return run.expectations.filter((expectation) => expectation.verdict === 'fail' && expectation.by !== undefined)
    .sort((a, b) => a.by - b.by).slice(0, 40);
}

/** What should have come: the part of the reason that says so. */
function expectedOf(expectation) {
  const why = expectation.why ?? '';
  const start = why.lastIndexOf('; expected ');
  if (start < 0) return why;
  const subject = /^(\S+) (?:was|were|had|did) /.exec(why);
  return `${subject ? `${subject[1]}, ` : ''}expected ${why.slice(start + 11)}`;
}
