// The run in progress: converts the batches of the event stream to the model that lanes, ribbons and inspector display.

const panel = parseExactly(byId('panel').textContent);

// Runs of proxies have different lanes.
if (panel.lanes) lanes.splice(0, lanes.length, ...panel.lanes);

/** The maximum number of events in the page; the trace contains all events. */
const keptEvents = 5000;

/** A message counts as lost if it has been in flight for longer than this, in nanoseconds, unless it arrives later. */
const patienceForArrival = 2e9;

class LiveRun {
  constructor() {
    this.events = [];
    this.at = new Map();
    this.arrows = [];
    this.partner = new Map();
    this.decides = new Map();
    this.expectations = [];
    this.divergence = null;
    this.faults = [];
    this.ribbons = [];
    this.ribbons_left_out = 0;
    this.clients = new Set(panel.clients.map((client) => client.name));
    this.board = { faults: [], clients: [], lights: [], changes: [], proxies: [], held: false, verdict: null };
    /** The number of events of the run so far, and the number that this page has received. */
    this.count = 0;
    this.received = 0;
    /** The index of the next event. */
    this.next = 0;
    /** The number of events that Squall had already discarded when this page requested them. */
    this.dropped = 0;
    /** The number of events that are missing for no known reason; greater than 0 only because of a bug. */
    this.lost = 0;
    this.end = 0;
    this.offset = null;
    /** The time of the latest batch on the run's clock. */
    this.now = 0;
  }

  /** Adds a batch of events and returns them. */
  take(batch) {
    this.offset = batch.now / 1e6 - performance.now();
    this.now = batch.now;
    this.count = batch.count;
    this.dropped += batch.dropped ?? 0;
    this.next += batch.dropped ?? 0;
    if (batch.board) this.show(batch);
    const events = batch.table ? readEvents(batch.table) : [];
    for (const event of events) {
      this.lost += Math.abs(event.place - this.next);
      this.next = event.place + 1;
      event.skipped = 0;
      this.at.set(event.place, event);
      this.events.push(event);
    }
    this.received += events.length;
    this.connect(batch.arrows ?? []);
    for (const [id, instant, value] of batch.steps ?? []) {
      this.ribbons.find((ribbon) => ribbon.id === id)?.steps.push(instant, value);
    }
    this.forget();
    return events;
  }

  show({ board, ribbons }) {
    this.board = board;
    if (panel.proxies) board.clients.forEach((client) => this.clients.add(client.name));
    this.faults = board.faults;
    const known = new Map(this.ribbons.map((ribbon) => [ribbon.id, ribbon]));
    this.ribbons = ribbons.map((ribbon) => known.get(ribbon.id) ?? { ...ribbon, cut: false, steps: [] });
    this.decides = new Map();
    board.lights.filter((light) => light.state === 'broken').forEach((light) => light.evidence.forEach((place) => {
      this.decides.set(place, [{ verdict: 'fail', word: `invariant ${light.name}`, line: null }]);
    }));
  }

  connect(numbers) {
    for (let index = 0; index < numbers.length; index += 2) {
      const [from, to] = [numbers[index], numbers[index + 1]];
      const arrow = this.partner.get(from) ?? { from, to };
      if (!this.partner.has(from)) {
        this.arrows.push(arrow);
        this.partner.set(from, arrow);
      }
      arrow.to = to;
      if (to >= 0) this.partner.set(to, arrow);
    }
  }

  /** Removes the oldest events: a fifth of them at a time. */
  forget() {
    if (this.events.length <= keptEvents * 1.2) return;
    const old = this.events.splice(0, this.events.length - keptEvents);
    for (const { place } of old) {
      this.at.delete(place);
      this.partner.delete(place);
    }
    const first = this.events[0].place;
    this.arrows = this.arrows.filter((arrow) => Math.max(arrow.from, arrow.to) >= first);
    for (const ribbon of this.ribbons) if (ribbon.steps.length > 4000) ribbon.steps.splice(0, 1000);
  }

  /** Sets the end of the run to the current time. Messages in flight and active faults extend to that time. */
  advance() {
    if (this.offset === null || this.board.verdict !== null) return;
    const present = this.board.held ? this.now : (this.offset + performance.now()) * 1e6;
    this.end = Math.max(this.end, present);
    for (const arrow of this.arrows) {
      if (arrow.to >= 0) continue;
      const start = this.at.get(arrow.from);
      arrow.to = start && this.end - start.time > patienceForArrival ? -1 : -2;
    }
    for (const fault of this.faults) if (fault.to < 0) fault.ended = this.end;
  }

  activeFaults() {
    return this.faults.filter((fault) => fault.to < 0);
  }
}

/**
 * Connects to the stream of batches. After a disconnect, the browser reconnects and requests the batches that follow.
 */
function follow(run, onBatch, onState) {
  const source = new EventSource('events?since=0');
  source.onopen = () => onState('live');
  source.onerror = () => onState('gone');
  source.onmessage = (message) => onBatch(run.take(parseExactly(message.data)));
  return source;
}

/** Submits a form and returns the response: the equivalent step and the error, if any. */
async function post(path, form) {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(form) });
    const isJSON = answer.headers.get('Content-Type')?.startsWith('application/json');
    return isJSON ? await answer.json() : { refusal: (await answer.text()).trim() };
  } catch {
    return { refusal: 'squall does not answer; is it still running?' };
  }
}
