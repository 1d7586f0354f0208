// Displays the selected event: time, name, provenance and fields.

function inspector(run, event, goTo) {
  if (!event) return h('p', { class: 'empty' }, 'Select an event to see its fields.');
  const index = run.events.indexOf(event);
  const before = run.events[index - 1];
  const facts = [
    ['time', `${time(event.time)} s${before ? `, ${span(event.time - before.time)} after the one before` : ''}`],
    ['event', `#${event.place} of ${run.count}`],
    ['client', event.client ?? '\u2013'],
    ['seen', trust[event.by]],
  ];
  const arrow = run.partner.get(event.place);
  if (arrow) facts.push(journey(run, arrow, event, goTo));
  if (event.cause !== null) facts.push(['led here', link(run, event.cause, goTo)]);
  const effects = run.events.filter((other) => other.cause === event.place).slice(0, 5);
  if (effects.length > 0) facts.push(['led to', effects.map((other) => h('div', {}, link(run, other.place, goTo)))]);
  const decides = run.decides.get(event.place) ?? [];
  return h('div', { class: 'inspected' },
    h('h3', {}, event.name, h('span', { class: 'key' }, bracketed(event.key))),
    ...decides.map((expectation) => h('p', { class: 'decides' }, verdictTag(expectation.verdict),
      expectation.line === null ? expectation.word : `${expectation.word}, line ${expectation.line}`)),
    h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    h('h4', {}, ['fields', 'new value', 'inserted', 'removed', 'replaced'][event.change]),
    h('pre', { class: 'json' }, ...pretty(event.value)),
    ...momentOf(run, event.time));
}

function journey(run, arrow, event, goTo) {
  const end = run.at.get(arrow.to);
  const start = run.at.get(arrow.from);
  if (event.place === arrow.to) return ['sent', link(run, arrow.from, goTo)];
  if (arrow.to === -1) return ['arrived', h('b', { class: 'never' }, 'never')];
  if (arrow.to < 0) return ['arrived', 'not by the end of the run'];
  return ['arrived', [end && start ? `${span(end.time - start.time)} later: ` : '', link(run, arrow.to, goTo)]];
}

function link(run, place, goTo) {
  const event = run.at.get(place);
  if (!event) return `#${place} (not drawn)`;
  const words = `${time(event.time)} ${fullName(event)}`;
  return h('button', { type: 'button', class: 'link', onclick: () => goTo(place) }, words);
}

/** Returns the values of the client's observables at the time of the event. */
function momentOf(run, instant) {
  const values = run.ribbons.map((ribbon) => [ribbon, valueAt(ribbon, instant)])
    .filter(([, value]) => value !== undefined);
  if (values.length === 0) return [];
  return [h('h4', {}, 'shown then'), h('dl', { class: 'moment' }, ...values.flatMap(([ribbon, value]) => [
    h('dt', { title: ribbonName(ribbon) }, ribbonName(ribbon, true)),
    h('dd', {}, h('span', { class: `tone ${toneOf(value)}` }, brief(value)))]))];
}

/** Returns JSON as indented, highlighted nodes; durations in nanoseconds are also displayed with a readable unit. */
function pretty(value, indent = '', name = '') {
  if (value === null || value instanceof Exact || typeof value !== 'object') return [scalar(value), hint(value, name)];
  const entries = Array.isArray(value) ? value.map((item) => [null, item]) : Object.entries(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return [open + close];
  const inner = `${indent}  `;
  return [open, ...entries.flatMap(([key, item], index) => [
    `\n${inner}`, key === null ? '' : h('span', { class: 'json-name' }, JSON.stringify(key)), key === null ? '' : ': ',
    ...pretty(item, inner, key ?? ''), index < entries.length - 1 ? ',' : '']), `\n${indent}${close}`];
}

function scalar(value) {
  const kind = value instanceof Exact ? 'number' : value === null ? 'null' : typeof value;
  return h('span', { class: `json-${kind}` }, value instanceof Exact ? value.text : JSON.stringify(value));
}

function hint(value, name) {
  return typeof value === 'number' && spans.has(name) ? h('span', { class: 'json-hint' }, `  ${span(value)}`) : '';
}
