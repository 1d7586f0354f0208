"""Plays the duties against the libraries of libraries.json, and writes one page with the verdicts.

usage: python report_card.py SQUALL [--only DRIVER ...] [--duty NAME ...] [--repeat N] [--out FOLDER] [--strict] [--herd]

The exit status is 1 if the verdicts of a duty that was played several times differ, if a library could not be run, or if
--strict does not accept a verdict; 2 for a wrong command line; 130 after an interruption, with a page of what was finished.
"""

import argparse
import collections
import concurrent.futures
import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import venv

here = pathlib.Path(__file__).parent
root = here.parent.parent
duties = sorted([*pathlib.Path("Scenarios/libraries").glob("*.yaml"), *(here / "duties").glob("*.yaml")],
                key=lambda file: file.stem)
catalogue = json.loads((here / "libraries.json").read_text())
# Times in seconds. The report card takes at most half an hour, and one herd test at most two and a half minutes.
HERDS_BEGIN_WITHIN = 27 * 60
LIBRARY_ENDS_WITHIN = 15 * 60
# A duty is judged by its own expectations and by these invariants, which state duties: a key in a URL, and an attempt to
# connect after the client was closed. The other invariants, such as honest_ui, judge what the driver reports.
DECISIVE = {"invariant no_secret_in_address", "invariant terminal_means_stop"}
STEPS = {"wait", "network", "server", "user", "device"}
# The `name` of an expectation in a scenario. If only this one failed, the duty was not put to the test.
FURTHER_ATTEMPT = "a further attempt"
words = {
    "pass": "pass", "fail": "fail", "unstable": "unstable", "none": "no promise", "idle": "no attempt", "inconclusive": "unclear",
    "skipped": "not applicable",
}


def prepared(driver):
    """The command of the driver, in an environment of its own with the pinned libraries; None if they cannot be installed."""
    folder, pins = pathlib.Path(".build/clients") / driver, here / f"{driver}.txt"
    if (here / driver / "Package.swift").exists():
        return built(folder, here / driver)
    stamp = folder / "installed.txt"
    is_node = (here / f"{driver}.js").exists()
    if not stamp.exists() or stamp.read_text() != pins.read_text():
        if not (unpacked if is_node else installed)(folder, pins):
            return None
        stamp.write_text(pins.read_text())
    if is_node:
        return f"env NODE_PATH={folder / 'usr/share/nodejs'} node {here / 'adapter.js'} {driver}"
    return f"{folder / 'bin/python'} {here / 'adapter.py'} {driver}"


def built(folder, package):
    """The command of a driver in Swift, which is built from its own package; None if it cannot be."""
    build = ["swift", "build", "--quiet", "--package-path", package, "--scratch-path", folder]
    if not shutil.which("swift") or subprocess.run(build).returncode:
        return None
    return str(folder / "debug/Driver")


def installed(folder, pins):
    """Whether the packages of PyPI could be installed."""
    venv.create(folder, with_pip=True, clear=True)
    return not subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "-r", pins]).returncode


def unpacked(folder, pins):
    """Whether there is Node, and the second pin, a package of Debian 12, could be downloaded. Nothing is installed."""
    if not all(map(shutil.which, ("node", "apt-get", "dpkg-deb"))):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    download = ["apt-get", "-qq", "download", "-o", "APT::Sandbox::User=root", pins.read_text().split()[1]]
    if subprocess.run(download, cwd=folder).returncode:
        return False
    return not subprocess.run(["dpkg-deb", "--extract", next(folder.glob("*.deb")), folder]).returncode


class Unplayable(Exception):
    """A library could not be run; the message is the reason."""


def inapplicable(library, duty):
    """Why a duty does not apply to the library; None if it does."""
    left_out = library.get("left_out", {})
    if library["returns"] == "application" and duty[0] not in library["promises"]:
        return "the library does not connect again by itself; the application does"
    return left_out.get("/".join(filter(None, duty)), left_out.get(duty[0]))


