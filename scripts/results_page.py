#!/usr/bin/env python3
"""Writes README.md of a machine's folder in results/ from the files in that folder, and from nothing else.

Usage: scripts/results_page.py FOLDER [--check] [--allow-stand-in]

Every number names the commit that measured it. The newest file of each kind counts; older ones are listed.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import statistics
import sys

from results_files import ALLOW_STAND_IN, LADDER, BadFile, change_text, rate_text, read, table, time_text

OTHER_MACHINES = pathlib.Path(__file__).resolve().parent.parent / "prices/other_machines.tsv"
WORDS = {"helps": "faster", "no_effect": "same", "hurts": "slower", "inconclusive": "cannot tell"}
READINGS = {"helps": "too much", "no_effect": "agrees", "hurts": "too little", "inconclusive": "cannot tell"}
AMOUNTS = {"helps": "less", "no_effect": "same", "hurts": "more", "inconclusive": "cannot tell"}
EXPECTED = {"helps": "helps", "no effect": "no_effect", "hurts": "hurts"}  # as an outcome is written, as a verdict is


def machine_lines(run):
    machine = run.block["fingerprint"]["hard"]["machine"]
    software = run.block["fingerprint"]["hard"]["software"]
    gpu = machine.get("gpu")
    facts = [f"{machine['cpu_model']}, {machine['physical_cores']} cores, {machine['logical_cpus']} logical CPUs",
             f"{machine['memory_gib']} GiB of memory"]
    if machine.get("hypervisor"):
        facts.append("a virtual machine")
    facts.append(f"{gpu['name']}, compute capability {gpu['compute_capability']}" if gpu else "no GPU")
    facts.append(f"driver {software['driver'] or 'none'}")
    return ["; ".join(facts) + "."]


def software_text(run):
    software = run.block["fingerprint"]["hard"]["software"]
    return f"{software['libtorch']}, {software['cuda_runtime']}"


def row_name(pair):
    return pair["id"].removeprefix(pair["step"]).lstrip("/") or pair["device"]


def scatter(pair):
    """How far the rounds scatter, in percent: what half of them stay within (1.48 times the median distance from their
    median), and the standard deviation, which sees the tails as well."""
    values = pair.get("round_log_ratios") or []
    values = [value for value in values if value is not None]
    if len(values) < 2:
        return ""
    middle = statistics.median(values)
    robust = 1.4826 * statistics.median(abs(value - middle) for value in values)
    return f"{100 * robust:.1f} / {100 * statistics.stdev(values):.1f} %"


def amount_text(pair, nanoseconds):
    """In the unit of what judges the row: a time, a ratio of times or the row's first figure, which are kept as if in seconds."""
    if pair["metric"] == "p99_over_median":
        return f"{nanoseconds / 1e9:.2f} x"
    unit = pair["figures"][0]["unit"] if pair["metric"] == "first_figure" and pair.get("figures") else "s"
    if unit != "s":
        return f"{nanoseconds / 1e9:.3g} {unit}".rstrip()
    return time_text(nanoseconds)


def from_text(pair):
    return amount_text(pair, pair["result"]["naive_ns"])


def to_text(pair):
    """FROM with the change beside it, which is the median of the rounds' ratios."""
    result = pair["result"]
    return amount_text(pair, result["naive_ns"] * result["ratio"] if result.get("ratio") else result["optimized_ns"])


def sides(pair):
    """Files before 1.11 name the sides of no row, but for those that are turned."""
    return f" ({' -> '.join(pair['sides'])})" if "sides" in pair else ""


def row_lines(rows, title, published):
    """A line for each (run, pair)."""
    lines = [[title(pair) + sides(pair), pair["published"], from_text(pair), to_text(pair), change_text(pair["result"]), scatter(pair),
              verdict(pair), run.commit] for run, pair in rows]
    return table(["row", published, ">from", ">to", ">change [interval]", ">scatter", "verdict", "commit"], lines)


