// The view of one run: verdict and cause, states over time, expectations, event lanes, and the details of one event.

class RunView {
  constructor(run, place) {
    this.run = run;
    this.lanes = new Lanes(this.run, (chosen) => this.select(chosen));
    this.ribbons = new Ribbons(this.run, (instant) => this.selectNear(instant));
    this.inspector = h('aside', { class: 'pane inspector', 'aria-label': 'Selected event' }, inspector(this.run, null));
    this.source = sourcePane(this.run);
    this.element = h('div', { class: 'run' },
      this.header(), this.ribbons.element,
      h('div', { class: 'panes' },
        h('div', { class: 'side' }, expectationsPane(this.run, (expectation) => this.follow(expectation)), this.source),
        h('section', { class: 'pane timeline', 'aria-label': 'What happened' }, this.tools(), this.lanes.element),
        this.inspector),
      h('footer', { class: 'keys' }, keyHint('j', 'k', 'next and previous event'), keyHint('f', 'first failure'),
        keyHint('/', 'find'), keyHint('n', 'p', 'next and previous run'), keyHint('Esc', 'all cases'), legend()));
    this.wanted = place;
    this.resizes = new ResizeObserver(() => {
      if (this.lanes.list.clientWidth !== this.lanes.width) this.lanes.draw();
    });
  }

  /** Called when the view has been added to the page, because only then is its size known. */
  appear() {
    this.lanes.draw();
    this.resizes.observe(this.lanes.list);
    if (this.wanted !== null && this.run.at.has(this.wanted)) this.select(this.wanted);
    else this.goToDivergence();
  }

  header() {
    const { summary } = this.run;
    const item = summary.case;
    const facts = [item.file, summary.world, `profile ${summary.profile}`, `seed ${summary.seed}`,
      summary.capture_gap && `of its packets ${summary.capture_gap}`,
      `${span(summary.virtual)} played in ${span(summary.wall)}`,
      summary.tolerance && `tolerance ${summary.tolerance}`,
      summary.client !== 'reference' && `client ${summary.client}`,
      ...summary.defects.map((defect) => `defect ${defect}`), `digest ${summary.digest}`];
    return h('header', { class: `run-head ${summary.verdict}` },
      h('div', { class: 'masthead' }, brand(), h('span', { class: 'title' }, suite.title), this.siblings()),
      h('div', { class: 'headline' }, verdictTag(summary.verdict), h('h1', {}, item.title)),
      h('p', { class: 'facts' }, ...facts.filter(Boolean).map((fact) => h('span', {}, fact))),
      this.cause(),
      parityNote(item),
      h('div', { class: 'replay' }, h('code', {}, summary.replay), copyButton('Copy', () => summary.replay),
        this.run.issue && copyButton('Copy for an issue', () => this.run.issue), ...this.fileLinks()));
  }

  /** Returns links to the other runs of the same case, and to the next and previous run of the suite. */
  siblings() {
    const runs = this.run.summary.case.runs;
    const chips = runs.length < 2 ? [] : runs.map((run) => h('a', {
      class: 'chip', href: runAddress(run), 'aria-current': run.number === this.run.number ? 'page' : null,
    }, verdictTag(run.verdict), run.world, runs.some((other) => other.seed !== run.seed) ? ` seed ${run.seed}` : ''));
    return h('nav', { class: 'siblings' }, ...chips, h('a', { class: 'chip', href: '#/' }, 'all cases'));
  }

  cause() {
    const { divergence, expectations, summary } = this.run;
    if (!divergence) return null;
    const cause = expectations[divergence.expectation];
    return h('div', { class: 'cause' },
      h('p', { class: 'why' }, cause.why ?? headingOf(cause)),
      cause.seen && h('p', { class: 'seen' }, cause.seen),
      h('ul', { class: 'context' },
        h('li', {}, h('b', {}, headingOf(cause)), ` ${cause.file ?? summary.case.file}:${cause.line}`),
        ...contextOf(this.run).map(([name, text]) => h('li', {}, h('b', {}, name), ` ${text}`)),
        cause.reported_only && h('li', {}, h('b', {}, 'based on'), ' the client\u2019s own reports, not on the wire')));
  }

  /** Returns links to the files next to the page: the trace and, if they were captured, the packets. */
  fileLinks() {
    const { trace, capture } = this.run.summary;
    return [trace, capture].filter(Boolean).map((path) => {
      const parts = path.split('/');
      // The prefix makes the link relative, so that it cannot refer to another scheme or host.
      const href = `./${parts.map(encodeURIComponent).join('/')}`;
      return h('a', { class: 'quiet', href, download: true }, parts.at(-1));
    });
  }

