// Chooses the view and handles keys.

let view = null;

/** Updates the page's address to the current view without a new entry in the history. */
function remember(address) {
  if (location.hash !== address) history.replaceState(null, '', address);
}

function route() {
  const [, run, place] = /^#\/run\/(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
  const number = Number(run ?? NaN);
  view?.resizes.disconnect();
  view = null;
  if (number < suite.runs.length) {
    view = new RunView(number, place === undefined ? null : Number(place));
    byId('page').replaceChildren(view.element);
    document.title = `${verdicts[view.run.summary.verdict].word}: ${view.run.summary.case.title}`;
    view.appear();
  } else {
    readFilters(location.hash);
    byId('page').replaceChildren(suiteView());
    document.title = `${headline()[1]}: ${suite.title}`;
    applyFilters();
  }
}

function goToRun(step) {
  const runs = runsInOrder();
  const index = runs.findIndex((run) => run.number === view.run.number);
  const next = runs[index + step];
  if (next) location.hash = runAddress(next);
}

/** Moves among the cases of the list. */
function moveInList(step) {
  const links = [...document.querySelectorAll('.folder:not([hidden]) .case:not([hidden]) .name')];
  const index = links.indexOf(document.activeElement);
  const next = index < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, index + step));
  links[next]?.focus();
}

function firstFailure() {
  if (view) return view.goToDivergence();
  const first = runsInOrder().find((run) => run.verdict === 'fail' || run.verdict === 'inconclusive');
  if (first) location.hash = runAddress(first);
}

const keys = {
  j: () => (view ? view.step(1) : moveInList(1)),
  k: () => (view ? view.step(-1) : moveInList(-1)),
  f: firstFailure,
  n: () => view && goToRun(1),
  p: () => view && goToRun(-1),
  '/': () => byId('find')?.focus(),
  Escape: () => { if (view) location.hash = '#/'; },
};

document.addEventListener('keydown', (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  if (press.target instanceof HTMLInputElement) {
    if (press.key === 'Escape') press.target.blur();
    return;
  }
  const arrows = { ArrowDown: 'j', ArrowUp: 'k' };
  const isList = press.target instanceof Element && press.target.closest('.rows') !== null;
  const key = isList && Object.hasOwn(arrows, press.key) ? arrows[press.key] : press.key;
  if (!Object.hasOwn(keys, key)) return;
  press.preventDefault();
  keys[key]();
});

window.addEventListener('hashchange', route);
if (location.hash === '' && suite.runs.length === 1) history.replaceState(null, '', '#/run/0');
route();
