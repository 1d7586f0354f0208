// Selects the view for the URL, and handles keys.

let view = null;

/** Updates the page's URL for the current view without adding an entry to the browser's history. */
function remember(address) {
  if (location.hash !== address) history.replaceState(null, '', address);
}

/** Resolves when the view for the current URL has been drawn. */
let drawn = Promise.resolve();

const started = readSuite();

function route() {
  drawn = started.then(() => {
    if (location.hash === '' && suite.runs.length === 1) remember('#/run/0');
    return show(location.hash);
  }).catch((error) => byId('page').replaceChildren(dataFailure(error, 'the list')));
}

async function show(address) {
  const [, wanted, place] = /^#\/run\/(\d+)(?:\/(\d+))?$/.exec(address) ?? [];
  const summary = suite.runs[Number(wanted ?? NaN)];
  view?.resizes.disconnect();
  view = null;
  if (!summary) {
    readFilters(address);
    byId('page').replaceChildren(suiteView());
    document.title = `${headline()[1]}: ${suite.title}`;
    rememberList();
    return;
  }
  document.title = `${verdicts[summary.verdict].word}: ${summary.case.title}`;
  try {
    const run = await openRun(summary);
    // The user may have selected another view in the meantime.
    if (location.hash !== address) return;
    view = new RunView(run, place === undefined ? null : Number(place));
  } catch (error) {
    byId('page').replaceChildren(dataFailure(error));
    return;
  }
  byId('page').replaceChildren(view.element);
  view.appear();
}

function goToRun(step) {
  const runs = runsInOrder();
  const index = runs.findIndex((run) => run.number === view.run.number);
  const next = runs[index + step];
  if (next) location.hash = runAddress(next);
}

/** Moves the focus among the causes, folders and cases of the list. */
function moveInList(step) {
  const links = [...document.querySelectorAll('.causes .name, .folder [data-folder], .case .name')];
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
  if (suite === null || press.ctrlKey || press.metaKey || press.altKey) return;
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
route();