def ladder_lines(runs):
    """Each rung beside what was published for it on an A30."""
    rungs = [(run, pair) for run, pair in newest_rows(runs).values() if pair["step"].startswith(LADDER)]
    if not rungs:
        return ["No rung of the STGym ladder was measured here."]
    scales = sorted({run.session["options"].get("scale", "default (1 on a GPU, 1/256 on the CPU)") for run, _ in rungs})
    return [f"Scale: {', '.join(scales)}.", "",
            *row_lines(rungs, lambda pair: f"{pair['step'].removeprefix(LADDER)} {row_name(pair)}", "published (A30)")]


def tip_lines(runs):
    tips = [(run, pair) for run, pair in newest_rows(runs).values() if not pair["step"].startswith(LADDER)]
    if not tips:
        return ["No other row was measured here."]
    return row_lines(tips, lambda pair: pair["id"], "published")


def words_of(pair):
    """As the program words rows (harness/run/row_view.cpp)."""
    if compares_timers(pair):
        return READINGS
    return AMOUNTS if pair["metric"] in ("p99_over_median", "first_figure") else WORDS


def verdict(pair):
    """With its flags: why a row cannot tell, though its interval may lie beyond the change of interest, or what disturbed it."""
    word = pair["result"]["verdict"]
    why = ", ".join(pair["result"].get("flags", []))
    mark = " (contradicts its source)" if contradicts(pair) else ""
    return words_of(pair).get(word, word) + (f" ({why})" if why else "") + mark


def contradicts(pair):
    expected = EXPECTED.get(pair["expected"])
    return expected is not None and pair["result"]["verdict"] in EXPECTED.values() and pair["result"]["verdict"] != expected


def newest_rows(runs):
    """Each row of the newest file that measured it."""
    rows = {}
    for run in runs:
        for pair in run.pairs:
            rows[pair["id"]] = (run, pair)
    return rows


def compares_timers(pair):
    """A trap: its row says of a wrong timer that it reads too little or too much, not of a tip that it hurts."""
    return any(figure["name"] == "what the timer says" for figure in pair.get("figures", []))


def hurting_lines(runs):
    tips = [(run, pair) for run, pair in newest_rows(runs).values() if not compares_timers(pair)]
    hurting = [(run, pair) for run, pair in tips if pair["result"]["verdict"] == "hurts"]
    if not hurting:
        return [f"None of {len(tips)} measured rows."]
    hurting.sort(key=lambda entry: -entry[1]["result"]["ratio"])
    return [f"Of {len(tips)} measured rows {len(hurting)}:", "",
            *table(["row", "the source expects", ">change [interval]", "commit"],
                   [[pair["id"], expected_text(pair), change_text(pair["result"]), run.commit] for run, pair in hurting])]


def expected_text(pair):
    return words_of(pair).get(EXPECTED.get(pair["expected"]), "it depends")


def contradicting_lines(runs):
    rows = [(run, pair) for run, pair in newest_rows(runs).values() if contradicts(pair)]
    if not rows:
        return ["None."]
    return table(["row", "the source expects", "published", ">change [interval]", "commit"],
                 [[pair["id"] + sides(pair), expected_text(pair), pair["published"], change_text(pair["result"]), run.commit]
                  for run, pair in rows])


def commit_of_prices(path, content):
    said = re.search(r"\(([0-9a-f]{7,40}(?:-dirty)?)\)", str(content["context"].get("tuneproof", "")))
    return said[1] if said else "unknown"


