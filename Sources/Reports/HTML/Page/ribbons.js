// The ribbons: bars that show the values of observables on a linear time axis, with the faults above them.

class Ribbons {
  constructor(run, onPick) {
    this.run = run;
    this.tracks = h('div', { class: 'tracks' });
    this.element = h('section', { class: 'ribbons', 'aria-label': 'States over time' }, this.tracks);
    this.tracks.addEventListener('click', (click) => {
      const box = this.area.getBoundingClientRect();
      const share = (click.clientX - box.left) / box.width;
      if (share >= 0 && share <= 1) onPick(this.from + share * (this.to - this.from));
    });
    this.zoom(false);
  }

  /** Displays the whole run, or only the time from shortly before the last fault to shortly after the divergence. */
  zoom(isClose) {
    const { run } = this;
    this.isClose = isClose && run.divergence !== null;
    [this.from, this.to] = this.isClose ? closeUp(run) : [0, Math.max(run.end, 1)];
    this.draw();
  }

  draw() {
    const { run } = this;
    const rows = [];
    // Faults that are active at the same time are drawn in rows of their own, so that each can be read.
    for (let depth = 0; depth < 4; depth += 1) {
      const faults = run.faults.filter((fault) => Math.min(fault.depth, 3) === depth);
      if (faults.length > 0) rows.push(this.row('faults', depth === 0 ? 'faults' : '', 'weather',
        faults.map((fault) => [fault.began, fault.ended, 'weather', faultTitle(fault)])));
    }
    for (const ribbon of run.ribbons) {
      const parts = [];
      for (let index = 0; index < ribbon.steps.length; index += 2) {
        const value = ribbon.steps[index + 1];
        parts.push([ribbon.steps[index], ribbon.steps[index + 2] ?? run.end, `tone ${toneOf(value)}`, brief(value)]);
      }
      rows.push(this.row(ribbonName(ribbon), ribbonName(ribbon, true), 'state', parts));
    }
    this.area = h('div', { class: 'area' }, ...this.lines());
    this.cursor = h('span', { class: 'cursor', hidden: true });
    this.area.append(this.cursor);
    const more = run.ribbons_left_out > 0
      ? h('p', { class: 'note' }, `${count(run.ribbons_left_out, 'more ribbon')} not drawn`) : null;
    this.tracks.replaceChildren(...rows, this.axis(), this.area, ...(more ? [more] : []));
  }

  row(name, shortName, kind, parts) {
    const track = h('div', { class: `track ${kind}` });
    for (const [from, to, tone, word] of parts) {
      if (to < this.from || from > this.to) continue;
      const left = this.share(Math.max(from, this.from));
      const part = h('span', { class: tone, title: `${word}  ${time(from)} \u2013 ${time(to)}  (${span(to - from)})` },
        kind === 'weather' ? h('b', {}, word) : word);
      part.style.left = `${left}%`;
      part.style.width = `${Math.max(0, this.share(Math.min(to, this.to)) - left)}%`;
      track.append(part);
    }
    return h('div', { class: 'ribbon' }, h('span', { class: 'ribbon-name', title: name }, shortName), track);
  }

  share(instant) {
    return ((instant - this.from) / (this.to - this.from)) * 100;
  }

  lines() {
    return duesOf(this.run).filter(({ by }) => by >= this.from && by <= this.to).map((expectation) => {
      const line = h('span', { class: 'deadline', title: `${time(expectation.by)}  ${expectedOf(expectation)}` });
      line.style.left = `${this.share(expectation.by)}%`;
      return line;
    });
  }

  axis() {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
    const seconds = (this.to - this.from) / 1e9;
    const small = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
    const step = [...small, ...steps].find((size) => seconds / size <= 9) ?? seconds / 8;
    const axis = h('div', { class: 'track axis' });
    for (let index = Math.ceil(this.from / 1e9 / step); index * step <= this.to / 1e9; index += 1) {
      const tick = h('span', {}, step < 1 ? (index * step).toFixed(3) : String(index * step));
      tick.style.left = `${this.share(index * step * 1e9)}%`;
      axis.append(tick);
    }
    return h('div', { class: 'ribbon' }, h('span', { class: 'ribbon-name unit' }, 'seconds'), axis);
  }

  mark(instant) {
    this.cursor.hidden = instant < this.from || instant > this.to;
    this.cursor.style.left = `${this.share(instant)}%`;
  }
}

/**
 * Returns the time from three events before the last fault to three events after the divergence, with a small margin.
 */
function closeUp(run) {
  const { divergence, events, end } = run;
  const start = divergence.fault === null ? divergence.time : run.faults[divergence.fault].began;
  const before = events.filter((event) => event.time < start).slice(-3)[0]?.time ?? 0;
  const after = events.filter((event) => event.time > divergence.time).slice(0, 3).at(-1)?.time ?? end;
  const air = Math.max((after - before) * 0.04, 1e6);
  return [Math.max(0, before - air), Math.min(Math.max(end, 1), after + air)];
}
