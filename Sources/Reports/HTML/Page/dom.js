'use strict';

// All elements are built here, with text nodes only: nothing from a run is ever parsed as HTML.

/** An element with attributes, listeners (`onclick`) and children; a child that is not a node becomes text. */
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

/** Scrolls a pane, and only that pane, until `top` is a third below its upper edge. */
function reveal(pane, top, height) {
  const margin = 60;
  const isShown = top >= pane.scrollTop + margin && top + height <= pane.scrollTop + pane.clientHeight - margin;
  if (!isShown) pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
}

/** A button that copies the result of `text` and confirms it. */
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
    // Some browsers deny a page from a file the use of the clipboard.
    const area = h('textarea', { class: 'offstage' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
