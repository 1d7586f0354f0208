// The event lanes: one row per event, and an overlay with lifelines, faults, arrows for frames, and symbols for events.

const marginOfTime = 92;
/** In panes narrower than this, the lanes are close together next to the time, and all labels are to their right. */
const narrowWidth = 520;

/** The event lanes of a run in a scrolling pane. */
class Lanes {
  constructor(run, onSelect, idPrefix = 'e') {
    this.run = run;
    this.idPrefix = idPrefix;
    this.onSelect = onSelect;
    this.selected = null;
    this.wanted = null;
    this.unfolded = new Set();
    this.showsMetrics = false;
    this.list = h('div', { class: 'rows', role: 'listbox', 'aria-label': 'Events', tabindex: '0' });
    this.heads = h('div', { class: 'heads' }, h('span', { class: 'head-time' }, 'seconds'),
      ...lanes.map((name, lane) => h('span', { class: `head lane${lane}`, 'data-short': name[0] }, name)));
    this.element = h('div', { class: 'lanes' }, this.heads, this.list);
    this.list.addEventListener('click', (click) => {
      const row = click.target.closest('[data-place], [data-burst]');
      if (row?.dataset.burst) this.unfold(Number(row.dataset.burst));
      else if (row) this.onSelect(Number(row.dataset.place));
    });
    this.lay();
  }

  find(wanted) {
    this.wanted = wanted;
    this.lay();
  }

  showMetrics(isShown) {
    this.showsMetrics = isShown;
    this.lay();
  }

  unfold(burst) {
    this.unfolded.add(burst);
    this.lay();
  }

  lay() {
    const { rows, height } = layRows(this.run, this.wanted, this.unfolded, this.showsMetrics);
    this.rows = rows;
    this.height = height;
    this.rowOf = new Map(rows.filter((row) => row.kind === 'event').map((row) => [row.event.place, row]));
    let last = null;
    for (const row of rows) {
      row.element = this.rowElement(row, last);
      if (row.kind === 'event') last = row.time;
    }
    this.list.style.height = `${height}px`;
    this.list.replaceChildren(...blocksOf(rows));
    if (this.list.isConnected) this.draw();
  }

  rowElement(row, last) {
    switch (row.kind) {
      case 'event': return this.eventRow(row, last);
      case 'idle': return h('div', { class: 'row idle' },
        h('span', {}, span(row.to - row.from), row.isPart ? '' : ' idle'));
      case 'hidden': return h('div', { class: 'row idle hidden-events' },
        h('span', {}, count(row.count, 'event'), ' not drawn'));
      case 'first': return h('div', { class: 'row first lane1', 'data-burst': row.places[0], title: 'Show them' },
        h('span', { class: 'time same' }, time(row.time)),
        h('span', { class: 'label' }, this.whoOf(row.event), count(row.places.length, 'first value'), ' \u2026'));
      case 'due': return h('div', { class: 'row due', 'data-due': row.expectation.index },
        h('span', { class: 'gutter' }, verdicts.fail.mark), h('span', { class: 'time' }, time(row.time)),
        h('span', { class: 'label' }, h('b', {}, 'overdue'), ` ${expectedOf(row.expectation)}`));
      default: return h('div', { class: 'row end' }, h('span', { class: 'time' }, time(row.time)),
        h('span', { class: 'label' }, 'end of the run'));
    }
  }

  eventRow(row, last) {
    const { event } = row;
    const shown = this.classify(row);
    const decides = this.run.decides.get(event.place);
    const isSame = last !== null && time(last) === time(event.time);
    return h('div', {
      class: `row event lane${shown.lane} ${shown.kind}${shown.isArrival ? ' arrival' : ''}${decides ? ' decides' : ''}`
        + (event.name === 'fault.began' || event.name === 'fault.ended' ? ' fault' : ''),
      'data-place': event.place, 'data-key': event.key, role: 'option', id: `${this.idPrefix}${event.place}`,
      title: `${time(event.time)}  ${fullName(event)}`,
    },
      h('span', { class: 'gutter' }, decides ? verdicts[decides[0].verdict].mark : ''),
      h('span', { class: isSame ? 'time same' : 'time' }, time(event.time)),
      h('span', { class: 'label' }, this.whoOf(event),
        h('span', { class: 'name' }, shown.name),
        shown.key !== null && h('span', { class: 'key' }, bracketed(shown.key, true)),
        shown.said && h('span', { class: 'said' }, shown.said)));
  }

  /** Determines the lane of an event's row and the shape of its symbol, and returns the event's description. */
  classify(row) {
    const shown = describe(row.event);
    row.lane = shown.lane;
    row.shape = shown.kind;
    return shown;
  }

  /** Returns the name of an event's client if the run has several clients. */
  whoOf({ client }) {
    return client !== null && this.run.clients.size > 1 ? h('span', { class: 'who' }, client) : null;
  }