def ended(command, log, limit):
    """Runs a command with its standard error in a file, and returns its status; it is stopped after the limit."""
    with open(log, "w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        running.add(process)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            raise Unplayable(f"it had not ended after {limit / 60:.0f} minutes") from None
        finally:
            running.discard(process)


running = set()


def played(library, options):
    """The runs of all duties that apply by (duty, case); of repeated runs the first that did not pass."""
    folder = options.out / library["driver"]
    # Duties that apply to only one protocol are in a folder of their own.
    own = sorted((here / "duties" / library["driver"]).glob("*.yaml"))
    chosen = [file for file in duties + own if not options.duty or file.stem in options.duty]
    chosen = [file for file in chosen if not inapplicable(library, (file.stem, ""))]
    if not chosen:
        return {}
    client = f"{prepared(library['driver'])} {library.get('clock', 'wall')}"
    command = [options.squall, "run", *chosen, "--report", folder, "--jobs", "8", "--repeat", str(options.repeat),
               "--traces", "all", "--client", client]
    if "profile" in library:
        command += ["--profile", library["profile"]]
    results, log = folder / "results.json", options.out / f"{library['driver']}.log"
    results.unlink(missing_ok=True)
    status = ended(command, log, LIBRARY_ENDS_WITHIN * options.repeat)
    if status not in (0, 1, 2) or not results.exists():
        said = [line for line in log.read_text(errors="replace").splitlines() if not line.startswith("squall: played")]
        raise Unplayable(f"squall ended with status {status}" + (f": {said[-1]}" if said else ""))
    rounds = {}
    for number, run in enumerate(json.loads(results.read_text())["scenarios"]):
        link = f"{library['driver']}/index.html#/run/{number}"
        found = run | {"link": link, "trace": trace(options.out, folder, run)}
        rounds.setdefault((pathlib.Path(run["file"]).stem, run["case"] or ""), []).append(found)
    runs = [run for runs in rounds.values() for run in runs]
    if not any(connected(options.out, run) for run in runs):
        raise Unplayable(f"it never connected: {runs[0].get('cause', 'no reason was given')}")
    return {duty: summary(library, duty, runs) for duty, runs in rounds.items()}


def connected(out, run):
    """Whether the client was connected at least once, as far as the trace is there."""
    return not run["trace"] or '"server.sent.connected"' in (out / run["trace"]).read_text(errors="replace")


def trace(out, folder, run):
    """The address of a run's trace, relative to the page; None if there is none."""
    file = pathlib.Path(run["file"])
    case = "." + re.sub("[^A-Za-z0-9]+", "-", run["case"]) + "-*" if run["case"] else ""
    pattern = f"{str(file.with_suffix('')).lstrip('/')}{case}.seed{run['seed']}.*/trace.jsonl"
    return next((str(found.relative_to(out)) for found in sorted(folder.glob(pattern))), None)


def herd(library, options):
    """When each of fifty clients was back after all were dropped together, in seconds; and the link to the run."""
    folder = options.out / "herds" / library["driver"]
    command = [options.squall, "run", here / "herd.yaml", "--report", folder, "--traces", "all",
               "--client", prepared(library["driver"])]
    if "profile" in library:
        command += ["--profile", library["profile"]]
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    trace = next(folder.rglob("trace.jsonl"), None)
    events = map(json.loads, trace.read_text().splitlines()[1:]) if trace else []
    return returns(events), f"herds/{library['driver']}/index.html#/run/0"


def returns(events):
    """The times from the loss until each client was connected again, in seconds and in order."""
    lost, back = None, {}
    for event in events:
        if event.get("name") == "fault.began":
            lost = event["time"]
        elif event.get("name") == "server.sent.connected" and lost is not None:
            back.setdefault(event["client"], (event["time"] - lost) / 1e9)
    return sorted(back.values())


def spread(times):
    """When the first and the last of fifty clients were back, and the most of them within one second."""
    if not times:
        return "not measured"
    busiest = max(sum(start <= moment < start + 1 for moment in times) for start in times)
    missing = f", {50 - len(times)} did not return" if len(times) < 50 else ""
    return f"{times[0]:.1f} to {times[-1]:.1f} s{missing}; {busiest} in one second"


def judged(run):
    """The verdict on a duty and the part that decided it: an expectation, an invariant in DECISIVE, or a step."""
    if run["verdict"] not in ("fail", "inconclusive"):
        return run["verdict"], ""
    parts = [part for part in run["expectations"]
             if not part.get("word", "").startswith("invariant ") or part["word"] in DECISIVE]
    # A step, such as a wait, is named only if no expectation failed.
    parts.sort(key=lambda part: part.get("word") in STEPS)
    for verdict in ("fail", "inconclusive"):
        if found := [part for part in parts if part["verdict"] == verdict]:
            idle = verdict == "fail" and all(part.get("name") == FURTHER_ATTEMPT for part in found)
            named = found[0].get("name", found[0].get("word"))
            # A step alone, such as a wait before the fault, does not show that the duty was not kept.
            shown = "inconclusive" if found[0].get("word") in STEPS else verdict
            return "idle" if idle else shown, f"{named}: {found[0]['why']}" if named else found[0]["why"]
    if any(part["verdict"] == "pass" and part.get("word") not in STEPS for part in parts):
        return "pass", ""
    return run["verdict"], run.get("cause", "")


def summary(library, duty, runs):
    """What the card says about a duty: the verdict, why, and the rule or promise that it rests on."""
    verdicts = [judged(run) for run in runs]
    chosen = next((number for number, (verdict, _) in enumerate(verdicts) if verdict != "pass"), 0)
    run, (verdict, why) = runs[chosen], verdicts[chosen]
    case = "/".join(filter(None, duty))
    promises = catalogue["rules"] | library["promises"]
    basis = promises.get(case, promises.get(duty[0]))
    counts = collections.Counter(verdict for verdict, _ in verdicts)
    reason = None
    if left_out := inapplicable(library, duty):
        verdict, why = "skipped", left_out
    elif len(counts) > 1:
        verdict = "unstable"
        why = f"of {len(runs)} runs {', '.join(f'{count} {words[word]}' for word, count in counts.items())}: {why}"
    elif verdict == "fail" and not basis:
        verdict = "none"
        reasons = catalogue["no_promise"] | library.get("no_promise", {})
        reason = reasons.get(case, reasons.get(duty[0], "neither a standard nor the library's documentation says so"))
    title = run["name"] + (f" ({duty[1]})" if duty[1] else "")
    scripts = library.get("scripts", {})
    return {
        "name": run["name"], "title": title, "verdict": verdict, "why": why, "basis": basis, "reason": reason,
        "link": run["link"], "trace": run.get("trace"), "file": run.get("file", ""),
        "script": scripts.get(case, scripts.get(duty[0])),
        "tracker": library.get("trackers", {}).get(duty[0], "the tracker was not searched"),
    }


def pinned(library):
    """The library's name and version."""
    pins = (here / f"{library['driver']}.txt").read_text().split()
    pin = next((pin for pin in pins if pin.startswith(f"{library['name']}==")), library["name"])
    return pin.replace("==", " ") + (f", {library['variant']}" if "variant" in library else "")


def finding(library, found):
    """A duty that was not kept, in words, with what is needed to check it."""
    text = html.escape
    file = pathlib.Path(found["file"])
    links = [f"scenario {text(str(file.relative_to(root) if file.is_relative_to(root) else file))}"]
    if found["trace"]:
        links.append(f'<a href="{text(found["trace"])}">trace</a>')
    script = found["script"]
    links.append(f"without Squall: Examples/clients/{text(script)}" if script else "no script without Squall")
    links.append(text(found["tracker"]))
    rests = f"Rests on: {text(found['basis'])}. " if found["basis"] else ""
    rests = f"No promise: {text(found['reason'])}. " if found["reason"] else rests
    return (f"<li class={found['verdict']}><b>{text(pinned(library))}</b>, {words[found['verdict']]}: "
            f"{text(found['title'])}. <code>{text(found['why'])}</code><small>{rests}{'; '.join(links)}.</small>")


def page(libraries, cards, herds, unplayable={}):
    """The table, with duties down and libraries across, and the returns of the herds by driver; then each failure in words."""
    text = html.escape
    heads = "".join(
        f'<th scope=col><a href="{text(library["source"])}">{text(pinned(library))}</a>'
        + ("<small>the application connects again</small>" if library["returns"] == "application" else "")
        + (f"<small>could not be run: {text(unplayable[library['driver']])}</small>" if library["driver"] in unplayable else "")
        + "</th>" for library in libraries)
    rows, findings, titles = [], [], set()
    shared = {file.stem for file in duties}
    for duty in dict.fromkeys(duty for card in cards for duty in card):
        cells = []
        for library, card in zip(libraries, cards):
            found = card.get(duty)
            if not found:
                reason = duty[0] in shared and library["driver"] not in unplayable and inapplicable(library, duty)
                cells.append(f'<td class=skipped title="{text(reason)}">{words["skipped"]}</td>' if reason else "<td></td>")
                continue
            verdict = found["verdict"]
            title = text(found["reason"] or found["why"] or found["basis"] or "kept, although nothing promises it")
            cells.append(f'<td class={verdict}><a href="{found["link"]}" title="{title}">{words[verdict]}</a></td>')
            if verdict not in ("pass", "skipped"):
                findings.append(finding(library, found))
        # The rows of a duty's cases follow the row with the duty's name.
        name = next(card[duty]["name"] for card in cards if duty in card)
        if duty[1] and name not in titles:
            rows.append(f"<tr><th scope=row>{text(name)}</th><td colspan={len(cards)}></td></tr>")
        titles.add(name)
        label = f"<th scope=row class=case>{text(duty[1])}</th>" if duty[1] else f"<th scope=row>{text(name)}</th>"
        rows.append(f"<tr>{label}{''.join(cells)}</tr>")
    if herds:
        cells = [f'<td class=figure><a href="{link}">{spread(times)}</a></td>' if times is not None else "<td></td>"
                 for times, link in (herds.get(library["driver"], (None, "")) for library in libraries)]
        label = "Fifty clients that are dropped together are back after"
        rows.append(f"<tr><th scope=row>{label}</th>{''.join(cells)}</tr>")
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Report card</title><style>{(here / 'report_card.css').read_text()}</style>"
        f"<h1>Reconnecting clients on a bad network</h1>"
        f"<p>Each cell is the verdict on one library as its documentation shows it, judged from what passed on the wire. "
        f"<i>No promise</i>: the library behaves otherwise, and neither its documentation nor a standard says that it should "
        f"not. <i>No attempt</i>: the library made no further attempt, so that the duty was not put to the test. A click opens "
        f"the report of the run, which may also show an invariant that judges the driver and does not count here. Times for "
        f"which a finding names no standard and no promise are ours.</p><div><table><tr><td></td>{heads}</tr>{''.join(rows)}</table></div>"
        f"<h2>What was found</h2><ul>{''.join(findings) or '<li>Nothing.</li>'}</ul>")