  tools() {
    const input = h('input', {
      type: 'search', id: 'find', placeholder: 'Find in names, keys, values', 'aria-label': 'Find events',
      oninput: () => this.find(input.value),
    });
    const { run } = this;
    const note = run.summary.has_no_trace ? 'its trace was not kept; --traces all keeps those of passing runs'
      : run.missing > 0 ? `${run.events.length.toLocaleString('en')} of ${count(run.count, 'event')} drawn; the trace has all`
        : count(run.count, 'event');
    const zoom = run.divergence === null ? [] : [
      h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.zoom() }, 'zoom to the failure')];
    this.zoomButton = zoom[0];
    const measured = run.events.filter((event) => isQuiet(run, event)).length;
    this.metricsButton = h('button', {
      type: 'button', id: 'metrics', 'aria-pressed': 'false',
      onclick: () => {
        this.lanes.showMetrics(!this.lanes.showsMetrics);
        this.metricsButton.setAttribute('aria-pressed', String(this.lanes.showsMetrics));
      },
    }, `show ${count(measured, 'metric')}`);
    return h('div', { class: 'toolbar' }, input, h('span', { class: 'note' }, note),
      measured > 0 && this.metricsButton, ...zoom);
  }

  zoom() {
    this.ribbons.zoom(!this.ribbons.isClose);
    this.zoomButton.setAttribute('aria-pressed', String(this.ribbons.isClose));
    const event = this.run.at.get(this.lanes.selected);
    if (event) this.ribbons.mark(event.time);
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    const matches = (event) => {
      const shown = describe(event);
      return [event.name, event.key ?? '', event.client ?? '', shown.said].join('\n').toLowerCase().includes(wanted);
    };
    this.lanes.find(wanted === '' ? null : matches);
  }

  select(place) {
    const event = this.run.at.get(place);
    if (!event) return;
    this.lanes.uncover(place);
    this.metricsButton.setAttribute('aria-pressed', String(this.lanes.showsMetrics));
    this.lanes.mark(place);
    this.lanes.show(this.lanes.rowOf.get(place));
    this.ribbons.mark(event.time);
    this.inspector.replaceChildren(inspector(this.run, event, (other) => this.select(other)));
    this.inspector.scrollTop = 0;
    remember(`#/run/${this.run.number}/${place}`);
  }

  selectNear(instant) {
    const rows = this.lanes.rows.filter((row) => row.kind === 'event');
    const row = rows.findLast((candidate) => candidate.time <= instant) ?? rows[0];
    if (row) this.select(row.event.place);
  }

  step(step) {
    const place = this.lanes.neighbour(step);
    if (place !== null) this.select(place);
  }

  /** Scrolls to the row of the divergence: the missed deadline or the event that caused the violation. */
  goToDivergence() {
    const { divergence, events } = this.run;
    if (!divergence) {
      this.ribbons.mark(0);
      return;
    }
    const shown = this.run.at.has(divergence.shown) ? divergence.shown : undefined;
    const place = divergence.event ?? shown
      ?? events.findLast((event) => event.time <= divergence.time && !event.name.startsWith('metrics.'))?.place;
    if (place !== undefined) this.select(place);
    const due = divergence.deadline ? this.lanes.rowOfDue(divergence.expectation) : undefined;
    if (due) {
      this.lanes.element.scrollTop = Math.max(0, due.top - this.lanes.element.clientHeight * 0.55);
    } else if (divergence.event === null) {
      this.lanes.element.scrollTop = this.lanes.element.scrollHeight;
    }
    this.lightSource(this.run.expectations[divergence.expectation]);
  }

  /**
   * Selects the latest displayed event of an expectation's evidence, and scrolls to the missed deadline if there is
   * one.
   */
  follow(expectation) {
    const due = this.lanes.rowOfDue(expectation.index);
    const place = expectation.evidence.findLast((candidate) => this.run.at.has(candidate));
    if (place !== undefined) this.select(place);
    if (due) this.lanes.show(due);
    this.lightSource(expectation);
  }

  lightSource(expectation) {
    this.source.querySelectorAll('.lit').forEach((line) => line.classList.remove('lit'));
    if (expectation.file !== undefined) return;
    const line = this.source.querySelector(`[data-line="${expectation.line}"]`);
    if (!line) return;
    line.classList.add('lit');
    reveal(this.source.querySelector('.code'), line.offsetTop, line.offsetHeight);
  }
}

