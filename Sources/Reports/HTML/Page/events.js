// Decodes the events of a run to plain objects, and computes the values of observables.

/** An integer that a JavaScript number cannot represent exactly, stored as its digits. */
class Exact {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

function parseExactly(text) {
  return JSON.parse(text, (name, value, context) => (
    typeof value === 'number' && !Number.isSafeInteger(value) && context?.source ? new Exact(context.source) : value
  ));
}

function readEvents(data) {
  const skips = new Map(data.skips);
  const events = [];
  let time = 0;
  let place = 0;
  for (let start = 0; start < data.events.length; start += 5) {
    const [delta, name, key, value, back] = data.events.slice(start, start + 5);
    const skipped = skips.get(events.length) ?? 0;
    place += skipped;
    time += delta;
    const [text, client, by, change] = data.names[name];
    events.push({
      place, time, name: text, client, by: provenances[by], change, skipped,
      key: key < 0 ? null : data.keys[key], value: data.values[value], cause: back > 0 ? place - back : null,
    });
    place += 1;
  }
  return events;
}

/** Returns the value of an observable at an instant; undefined before its first value. */
function valueAt(ribbon, instant) {
  let value;
  for (let index = 0; index < ribbon.steps.length && ribbon.steps[index] <= instant; index += 2) {
    value = ribbon.steps[index + 1];
  }
  return value;
}

function ribbonName(ribbon, isShort = false) {
  const who = ribbon.client !== null && ribbon.client !== 'client' ? `${ribbon.client}.` : '';
  return who + ribbon.name + bracketed(ribbon.key, isShort);
}

/**
 * Returns the CSS class for the colour of a value. If there is room, the value itself is displayed next to the colour.
 */
function toneOf(value) {
  switch (value) {
    case 'connected': case 'delivered': case 'good': return 'good';
    case 'listening': case 'open': case 'secured': return 'good';
    case 'connecting': case 'authenticating': case 'reconnecting': case 'sending': case 'slow': return 'wait';
    case 'degraded': case 'captive_portal': case 'draining': case 'polling': case 'rate_limited': return 'odd';
    case 'offline': case 'auth_required': case 'unavailable': case 'failed': case 'error': case 'dead': case 'disabled': return 'bad';
    case null: case undefined: return 'none';
    default: return 'calm';
  }
}