def refused(cards):
    """The verdicts that a strict card does not accept."""
    return [found for card in cards for found in card.values() if found["verdict"] not in ("pass", "skipped")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("squall")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--duty", nargs="*", default=[])
    parser.add_argument("--repeat", type=int, default=1, help="play each duty so many times")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(".build/report-card"))
    parser.add_argument("--herd", action="store_true", help="also measure the return of fifty clients of each library")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 unless every duty is kept")
    options = parser.parse_args()
    for option, given, known in (
            ("--only", options.only, {one["driver"] for one in catalogue["libraries"]}),
            ("--duty", options.duty, {file.stem for file in [*duties, *(here / "duties").rglob("*.yaml")]})):
        if unknown := sorted(set(given) - known):
            parser.error(f"{option}: unknown: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    if not shutil.which(options.squall):
        parser.error(f"no program {options.squall}; build it with 'swift build --product squall'")
    begun = time.monotonic()
    libraries = [one for one in catalogue["libraries"] if not options.only or one["driver"] in options.only]
    options.out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        commands = list(pool.map(prepared, [library["driver"] for library in libraries]))
    for library, command in zip(libraries, commands):
        if not command:
            print(f"report card: without {pinned(library)}, whose packages cannot be downloaded")
    libraries = [library for library, command in zip(libraries, commands) if command]
    if not libraries:
        print("report card: skipped, for no library can be downloaded")
        return 0 if options.strict else 2
    cards, unplayable, interrupted = {}, {}, False
    # The clients mostly wait, so four libraries can be tested at a time without slowing each other down.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = {library["driver"]: pool.submit(played, library, options) for library in libraries}
        try:
            for library in libraries:
                try:
                    card = cards[library["driver"]] = futures[library["driver"]].result()
                except Unplayable as error:
                    unplayable[library["driver"]] = str(error)
                    print(f"{pinned(library):40} could not be run: {error}", flush=True)
                    continue
                verdicts = [words[found["verdict"]] for found in card.values()]
                counts = ", ".join(f"{verdicts.count(word)} {word}" for word in words.values() if word in verdicts)
                print(f"{pinned(library):40} {counts or 'no duty applies'}", flush=True)
        except KeyboardInterrupt:
            interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                process.send_signal(signal.SIGINT)
    for driver, future in futures.items():
        # Of the libraries behind the one that was waited for, some had finished.
        if interrupted and driver not in cards and future.done() and not future.cancelled() and not future.exception():
            cards[driver] = future.result()
    if interrupted:
        libraries = [library for library in libraries if library["driver"] in cards or library["driver"] in unplayable]
    cards = [cards.get(library["driver"], {}) for library in libraries]
    herds = {}
    # The herd tests run one at a time, because fifty clients that reconnect keep the machine busy. On a slow machine,
    # only some libraries are measured.
    for library in libraries if options.herd and not interrupted else []:
        measured = library["driver"] not in unplayable and library["returns"] == "library"
        if measured and time.monotonic() - begun < HERDS_BEGIN_WITHIN:
            herds[library["driver"]] = herd(library, options)
            print(f"{pinned(library):40} fifty are back after {spread(herds[library['driver']][0])}", flush=True)
    (options.out / "index.html").write_text(page(libraries, cards, herds, unplayable))
    print(f"report card: {options.out / 'index.html'}" + (", interrupted" if interrupted else ""))
    if interrupted:
        return 130
    for found in refused(cards) if options.strict else []:
        print(f"not kept: {found['title']}: {found['why']}")
    unstable = [(library, found) for library, card in zip(libraries, cards) for found in card.values()
                if found["verdict"] == "unstable"]
    for library, found in unstable:
        print(f"unstable: {pinned(library)}: {found['title']}: {found['why']}")
    return 1 if unstable or unplayable or options.strict and refused(cards) else 0


if __name__ == "__main__":
    try:
        status = main()
        sys.stdout.flush()
    except OSError as error:
        print(f"report card: {error}", file=sys.stderr)
        # Whatever is left in the buffer cannot be written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
