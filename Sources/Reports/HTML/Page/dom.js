'use strict';

// All elements are created here, and all strings become text nodes, so that content from a run is never parsed as HTML.

/** Creates an element with attributes, listeners (`onclick`) and children. Children that are not nodes become text. */
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

/** Replaces the children of an element. */
function put(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

function byId(id) {
  return document.getElementById(id);
}

/**
 * If the given part of a pane's content is not visible, scrolls the pane until that part is a third below its upper
 * edge.
 */
function reveal(pane, top, height) {
  const margin = 60;
  const isShown = top >= pane.scrollTop + margin && top + height <= pane.scrollTop + pane.clientHeight - margin;
  if (!isShown) pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
}

/** Creates a button that copies the result of `text` to the clipboard and confirms it. */
function copyButton(label, text, key) {
  const button = h('button', { type: 'button', class: 'quiet' }, label, key && h('kbd', {}, key));
  button.addEventListener('click', async () => {
    const done = await copy(text());
    button.firstChild.data = done ? 'Copied' : 'Select and copy by hand';
    setTimeout(() => { button.firstChild.data = label; }, 1600);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Some browsers do not let a page that was opened from a file use the clipboard.
    const area = h('textarea', { class: 'offstage' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

function brand() {
  const mark = s('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    s('path', { d: 'M2 7.5h9.5a2.6 2.6 0 1 0-2.5-3.4' }), s('path', { d: 'M2 11h13.4a2.5 2.5 0 1 1-2.4 3.2' }),
    s('path', { d: 'M4.5 14.5h4.6a1.9 1.9 0 1 1-1.8 2.5' }));
  return h('a', { class: 'brand', href: '#/' }, mark, 'Squall');
}

function keyHint(...words) {
  const label = words.pop();
  return h('span', {}, ...words.map((key) => h('kbd', {}, key)), label);
}