def telling_first(rows, folder, most):
    """The prices that other machines are compared by, and some of the others, evenly taken."""
    lines = [line.split("\t") for line in OTHER_MACHINES.read_text().splitlines()]
    telling = {line[2] for line in lines if line[0] == folder.name}
    first = [row for row in rows if re.sub(r"/(real|manual|process)_time$", "", row[0]) in telling]
    others = [row for row in rows if row not in first]
    space = max(0, most - len(first))
    return first + [others[index * len(others) // space] for index in range(min(space, len(others)))]


def price_lines(prices, folder, most=30):
    if not prices:
        return ["Not measured here yet."]
    whole = [entry for entry in prices if not any(row.get("repetitions", 1) > 1 for row in entry[2]["benchmarks"])]
    units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    newest = {}  # each row of the newest list that has it: a list may be measured in parts
    for _, path, content in whole or prices:  # a list whose rows were repeated has fewer rows
        for row in content["benchmarks"]:
            if row.get("error_occurred") or "real_time" not in row or row.get("run_type") == "aggregate":
                continue
            rate = rate_text(row["bytes_per_second"]) if row.get("bytes_per_second") else ""
            newest[row["name"]] = (path, content, [row["name"], time_text(row["real_time"] * units[row["time_unit"]]), rate])
    rows = [row for _, _, row in newest.values()]
    shown = rows if len(rows) <= most else telling_first(rows, folder, most)
    said = f"{len(shown)} of {len(rows)} rows, the most telling first" if len(shown) < len(rows) else f"{len(rows)} rows"
    files = {path.name: commit_of_prices(path, content) for path, content, _ in newest.values()}
    return [f"From {' and '.join(f'[{name}]({name}), commit {commit}' for name, commit in files.items())}: {said}.", "",
            *table(["price", ">time", ">rate"], shown)]


def selftest_lines(selftests):
    if not selftests:
        return ["Not run here yet."]
    _, path, content = selftests[-1]
    proves = content["proves"]
    false, found = proves["false_claims"], proves["found"]
    return [f"Grade {proves['grade']}: {false['hits']} false claims in {false['trials']}; {found['hits']} of "
            f"{found['trials']} planted slowdowns found. From [{path.name}]({path.name}), commit {content['commit']}."]


def file_lines(runs):
    return table(["file", "started", "commit", "LibTorch, CUDA", "suite", ">rows measured", ">skipped or failed"],
                 [[f"[{run.path.name}]({run.path.name})", run.started, run.commit, software_text(run), run.session["suite"],
                   len(run.pairs), len(run.errors)] for run in reversed(runs)])


def page(folder, allow_stand_in):
    runs, selftests, prices = read(folder, allow_stand_in)
    if not runs:
        raise BadFile(f"{folder}: holds no results of tuneproof run")
    parts = [("The STGym ladder beside the A30's", ladder_lines(runs)), ("The rows that are slower", hurting_lines(runs)),
             ("The rows that contradict their sources", contradicting_lines(runs)),
             ("All other rows", tip_lines(runs)), ("Prices", price_lines(prices, folder.resolve())), ("Self-test", selftest_lines(selftests)), ("All runs", file_lines(runs))]
    lines = [f"# {folder.resolve().name}", "", *machine_lines(runs[-1]), "",
             "Written by `scripts/results_page.py` from the files of this folder; ../README.md says how to read a row. Each row is the"
             " newest that was measured here; rows of different commits may come from different hosts and cards of this kind, and from"
             " different LibTorches (All runs names them), so compare times within a commit. `scatter` is how far its rounds lie apart:"
             " what half of them stay within / the plain standard deviation."]
    for title, body in parts:
        lines += ["", f"## {title}", "", *body]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="a machine's, results/h200 for one")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the page differs")
    parser.add_argument(ALLOW_STAND_IN, action="store_true",
                        help="take files of the stand-in device (stand_in/), too; it tests this script")
    arguments = parser.parse_args()
    folder = arguments.folder
    try:
        text = page(folder, arguments.allow_stand_in)
        target = folder / "README.md"
        if arguments.check:
            same = target.exists() and target.read_text() == text
            if not same:
                print(f"tuneproof: {target} is not what its files say; run scripts/results_page.py {folder}",
                      file=sys.stderr)
            return 0 if same else 1
        target.write_text(text)
    except (BadFile, OSError) as error:
        print(f"tuneproof: {error}", file=sys.stderr)
        return 1
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        print(f"tuneproof: {folder}: a file lacks what the page shows, or has it otherwise: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