  /** Computes the positions of the lanes from the pane's width. */
  place() {
    const width = this.list.clientWidth || 800;
    const room = width - marginOfTime;
    this.isNarrow = width < narrowWidth;
    this.x = this.isNarrow ? [0, 16, 40, 64].map((x) => marginOfTime + x)
      : [marginOfTime + 12, marginOfTime + room * 0.4, marginOfTime + room * 0.535, marginOfTime + room * 0.67]
        .map(Math.round);
    this.width = width;
    this.element.classList.toggle('narrow', this.isNarrow);
    this.x.forEach((x, lane) => this.element.style.setProperty(`--x${lane}`, `${x}px`));
    this.element.style.setProperty('--width', `${width}px`);
  }

  draw() {
    this.place();
    this.drawing?.remove();
    this.underlay = s('g', {});
    this.overlay = s('g', {});
    this.drawing = s('svg', {
      class: 'drawing', width: this.width, height: this.height, 'aria-hidden': 'true', focusable: 'false',
    },
      s('defs', {}, s('pattern', {
        id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)',
      }, s('path', { class: 'hatch', d: 'M0 0V6' }))),
      this.underlay, ...this.deadlines(), ...this.weather(), ...this.lifelines(), ...this.frames(), this.overlay,
      ...this.marks());
    this.list.prepend(this.drawing);
    if (this.selected !== null) this.mark(this.selected);
  }

  lifelines() {
    const breaks = this.rows.filter((row) => row.kind === 'idle' || row.kind === 'hidden');
    let solid = '';
    let dotted = '';
    for (const x of this.x) {
      let from = 0;
      for (const row of breaks) {
        solid += `M${x} ${from}V${row.top}`;
        dotted += `M${x} ${row.top}V${row.top + row.height}`;
        from = row.top + row.height;
      }
      solid += `M${x} ${from}V${this.height}`;
    }
    return [s('path', { class: 'life', d: solid }), s('path', { class: 'life dotted', d: dotted })];
  }

  /** Draws each fault as a band between client and server that covers the rows during which the fault was active. */
  weather(faults = this.run.faults) {
    return faults.flatMap((fault) => {
      const from = this.rowOf.get(fault.from) ?? this.firstRowFrom(fault.began);
      const to = fault.to < 0 ? this.rows.at(-1) : this.rowOf.get(fault.to) ?? this.firstRowFrom(fault.ended);
      if (!from || !to) return [];
      const inset = this.isNarrow ? 6 + 4 * Math.min(fault.depth, 3) : 14 + 9 * Math.min(fault.depth, 4);
      const [left, right] = [this.x[1] + inset, this.x[3] - inset];
      const box = {
        x: left, y: from.middle, width: Math.max(8, right - left), height: Math.max(2, to.middle - from.middle),
      };
      return [s('rect', { class: 'band', ...box }), s('rect', { class: 'band hatched', fill: 'url(#hatch)', ...box })];
    });
  }

  firstRowFrom(instant) {
    return this.rows.find((row) => row.time !== undefined && row.time >= instant) ?? null;
  }

  frames(arrows = this.run.arrows) {
    const paths = { frame: '', request: '', lost: '', cross: '', stub: '' };
    for (const arrow of arrows) {
      const drawn = this.arrow(arrow);
      if (drawn) for (const [kind, path] of drawn) paths[kind] += path;
    }
    return Object.entries(paths).filter(([, path]) => path)
      .map(([kind, path]) => s('path', { class: `wire ${kind}`, d: path }));
  }

  /** Returns an arrow as pairs of CSS class and SVG path; null if neither of its ends is drawn. */
  arrow({ from, to }) {
    const start = this.rowOf.get(from);
    const end = to < 0 ? undefined : this.rowOf.get(to);
    if (!start && !end) return null;
    const [, client, network, server] = this.x;
    const isUp = (start ?? end).lane === (start ? 1 : 3);
    const [near, far] = isUp ? [client + 5, server - 5] : [server - 5, client + 5];
    if (start && end) {
      const line = `M${near} ${start.middle}L${far} ${end.middle}`;
      return [[start.shape === 'request' ? 'request' : 'frame', line + head(near, start.middle, far, end.middle)]];
    }
    if (end) {
      const line = `M${network} ${end.middle - 8}L${far} ${end.middle}`;
      return [['stub', line + head(network, end.middle - 8, far, end.middle)]];
    }
    const y = start.middle + 7;
    if (to !== -1) return [['stub', `M${near} ${start.middle}L${network} ${y}`]];
    const cross = `M${network - 5} ${y - 5}l10 10M${network + 5} ${y - 5}l-10 10`;
    return [['lost', `M${near} ${start.middle}L${network + (isUp ? -7 : 7)} ${y - 1}`], ['cross', cross]];
  }

  /** Draws a symbol for the kind of each event on its lifeline: a dot, a diamond or a square. */
  marks(rows = this.rows) {
    const paths = { event: '', state: '', injected: '' };
    for (const row of rows) {
      if (row.kind !== 'event') continue;
      const x = this.x[row.lane];
      const y = row.middle;
      if (row.event.by === 'injected') paths.injected += `M${x - 3.5} ${y - 3.5}h7v7h-7z`;
      else if (row.shape === 'state') paths.state += `M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`;
      else paths.event += `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
    }
    return Object.entries(paths).filter(([, path]) => path)
      .map(([kind, path]) => s('path', { class: `sign ${kind}`, d: path }));
  }

  deadlines() {
    const rows = this.rows.filter((row) => row.kind === 'due');
    return rows.flatMap((row) => [
      this.wash(row, 'due'), s('path', { class: 'overdue', d: `M0 ${row.middle}H${this.width}` })]);
  }

  wash(row, kind) {
    return s('rect', { class: `wash ${kind}`, x: 0, y: row.top, width: this.width, height: row.height });
  }

  /**
   * Displays the row of an event if it is hidden: unfolds the row that contains it, or displays the rows of metrics.
   */
  uncover(place) {
    if (this.rowOf.has(place)) return;
    const fold = this.rows.find((row) => row.kind === 'first' && row.places.includes(place));
    if (fold) this.unfold(fold.places[0]);
    else if (isQuiet(this.run, this.run.at.get(place))) this.showMetrics(true);
  }

  /**
   * Highlights an event, the events with the same key in all lanes, and the arrows between them. In a run in progress,
   * rows that are far from the visible ones have no element.
   */
  mark(place) {
    this.selected = place;
    const event = this.run.at.get(place);
    this.list.querySelectorAll('.selected, .kin').forEach((row) => {
      row.classList.remove('selected', 'kin');
      row.removeAttribute('aria-selected');
    });
    this.overlay?.replaceChildren();
    this.underlay?.replaceChildren();
    const row = this.rowOf.get(place);
    if (!event || !row || !this.drawing) return;
    row.element?.classList.add('selected');
    row.element?.setAttribute('aria-selected', 'true');
    this.list.setAttribute('aria-activedescendant', row.element?.id ?? '');
    const isKin = (other) => other.kind === 'event' && other.event.key === event.key;
    const kin = event.key === null ? [] : this.rows.filter(isKin);
    kin.forEach((other) => other.element?.classList.add('kin'));
    this.underlay.append(...kin.map((other) => this.wash(other, 'near')), this.wash(row, 'here'));
    const places = new Set([place, ...kin.map((other) => other.event.place)]);
    for (const arrow of this.run.arrows) {
      if (!places.has(arrow.from) && !places.has(arrow.to)) continue;
      for (const [kind, path] of this.arrow(arrow) ?? []) {
        this.overlay.append(s('path', { class: `wire ${kind} lit`, d: path }));
      }
    }
  }

  /** Returns the event `step` rows after the highlighted one. */
  neighbour(step) {
    const events = this.rows.filter((row) => row.kind === 'event');
    if (events.length === 0) return null;
    const index = events.findIndex((row) => row.event.place === this.selected);
    if (index < 0) return events[step > 0 ? 0 : events.length - 1].event.place;
    return events[Math.min(events.length - 1, Math.max(0, index + step))].event.place;
  }

  rowOfDue(index) {
    return this.rows.find((row) => row.kind === 'due' && row.expectation.index === index);
  }

  show(row) {
    if (row) reveal(this.element, row.top, row.height + this.heads.offsetHeight);
  }
}

/** Groups the rows into blocks, which the browser lays out only when they are close to the visible area. */
function blocksOf(rows) {
  const size = 64;
  const blocks = [];
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size);
    const { top } = part[0];
    const block = h('div', { class: 'block', role: 'presentation' }, ...part.map((row) => row.element));
    block.style.top = `${top}px`;
    block.style.height = `${part.at(-1).top + part.at(-1).height - top}px`;
    for (const row of part) {
      row.element.style.top = `${row.top - top}px`;
      row.element.style.height = `${row.height}px`;
    }
    blocks.push(block);
  }
  return blocks;
}

/** Returns the SVG path of the arrowhead at the arrow's second end. */
function head(fromX, fromY, toX, toY) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [dx, dy] = [(toX - fromX) / length, (toY - fromY) / length];
  const [backX, backY] = [toX - 7 * dx, toY - 7 * dy];
  const [wingX, wingY] = [3.2 * dy, 3.2 * dx];
  const wing = (side) => `${round(backX - side * wingX)} ${round(backY + side * wingY)}`;
  return `M${wing(1)}L${toX} ${toY}L${wing(-1)}`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function legend() {
  const signs = [['\u25cf', 'happened'], ['\u25c7', 'shown'], ['\u25a0', 'done by the scenario'], ['\u2192', 'frame'],
    ['\u21e2', 'request'], ['\u2715', 'never arrived'], ['\u25a8', 'fault']];
  return h('span', { class: 'legend' }, ...signs.map(([sign, word]) => (
    h('span', {}, h('i', { 'aria-hidden': 'true' }, sign), word))));
}
