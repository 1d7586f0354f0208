// Lanes and ribbons of a run in progress. Only the newest rows are kept: blocks of rows are appended at the bottom and
// removed from the top.

/** The maximum number of rows. */
const drawnRows = 1000;
const rowsOfBlock = 64;

class LiveLanes extends Lanes {
  /** Lays out all rows again from the events in the page. The superclass's constructor calls this method as well. */
  lay() {
    this.rows = [];
    this.blocks = [];
    this.rowOf = new Map();
    this.height = 6;
    this.clock = null;
    this.last = null;
    this.isFollowing ??= true;
    this.floor ??= 0;
    this.list.replaceChildren();
    this.append(this.run.events.slice(-drawnRows));
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
    let block = this.blocks.at(-1);
    if (!block || block.rows.length >= rowsOfBlock) {
      block = { top: this.height, rows: [], element: h('div', { class: 'block', role: 'presentation' }) };
      block.element.style.top = `${block.top}px`;
      this.blocks.push(block);
      this.list.append(block.element);
    }
    Object.assign(row, { top: this.height, height, middle: this.height + height / 2 });
    row.element = this.rowElement(row, this.last);
    row.element.style.top = `${row.top - block.top}px`;
    row.element.style.height = `${height}px`;
    block.element.append(row.element);
    block.rows.push(row);
    this.rows.push(row);
    this.height += height;
    block.element.style.height = `${this.height - block.top}px`;
    if (row.kind === 'event') this.rowOf.set(row.event.place, row);
  }

  /** Removes whole blocks from the top and moves the remaining rows up. */
  trim() {
    let shift = 0;
    while (this.rows.length > drawnRows + rowsOfBlock && this.blocks.length > 1) {
      const old = this.blocks.shift();
      old.element.remove();
      for (const row of old.rows) if (row.kind === 'event') this.rowOf.delete(row.event.place);
      this.rows.splice(0, old.rows.length);
      shift = this.blocks[0].top - 6;
    }
    if (shift === 0) return;
    for (const block of this.blocks) {
      block.top -= shift;
      block.element.style.top = `${block.top}px`;
      for (const row of block.rows) {
        row.top -= shift;
        row.middle -= shift;
      }
    }
    this.height -= shift;
    if (!this.isFollowing) this.element.scrollTop = Math.max(0, this.element.scrollTop - shift);
  }

  draw() {
    super.draw();
    if (this.isFollowing) this.element.scrollTop = this.element.scrollHeight;
  }

  /** Draws the faults that were active during the displayed rows. */
  weather() {
    const first = this.rows.find((row) => row.time !== undefined)?.time ?? 0;
    return super.weather(this.run.faults.filter((fault) => fault.to < 0 || fault.ended >= first));
  }

  /** Records whether the pane is scrolled to its end, in which case it follows new rows. */
  noteScroll() {
    const pane = this.element;
    this.isFollowing = pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2 * rowHeight;
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