/** Describes the state of the network at the time of the divergence. */
function contextOf(run) {
  const { divergence } = run;
  if (!divergence) return [];
  const facts = [];
  if (divergence.fault !== null) {
    const fault = run.faults[divergence.fault];
    const until = fault.to < 0 || fault.ended > divergence.time ? 'still on' : `until ${time(fault.ended)}`;
    const lasted = fault.ended === fault.began ? `at ${time(fault.began)}` : `from ${time(fault.began)}, ${until}`;
    facts.push(['last fault', `${faultTitle(fault)} ${lasted}`]);
  }
  const frame = ({ name, key, time: at }, prefix) => (
    `${name.slice(prefix.length)}${bracketed(key, true)} at ${time(at)}`
    + (at < divergence.time ? `, ${span(divergence.time - at)} before` : ''));
  if (divergence.received) facts.push(['last received', frame(divergence.received, 'client.received.')]);
  if (divergence.sent) {
    const lost = run.partner.get(divergence.sent.event)?.to === -1 ? ', never arrived' : '';
    facts.push(['last sent', frame(divergence.sent, 'client.sent.') + lost]);
  }
  if (divergence.doubt) facts.push(['note', divergence.doubt]);
  return facts;
}

/** Returns the heading of an expectation, as in the other reports. */
function headingOf(expectation) {
  return expectation.name === undefined ? expectation.word : `${expectation.name} (${expectation.word})`;
}

function lineOf(run, expectation) {
  const text = sourceOf(expectation.file ?? run.summary.case.file);
  return text?.split('\n')[expectation.line - 1]?.trim().replace(/^- /, '') ?? '';
}

function expectationsPane(run, onPick) {
  const order = [...run.expectations].sort((a, b) => (
    verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) || a.index - b.index));
  const met = run.expectations.filter((expectation) => expectation.verdict === 'pass').length;
  return h('section', { class: 'pane expectations', 'aria-label': 'Expectations' },
    h('h2', {}, 'Expected', h('small', {}, `${met} of ${run.expectations.length} met`)),
    h('ul', {}, ...order.map((expectation) => {
      const isInvariant = expectation.word.startsWith('invariant ');
      const line = isInvariant ? '' : lineOf(run, expectation);
      return h('li', { class: expectation.verdict },
        h('button', { type: 'button', onclick: () => onPick(expectation) },
          h('span', { class: 'mark' }, verdictTag(expectation.verdict),
            h('span', { class: 'word' }, expectation.word),
            !isInvariant && h('span', { class: 'line' }, `:${expectation.line}`)),
          expectation.name && h('span', { class: 'name' }, expectation.name),
          line && h('code', {}, line),
          expectation.verdict !== 'pass' && expectation.why && h('span', { class: 'why' }, expectation.why),
          expectation.seen && h('span', { class: 'why' }, expectation.seen),
          expectation.follows && h('span', { class: 'why' }, 'of the same cause'),
          expectation.covers.length > 0 && h('span', { class: 'covers' }, expectation.covers.join(' '))));
    })));
}

/** Displays the scenario file, with a symbol for the verdict at the line of each expectation. */
function sourcePane(run) {
  const text = sourceOf(run.summary.case.file);
  const judged = new Map();
  for (const expectation of run.expectations) {
    if (expectation.file !== undefined || expectation.word.startsWith('invariant ')) continue;
    const known = judged.get(expectation.line);
    if (!known || verdictOrder.indexOf(expectation.verdict) < verdictOrder.indexOf(known)) {
      judged.set(expectation.line, expectation.verdict);
    }
  }
  const lines = text === null ? [] : text.replace(/\n$/, '').split('\n').map((line, index) => {
    const verdict = judged.get(index + 1);
    return h('div', { class: `code-line ${verdict ?? ''}`, 'data-line': index + 1 },
      h('span', { class: 'number' }, index + 1), h('span', { class: 'sign' }, verdict ? verdicts[verdict].mark : ''),
      h('span', { class: 'text' }, ...yaml(line)));
  });
  return h('section', { class: 'pane source', 'aria-label': 'Scenario' },
    h('h2', {}, 'Scenario', h('small', {}, run.summary.case.file)),
    text === null ? h('p', { class: 'empty' }, 'Its text was not at hand.') : h('div', { class: 'code' }, ...lines));
}

/** Returns a line of YAML with syntax highlighting. */
function yaml(line) {
  const comment = /(^|\s)#.*$/.exec(line);
  const code = comment ? line.slice(0, comment.index) : line;
  const parts = [];
  let last = 0;
  for (const match of code.matchAll(/(?<=^[\s-]*|[{,]\s*)("[^"]*"|[\w.]+)(?=:(\s|$))/g)) {
    parts.push(code.slice(last, match.index), h('span', { class: 'yaml-key' }, match[0]));
    last = match.index + match[0].length;
  }
  parts.push(code.slice(last));
  if (comment) parts.push(h('span', { class: 'yaml-comment' }, line.slice(comment.index)));
  return parts;
}
