// Formats times, durations, verdicts and events.

const verdicts = {
  fail: { mark: '\u2715', word: 'fail' },
  inconclusive: { mark: '?', word: 'inconclusive' },
  flaky: { mark: '\u21bb', word: 'flaky' },
  known_failure: { mark: '\u2248', word: 'known failure' },
  pass: { mark: '\u2713', word: 'pass' },
  skipped: { mark: '\u2013', word: 'skipped' },
};
/** The verdicts in order of severity, worst first. */
const verdictOrder = Object.keys(verdicts);

function verdictTag(verdict) {
  const { mark, word } = verdicts[verdict];
  return h('span', { class: `verdict ${verdict}` }, h('i', { 'aria-hidden': 'true' }, mark), word);
}

/** Formats a time in seconds with three decimals: `12.400`. */
function time(ns) {
  const ms = Math.trunc(ns / 1e6);
  const sign = ms < 0 ? '-' : '';
  const rest = Math.abs(ms);
  return `${sign}${Math.floor(rest / 1000)}.${String(rest % 1000).padStart(3, '0')}`;
}

/** Formats a duration with three digits and a unit: `340 ms`, `25.0 s`, `12 min 30 s`. */
function span(ns) {
  const size = Math.abs(ns);
  const digits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
  if (size === 0) return '0 s';
  if (size < 1e3) return `${ns} ns`;
  if (size < 1e6) return `${digits(ns / 1e3)} \u00b5s`;
  if (size < 1e9) return `${digits(ns / 1e6)} ms`;
  if (size < 120e9) return `${digits(ns / 1e9)} s`;
  const seconds = Math.round(size / 1e9);
  const sign = ns < 0 ? '-' : '';
  if (seconds < 7200) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${sign}${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Formats a count with thousands separators. */
function number(value) {
  return value.toLocaleString('en');
}

function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The names of event fields that contain nanoseconds. */
const spans = new Set(['delay', 'latency', 'retry_after']);

/** Formats a value briefly: strings without quotes, null as a dash. */
function brief(value, name) {
  if (value === null) return '\u2013';
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (typeof value === 'number') {
    // Server timestamps are in milliseconds since 1970.
    if (name === 'timestamp' && value > 1e11 && value < 1e14) {
      return new Date(value).toISOString().slice(0, -1).replace('T', ' ');
    }
    return spans.has(name) || /^mean_|_in$|^rtt$/.test(name) ? span(value) : String(value);
  }
  if (value instanceof Exact || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => brief(item)).join(', ')}]`;
  return Object.entries(value).filter(([, item]) => item !== null)
    .map(([key, item]) => `${key} ${brief(item, key)}`).join(', ');
}

function cut(text, limit = 160) {
  return text.length > limit ? `${text.slice(0, limit - 1)}\u2026` : text;
}

/** Shortens a long generated id to its beginning and end. */
function shortKey(key) {
  return key.length > 14 ? `${key.slice(0, 4)}\u2026${key.slice(-6)}` : key;
}

/**
 * Returns a key in brackets, such as `[hello]`, or an empty string if there is no key; with `isShort`, a long key is
 * shortened.
 */
function bracketed(key, isShort = false) {
  if (key === null) return '';
  return `[${isShort ? shortKey(key) : key}]`;
}

const lanes = ['User, device', 'Client', 'Network', 'Server'];
/** The lanes of proxy events by name. Other connection events are in the lane of their side, or in lane 2. */
const proxyLanes = {
  'link.accepted': 1, 'link.datagrams': 1, 'link.requested': 1, 'link.hello': 1, 'link.upstream_failed': 3,
  'toxic.down': 2, 'toxic.up': 2,
};
const provenances = ['observed', 'reported', 'injected'];
const trust = {
  observed: 'observed on the wire', reported: 'reported by the client', injected: 'injected by the scenario',
};

function laneOf(event) {
  // All values that a client reports are drawn in the client's lane, even if they are about something else.
  if (event.change > 0 && event.client !== null) return 1;
  const actor = event.name.slice(0, event.name.indexOf('.'));
  if (actor === 'link') return proxyLanes[event.name] ?? { client: 1, server: 3 }[event.value?.side] ?? 2;
  if (['proxy', 'proxies', 'toxic', 'schedule', 'trouble', 'run'].includes(actor)) return proxyLanes[event.name] ?? 0;
  if (actor === 'user' || actor === 'device') return 0;
  if (actor === 'network' || actor === 'fault') return 2;
  return actor === 'server' ? 3 : 1;
}

/** Returns the name of a fault, such as `half_open [tunnel]`; only the label if it contains the kind, as for toxics. */
function faultName({ fault, label }) {
  const repeats = [fault, `${fault}_downstream`, `${fault}_upstream`, `${fault}_both`];
  return repeats.includes(label) ? label : `${fault} [${label}]`;
}

/** Returns the names of the clients that a fault affects; empty if it affects all, or the only one. */
function whose({ clients }) {
  return (clients ?? []).filter((name) => name !== 'client').join(', ');
}

/** Returns the name of a fault with the clients that it affects, such as `latency: boris`. */
function faultTitle(fault) {
  return whose(fault) ? `${faultName(fault)}: ${whose(fault)}` : faultName(fault);
}

/** Returns the label of an event, without the actor that its lane already identifies. */
function describe(event) {
  const lane = laneOf(event);
  let { name, key } = event;
  if (lane === 1 && name.startsWith('client.')) name = name.slice(7);
  if (lane === 2 && name.startsWith('network.')) name = name.slice(8);
  if (lane === 3 && name.startsWith('server.')) name = name.slice(7);
  if (name.startsWith('link.') && event.change === 0) name = name.slice(5);
  const wire = /^(sent|received|requested|answered)\./.exec(name);
  if (wire) name = name.slice(wire[0].length);
  const value = event.value;
  let said = '';
  switch (event.change) {
    case 0: said = brief(value); break;
    case 1: said = brief(value, event.name.slice(event.name.lastIndexOf('.') + 1)); break;
    case 2: said = `+ ${brief(value[1])} at ${value[0]}`; break;
    case 3: said = `\u2212 item ${value}`; break;
    default: said = `item ${value[0]} is ${brief(value[1])}`;
  }
  if (event.name === 'fault.began' || event.name === 'fault.ended') {
    name = brief(value?.fault ?? 'fault');
    said = event.name === 'fault.began' ? 'begins' : 'ends';
    if (whose(value ?? {})) said += ` for ${whose(value)}`;
    if (key === name) key = null;
  }
  if (event.name === 'network.closed') said = `by ${brief(value?.side ?? '?')}, ${brief(value?.how ?? '?')}`;
  if (event.name === 'run.hold_began') [name, said] = ['held', 'the time stands'];
  if (event.name === 'run.hold_ended') [name, said] = ['released', ''];
  if (event.name === 'network.dropped') said = `${brief(value?.bytes ?? '?')} bytes ${brief(value?.direction ?? '')}`;
  const isFrame = Boolean(wire) && (wire[1] === 'sent' || wire[1] === 'received');
  const kind = event.change > 0 ? 'state' : wire ? (isFrame ? 'frame' : 'request') : 'event';
  const isArrival = ['received', lane === 3 ? 'requested' : 'answered'].includes(wire?.[1]);
  return { lane, name, key, said: cut(said), kind, isArrival };
}

/** Returns the full name of an event, such as `anna.message.status[hello]`. */
function fullName(event) {
  const who = event.client !== null && event.client !== 'client' && event.change > 0 ? `${event.client}.` : '';
  return who + event.name + bracketed(event.key);
}
