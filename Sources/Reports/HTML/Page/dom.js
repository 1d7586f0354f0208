'use strict';

// Everything that is shown is built here, out of text nodes: nothing from a run is ever parsed as HTML.

/** An element with attributes, listeners (`onclick`) and children; a child that is no node becomes text. */
function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function s(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(2)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

/** Scrolls a pane, and only that pane, until `top` stands a third below its upper edge. */
function reveal(pane, top, height) {
  const margin = 60;
  const isShown = top >= pane.scrollTop + margin && top + height <= pane.scrollTop + pane.clientHeight - margin;
  if (!isShown) pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
}

/** A button that copies what `text` gives, and says so. */
function copyButton(label, text) {
  const button = h('button', { type: 'button', class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    const done = await copy(text());
    button.textContent = done ? 'Copied' : 'Select and copy by hand';
    setTimeout(() => { button.textContent = label; }, 1600);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not every browser trusts a page from a file with the clipboard.
    const area = h('textarea', { class: 'offstage' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
