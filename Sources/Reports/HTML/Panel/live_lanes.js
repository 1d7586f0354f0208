// Lanes and ribbons of a run in progress. Only the newest rows are kept, and only those near the visible ones are elements
// of the page: a browser needs much longer to lay out a row than to skip it.

/** The maximum number of rows. */
const keptRows = 1000;
/** So many of the oldest rows are removed at a time. */
const removedRows = 64;

class LiveLanes extends Lanes {
  /** Lays out all rows again from the events in the page. The superclass's constructor calls this method as well. */
  lay() {
    this.rows = [];
    this.near = new Set();
    this.rowOf = new Map();
    this.height = 6;
    this.clock = null;
    this.last = null;
    this.isFollowing ??= true;
    this.floor ??= 0;
    this.list.replaceChildren();
    this.append(this.run.events.slice(-keptRows));
    if (this.list.isConnected) this.draw();
  }

  /** Hides all events before this one. */
  clear(place) {
    this.floor = place;
    this.selected = null;
    this.lay();
  }

  append(events) {
    for (const event of events) {
      if (event.place < this.floor || (this.wanted !== null && !this.wanted(event))) continue;
      if (this.clock !== null && event.time - this.clock >= idleFrom) {
        this.add({ kind: 'idle', from: this.clock, to: event.time, isPart: this.wanted !== null }, foldHeight);
      }
      this.clock = event.time;
      this.add({ kind: 'event', event, time: event.time }, rowHeight);
      this.last = event.time;
    }
    this.trim();
    this.list.style.height = `${this.height + 6}px`;
  }

  add(row, height) {
    Object.assign(row, { top: this.height, height, middle: this.height + height / 2, last: this.last });
    this.rows.push(row);
    this.height += height;
    if (row.kind !== 'event') return;
    this.classify(row);
    this.rowOf.set(row.event.place, row);
  }

  /** Removes the oldest rows and moves the remaining rows up. */
  trim() {
    if (this.rows.length <= keptRows + removedRows) return;
    const old = this.rows.splice(0, this.rows.length - keptRows);
    for (const row of old) if (row.kind === 'event') this.rowOf.delete(row.event.place);
    const shift = this.rows[0].top - 6;
    for (const row of this.rows) {
      row.top -= shift;
      row.middle -= shift;
    }
    this.height -= shift;
    if (!this.isFollowing) this.element.scrollTop = Math.max(0, this.element.scrollTop - shift);
  }

  /** Measures the pane again, whose size has changed, and draws the rows. */
  resize() {
    this.width = null;
    this.draw();
  }

  /** Computes the positions of the lanes if the size of the pane is unknown: measuring it takes a layout of the page. */
  place() {
    if (this.width) return;
    super.place();
    this.viewHeight = this.element.clientHeight;
  }

  draw() {
    this.place();
    this.fill();
    super.draw();
    if (this.isFollowing) this.element.scrollTop = this.element.scrollHeight;
  }

  /** The part of the list that is visible, from its top to its bottom in pixels. */
  visible() {
    const bottom = this.isFollowing ? this.height + rowHeight : this.element.scrollTop + this.viewHeight;
    return [bottom - this.viewHeight, bottom];
  }

  /** Adds the elements of the rows that are visible or less than a screen away, and removes all others. */
  fill() {
    const [top, bottom] = this.visible();
    this.filled = [top - this.viewHeight, bottom + this.viewHeight];
    const near = new Set(this.rows.filter((row) => this.isNear(row, row)));
    for (const row of this.near) {
      if (near.has(row)) continue;
      row.element.remove();
      row.element = null;
    }
    for (const row of near) {
      if (!row.element) {
        row.element = this.rowElement(row, row.last);
        row.element.style.height = `${row.height}px`;
        this.list.append(row.element);
      }
      row.element.style.top = `${row.top}px`;
    }
    this.near = near;
  }

  /** Returns whether a drawing from one row to another can be seen in the part of the list that is filled. */
  isNear(one, other) {
    const [from, to] = this.filled;
    return Math.min(one.top, other.top) <= to && Math.max(one.top, other.top) + rowHeight >= from;
  }

  /** Draws the faults that were active during the displayed rows. */
  weather() {
    const first = this.rows.find((row) => row.time !== undefined)?.time ?? 0;
    return super.weather(this.run.faults.filter((fault) => fault.to < 0 || fault.ended >= first));
  }

  frames() {
    return super.frames(this.run.arrows.filter(({ from, to }) => {
      const start = this.rowOf.get(from) ?? this.rowOf.get(to);
      return start && this.isNear(start, this.rowOf.get(to) ?? start);
    }));
  }

  marks() {
    return super.marks(this.near);
  }

  /** Scrolls to a row and stays there, even if it is the last one. */
  show(row) {
    this.isFollowing = false;
    const before = this.element.scrollTop;
    super.show(row);
    this.isRevealing ||= this.element.scrollTop !== before;
  }

  /** Called when the pane was scrolled. If the user has scrolled to its end, it follows new rows. */
  scrolled() {
    const pane = this.element;
    if (!this.isRevealing) {
      this.isFollowing = pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2 * rowHeight;
    }
    this.isRevealing = false;
    const [top, bottom] = this.visible();
    if (top < this.filled[0] || bottom > this.filled[1]) this.draw();
  }
}

class LiveRibbons extends Ribbons {
  /** Displays the most recent part of the run. The superclass's constructor calls this method as well. */
  zoom() {
    this.to = Math.max(this.run.end, 1e9);
    this.from = Math.max(0, this.to - (this.length ?? 60e9));
    this.draw();
    if (this.marked !== undefined) super.mark(this.marked);
  }

  mark(instant) {
    this.marked = instant;
    super.mark(instant);
  }
}
