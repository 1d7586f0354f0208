// A failure as text, to paste into an issue.

/** The largest number of arrows in a diagram; more would be unreadable. */
const diagramLimit = 40;

function issueText(run) {
  const { summary, divergence } = run;
  const item = summary.case;
  const lines = [`**${verdicts[summary.verdict].word.toUpperCase()}** ${item.title}`];
  if (divergence) {
    const cause = run.expectations[divergence.expectation];
    lines.push('', `${headingOf(cause)} (${item.file}:${cause.line}): ${cause.why ?? ''}`);
    if (cause.seen) lines.push('', cause.seen);
  }
  lines.push('', ...contextOf(run).map(([name, text]) => `- ${name}: ${text}`));
  lines.push('', '```', summary.replay, '```', '', `digest ${summary.digest}, ${summary.tool}`);
  const near = around(run);
  lines.push('', '```', ...near.map((event) => {
    const value = describe(event).said;
    return `${time(event.time).padStart(10)}  ${fullName(event)}${value ? `  ${value}` : ''}`;
  }), '```', '', '```mermaid', ...diagram(run, near), '```');
  return lines.join('\n');
}

/**
 * The events from shortly before the last fault to shortly after the divergence, and what decided the verdict.
 *
 * When there are too many, the deciding ones are kept first, then what the scenario did, then frames, and of each kind
 * those nearest to the divergence.
 */
function around(run) {
  if (!run.divergence) return run.events.slice(0, diagramLimit);
  const { divergence } = run;
  const [from, to] = closeUp(run);
  const decisive = new Set([divergence.event, divergence.shown, divergence.sent?.event, divergence.received?.event,
    ...run.expectations[divergence.expectation].evidence]);
  const rank = (event) => {
    if (decisive.has(event.place)) return 0;
    if (event.by === 'injected' || event.name === 'connection.state') return 1;
    if (event.name.startsWith('metrics.')) return 4;
    return event.change > 0 ? 3 : 2;
  };
  // The values that every observable has at the start say nothing about the failure.
  const isNear = (event) => event.time >= from && event.time <= to && !(event.change > 0 && event.time === 0);
  return run.events.filter((event) => decisive.has(event.place) || isNear(event))
    .sort((a, b) => (
      rank(a) - rank(b) || Math.abs(a.time - divergence.time) - Math.abs(b.time - divergence.time)
      || a.place - b.place))
    .slice(0, diagramLimit)
    .sort((a, b) => a.place - b.place);
}

function diagram(run, events) {
  const people = ['U', 'C', 'N', 'S'];
  // In Mermaid, semicolons and hashes end a line.
  const plain = (text) => cut(text.replace(/[^\w .,:()[\]=-]/g, ' '), 60);
  const lines = ['sequenceDiagram', ...lanes.map((name, lane) => `  participant ${people[lane]} as ${name}`)];
  for (const event of events) {
    const shown = describe(event);
    const text = plain(`${shown.name}${bracketed(shown.key)} ${shown.kind === 'frame' ? '' : shown.said}`);
    const arrow = run.partner.get(event.place);
    if (arrow?.to === event.place) continue;
    if (arrow) {
      const [from, to] = shown.lane === 1 ? ['C', 'S'] : ['S', 'C'];
      lines.push(arrow.to === -1 ? `  ${from}-xN: ${text}` : `  ${from}->>${to}: ${text}`);
    } else {
      lines.push(`  Note over ${people[shown.lane]}: ${time(event.time)} ${text}`);
    }
  }
  return lines;
}

/** What the network had done by the time of the divergence. */
function contextOf(run) {
  const { divergence } = run;
  if (!divergence) return [];
  const facts = [];
  if (divergence.fault !== null) {
    const fault = run.faults[divergence.fault];
    const until = fault.to < 0 || fault.ended > divergence.time ? 'still on' : `until ${time(fault.ended)}`;
    const lasted = fault.ended === fault.began ? `at ${time(fault.began)}` : `from ${time(fault.began)}, ${until}`;
    facts.push(['last fault', `${faultName(fault)} ${lasted}`]);
  }
  const frame = ({ name, key, time: at }, prefix) => (
    `${name.slice(prefix.length)}${bracketed(key, true)} at ${time(at)}`
    + (at < divergence.time ? `, ${span(divergence.time - at)} before` : ''));
  if (divergence.received) facts.push(['last received', frame(divergence.received, 'client.received.')]);
  if (divergence.sent) {
    const lost = run.partner.get(divergence.sent.event)?.to === -1 ? ', never arrived' : '';
    facts.push(['last sent', frame(divergence.sent, 'client.sent.') + lost]);
  }
  return facts;
}
