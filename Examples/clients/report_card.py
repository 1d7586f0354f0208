"""Plays the duties against the libraries of libraries.json, and writes one page with the verdicts.

usage: python report_card.py SQUALL [--only DRIVER ...] [--duty NAME ...] [--repeat N] [--out FOLDER] [--strict] [--herd]

The exit status is 1 if the verdicts of a duty that was played several times differ, or if --strict does not accept a verdict.
"""

import argparse
import collections
import concurrent.futures
import html
import json
import pathlib
import shutil
import subprocess
import sys
import time
import venv

here = pathlib.Path(__file__).parent
duties = sorted([*pathlib.Path("Scenarios/libraries").glob("*.yaml"), *(here / "duties").glob("*.yaml")],
                key=lambda file: file.stem)
catalogue = json.loads((here / "libraries.json").read_text())
# Times in seconds. The report card takes at most half an hour, and one herd test at most two and a half minutes.
HERDS_BEGIN_WITHIN = 27 * 60
words = {
    "pass": "pass", "fail": "fail", "unstable": "unstable", "none": "no promise", "inconclusive": "unclear",
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


def played(library, options):
    """The runs of all duties by (duty, case); of repeated runs the first that did not pass."""
    folder = options.out / library["driver"]
    # Duties that apply to only one protocol are in a folder of their own.
    own = sorted((here / "duties" / library["driver"]).glob("*.yaml"))
    chosen = [file for file in duties + own if not options.duty or file.stem in options.duty]
    if not chosen:
        return {}
    client = f"{prepared(library['driver'])} {library.get('clock', 'wall')}"
    command = [options.squall, "run", *chosen, "--report", folder, "--jobs", "8", "--repeat", str(options.repeat),
               "--traces", "all", "--client", client]
    if "profile" in library:
        command += ["--profile", library["profile"]]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"report card: {library['name']}: squall ended with status {done.returncode}")
    rounds = {}
    for number, run in enumerate(json.loads((folder / "results.json").read_text())["scenarios"]):
        link = f"{library['driver']}/index.html#/run/{number}"
        rounds.setdefault((pathlib.Path(run["file"]).stem, run["case"] or ""), []).append(run | {"link": link})
    return {duty: summary(library, duty, runs) for duty, runs in rounds.items()}


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


def summary(library, duty, runs):
    """What the card says about a duty: the verdict, why, and the rule or promise that it rests on."""
    run = next((run for run in runs if run["verdict"] != "pass"), runs[0])
    why = next((part["why"] for part in run["expectations"] if part["verdict"] == run["verdict"] != "pass"), "")
    case = "/".join(filter(None, duty))
    promises = catalogue["rules"] | library["promises"]
    basis = promises.get(case, promises.get(duty[0]))
    verdict = run["verdict"]
    counts = collections.Counter(run["verdict"] for run in runs)
    left_out = library.get("left_out", {})
    if library["returns"] == "application" and duty[0] not in library["promises"]:
        verdict = "skipped"
    elif reason := left_out.get(case, left_out.get(duty[0])):
        verdict, why = "skipped", reason
    elif len(counts) > 1:
        verdict = "unstable"
        why = f"of {len(runs)} runs {', '.join(f'{count} {words[word]}' for word, count in counts.items())}: {why}"
    elif verdict == "fail" and not basis:
        verdict = "none"
    title = run["name"] + (f" ({duty[1]})" if duty[1] else "")
    return {"name": run["name"], "title": title, "verdict": verdict, "why": why, "basis": basis, "link": run["link"]}


def pinned(library):
    """The library's name and version."""
    pins = (here / f"{library['driver']}.txt").read_text().split()
    pin = next((pin for pin in pins if pin.startswith(f"{library['name']}==")), library["name"])
    return pin.replace("==", " ") + (f", {library['variant']}" if "variant" in library else "")


def page(libraries, cards, herds):
    """The table, with duties down and libraries across, and the returns of the herds by driver; then each failure in words."""
    text = html.escape
    heads = "".join(
        f'<th scope=col><a href="{text(library["source"])}">{text(pinned(library))}</a>'
        + ("<small>the application connects again</small>" if library["returns"] == "application" else "") + "</th>"
        for library in libraries)
    rows, findings, titles = [], [], set()
    for duty in dict.fromkeys(duty for card in cards for duty in card):
        cells = []
        for library, card in zip(libraries, cards):
            found = card.get(duty)
            if not found:
                cells.append("<td></td>")
                continue
            verdict, why, basis = found["verdict"], found["why"], found["basis"]
            title = text(why or basis or "no promise, and kept all the same")
            cells.append(f'<td class={verdict}><a href="{found["link"]}" title="{title}">{words[verdict]}</a></td>')
            if verdict in ("fail", "unstable", "none", "inconclusive"):
                known = f"<small>Rests on: {text(basis)}.</small>" if basis else ""
                findings.append(f"<li class={verdict}><b>{text(pinned(library))}</b>, {words[verdict]}: "
                                f"{text(found['title'])}. <code>{text(why)}</code>{known}</li>")
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
        f"not. A click opens the report of the run.</p><div><table><tr><td></td>{heads}</tr>{''.join(rows)}</table></div>"
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
    cards = []
    # The clients mostly wait, so four libraries can be tested at a time without slowing each other down.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for library, card in zip(libraries, pool.map(lambda library: played(library, options), libraries)):
            cards.append(card)
            verdicts = [words[found["verdict"]] for found in card.values()]
            counts = ", ".join(f"{verdicts.count(word)} {word}" for word in words.values() if word in verdicts)
            print(f"{pinned(library):40} {counts}", flush=True)
    herds = {}
    # The herd tests run one at a time, because fifty clients that reconnect keep the machine busy. On a slow machine,
    # only some libraries are measured.
    for library in libraries if options.herd else []:
        if library["returns"] == "library" and time.monotonic() - begun < HERDS_BEGIN_WITHIN:
            herds[library["driver"]] = herd(library, options)
            print(f"{pinned(library):40} fifty are back after {spread(herds[library['driver']][0])}", flush=True)
    (options.out / "index.html").write_text(page(libraries, cards, herds))
    print(f"report card: {options.out / 'index.html'}")
    for found in refused(cards) if options.strict else []:
        print(f"not kept: {found['title']}: {found['why']}")
    unstable = [(library, found) for library, card in zip(libraries, cards) for found in card.values()
                if found["verdict"] == "unstable"]
    for library, found in unstable:
        print(f"unstable: {pinned(library)}: {found['title']}: {found['why']}")
    return 1 if unstable or options.strict and refused(cards) else 0


if __name__ == "__main__":
    sys.exit(main())
