"""The page of `tuneproof report` in a real browser: quiet, self-contained, drawn, operable by keyboard, accessible.

Usage: page.test.py TUNEPROOF PROJECT [unittest arguments]
Skipped (77) where no Chromium is installed (Debian: chromium). axe-core, which checks accessibility, comes from PyPI into
.deps/axe in the version of scripts/versions.sh; its tests are skipped where it cannot.
"""

import gzip
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from browser import PATIENCE, Page, find_browser

sys.path.append(str(pathlib.Path(__file__).parents[2] / "scripts"))
from results_files import turned

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
RUN, OLD = MACHINE / "2026-11-21-1697d9f.json.gz", MACHINE / "2026-11-21-9756841.json.gz"
PRICES = max(MACHINE.glob("prices-*.json"))
TRACE = PROJECT / "tests/golden/optable/cpu_transformer.trace.json.gz"
NASTY = ["<script>window.hit = 1</script>", "</script><img src=x onerror='window.hit = 1'>", "\"double\" 'single' `back`",
         "\U0001f680 \u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 \u202eleft", "long" * 2560, "{{x}} ${window.hit = 1} &lt;b&gt;"]

if not find_browser():
    print("skipped: there is no Chromium (Debian: chromium)")
    sys.exit(77)


def axe_script():
    """axe-core's text, or None where it cannot be had."""
    wheel = re.search(r"^axe_wheel=(\S+)$", (PROJECT / "scripts/versions.sh").read_text(), re.M)[1]
    folder = PROJECT / ".deps" / wheel.replace("==", "-")
    script = folder / "axe_playwright_python/axe.min.js"
    if not script.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, wheel]
        if subprocess.run(pip, capture_output=True, timeout=300).returncode != 0:
            return None
    return script.read_text()


def block_of(file):
    return json.loads(gzip.decompress(file.read_bytes()))["tuneproof"]


def many_rows(rows, rounds):
    """A run of the same machine with so many rows of so many rounds, made from a real row."""
    content = {"context": {}, "benchmarks": [], "tuneproof": block_of(RUN)}
    block = content["tuneproof"]
    template, steps = block["pairs"][0], sorted({pair["step"] for pair in block["pairs"] + block["errors"]})
    columns = [(unit, form, 1e6 * (1 + 0.01 * math.sin(7 * unit + form))) for unit in range(rounds) for form in (0, 1)]
    samples = dict(zip(["round", "variant", "t_ns"], map(list, zip(*columns))))
    samples |= {column: [0] * len(columns) for column in ["pair", "quad", "slot", "bufset", "start_ns"]}
    samples["cpu_ns"] = [None] * len(columns)
    each_round = {"round_setup_ns": [1e6] * rounds, "round_switches": [0] * rounds}
    block["pairs"] = []
    del block["session"]["rows"]
    for number in range(rows):
        ratio = math.exp(math.sin(number) / (1 + number % 7))
        result = template["result"] | {"ratio": ratio, "ratio_ci": [ratio / 1.02, ratio * 1.02],
                                       "verdict": ["helps", "hurts", "no_effect", "inconclusive"][number % 4]}
        logs = [math.log(ratio) + 0.01 * math.sin(unit + number) for unit in range(rounds)]
        block["pairs"].append(template | {"id": f"{steps[number % len(steps)]}/point:{number}/device:cpu", "result": result,
                                          "step": steps[number % len(steps)], "samples": samples, "round_log_ratios": logs} | each_round)
    return content


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.page = Page(find_browser(), cls.folder / "profile")
        cls.addClassCleanup(cls.page.close)
        cls.whole = cls.report("whole.html", RUN, PRICES, "--trace", TRACE)
        cls.axe = axe_script()

    def setUp(self):
        self.page.size(1200)
        self.page.prefer("light")

    @classmethod
    def report(cls, name, *arguments):
        file = cls.folder / name
        said = subprocess.run([PROGRAM, "report", *map(str, arguments), "-o", file], capture_output=True, text=True, timeout=PATIENCE)
        assert said.returncode == 0, said.stderr
        return file

    def changed(self, name, change):
        content = json.loads(gzip.decompress(RUN.read_bytes()))
        del content["tuneproof"]["session"]["rows"]  # the plan: rows may then have other names
        change(content["tuneproof"])
        file = self.folder / (name + ".json")
        file.write_text(json.dumps(content))
        return self.report(name + ".html", file)

    def check_quiet(self, file):
        self.assertEqual(self.page.console, [])
        self.assertEqual([url for url in self.page.requests if url.split("#")[0] != file.as_uri()], [])

    def check_axe(self, where):
        if self.axe is None:
            self.skipTest("axe-core cannot be installed from PyPI")
        self.page.run(self.axe + ";0")
        found = self.page.run("axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.map("
                              "({id, nodes}) => id + ': ' + nodes.slice(0, 3).map(({html}) => html.slice(0, 200)).join(' | ')))")
        self.assertEqual(found, [], where)

    def marks(self, section):
        """How many points each chart of the section has."""
        return self.page.run(f"""[...document.querySelectorAll('section[id^="{section}-"] .chart')].map(chart =>
            chart.querySelectorAll('.role-mark.mark-symbol path').length)""")

    def focused(self):
        return self.page.run("document.activeElement.textContent")

    def test_a_real_run_asks_nothing_of_any_network_and_its_console_is_silent(self):
        self.page.open(self.whole)
        self.check_quiet(self.whole)

    def test_its_charts_have_a_point_for_what_was_measured(self):
        self.page.open(self.whole)
        pairs = block_of(RUN)["pairs"]
        published = self.page.run("pageData.runs[0].rows.filter(measured).flatMap(row => row.published_pairs).length")
        self.assertEqual(self.marks("steps"), [len(pairs) + published])
        rungs = [pair for pair in pairs if any(place["axis"] == "unit" for place in pair["at"])]
        epochs = self.page.run("ladders(pageData).map(({rows}) => rows.filter(row => secondsOfEpoch(row).length))"
                               ".filter(rows => rows.length >= 3).flat().flatMap(secondsOfEpoch).length")
        self.assertEqual(sum(self.marks("ladder")), 2 * len(rungs) + 2 * epochs)
        points = self.page.run("pageData.prices[0].curves.reduce((sum, {points}) => sum + points.length, 0)")
        self.assertEqual(sum(self.marks("prices")), points)
        bars = self.page.run("document.querySelectorAll('section[id^=\"diagnosis-\"] .role-mark.mark-rect path').length")
        self.assertEqual(bars, self.page.run("pageData.traces.flatMap(({verdict, op_table}) => [...regimes.filter("
                                             "([name]) => verdict.shares[name] > 0), ...op_table.slice(0, 12)]).length"))
        self.assertGreater(bars, 12)

    def test_what_lies_outside_of_the_recorded_steps_stands_below_the_verdict(self):
        self.page.open(self.whole)  # the recorder alone knows it: no trace tells
        leads = self.page.run("""(pageData.traces[0].traces[0].outside_steps = "75 % lies outside", showTraces(pageData),
            [...document.querySelectorAll('section[id^="diagnosis-"] .lead')].map(lead => lead.textContent))""")
        self.assertEqual(["75 % lies outside." in lead for lead in leads], [False, True], leads)

    def test_every_device_and_verdict_stands_there_in_words(self):
        self.page.open(self.whole)
        cells = self.page.run("[...document.querySelectorAll('section[id^=\"steps-\"] tbody tr:not(.remark)')].map(row => row.innerText)")
        self.assertTrue(all("CPU" in cell or "GPU" in cell for cell in cells if cell), cells)
        self.assertIn("none: nothing in this run was measured on a GPU",
                      self.page.run("document.querySelector('section[id^=\"machine-\"]').textContent"))  # folded

    def test_the_first_lines_name_machine_date_suite_and_disturbance(self):
        self.page.open(self.whole)
        lead = self.page.run("document.getElementById('summary').textContent")
        machine, session = block_of(RUN)["fingerprint"]["hard"]["machine"], block_of(RUN)["session"]
        for word in [machine["cpu_model"], session["started"][:10], "suite " + session["suite"], PRICES.name]:
            self.assertIn(word, lead)
        short = self.page.run("document.querySelector('section[id^=\"in-short-\"]').innerText")
        self.assertIn("involuntary switches", short)

    def test_what_is_to_be_said_of_a_row_stands_in_a_line_across_the_table(self):
        def flag(block):
            block["pairs"][0]["result"]["flags"] = ["carryover"]
        self.page.open(self.changed("flagged", flag))
        said = self.page.run("[...document.querySelectorAll('section[id^=\"steps-\"] tr')].slice(1, 3).map("
                             "row => [row.className, row.cells.length, row.innerText])")
        self.assertEqual([kind for kind, *_ in said], ["", "remark"])
        self.assertEqual(said[1][1], 1)
        self.assertIn("carryover: one side suffers more than the other", said[1][2])
        self.assertTrue(self.page.run("[...document.querySelectorAll('tr.remark > td')].every(cell => cell.colSpan > 9)"))

    def test_the_change_and_the_verdict_of_a_row_are_in_sight_on_a_narrow_screen(self):
        self.page.size(400)
        self.page.open(self.whole)
        self.assertTrue(self.page.run("""[...document.querySelectorAll('section[id^="steps-"] tbody tr:not(.remark)')].every(
            row => row.cells[1].querySelector(".verdict") && (!row.getClientRects().length || [row.cells[1], row.cells[2]].every(part =>
              part.getBoundingClientRect().right <= row.closest("table").parentElement.getBoundingClientRect().right + 1)))"""))

    def test_a_run_without_a_round_has_no_chart_and_says_what_disturbed_it(self):
        def no_rounds(block):
            block["session"]["rehearsal_other_cpu_share"] = 0.62
            block["rounds"], block["errors"] = [], []
            block["pairs"] = [pair | {"round_log_ratios": [], "round_setup_ns": [], "round_switches": [],
                                      "samples": {column: [] for column in pair["samples"]},
                                      "result": pair["result"] | {"verdict": "inconclusive", "rounds": 0, "ratio": None,
                                                                  "ratio_ci": None, "naive_ns": None, "optimized_ns": None}} for pair in block["pairs"]]
        file = self.changed("no_rounds", no_rounds)
        self.page.open(file)
        self.assertEqual(self.page.run("document.querySelectorAll('section[id^=\"steps-\"] :is(.chart, .key)').length"), 0)
        self.assertIn("Other programs took 62 % of the CPUs during the rehearsal",
                      self.page.run("document.querySelector('section[id^=\"in-short-\"]').innerText"))
        self.check_quiet(file)

    def test_a_chart_draws_the_times_that_its_table_says(self):
        self.page.open(self.whole)
        drawn, told = self.page.run("""(({rows}) => [
            ladderPoints(rows, false).filter(({form}) => form === "after").map(({seconds}) => timeText(seconds)),
            rows.map(row => timeText(row.naive * row.ratio))])(ladders(pageData).find(({rows}) => rows.length > 2))""")
        self.assertEqual(drawn, told)

    def test_a_price_is_drawn_as_a_rate_and_without_one_as_a_time(self):
        self.page.open(self.whole)
        rated, timed = self.page.run("""["memcpy", "allocate/malloc"].map(name => {
            const {curves, prices} = pageData.prices[0], curve = curves.find(({rows}) => rows === `prices/${name}/bytes:`);
            const drawn = {...curve, moved: movedPerByte(curve, prices)};
            return [...curve.points[0], drawnValue(drawn, ...curve.points[0])]; })""")
        self.assertAlmostEqual(rated[2], 1e-9 * rated[0] / rated[1])
        self.assertEqual(timed[2], timed[1])

    def test_a_price_counts_all_bytes_that_are_moved(self):
        self.page.open(self.whole)
        self.assertAlmostEqual(self.page.run("""(({curves, prices}) => movedPerByte(
            curves.find(({rows}) => rows.includes("/triad/")), prices))(pageData.prices[0])"""), 3)

    def test_no_line_ends_within_an_arrow(self):
        self.page.size(400)
        self.page.open(self.whole)
        bare = """[...document.querySelectorAll('td, li')].flatMap(cell => [...cell.childNodes])
            .filter(node => node.nodeType === Node.TEXT_NODE && node.data.includes('->')).map(node => node.data)"""
        self.assertEqual(self.page.run(bare), [])
        heights = self.page.run("[...document.querySelectorAll('.whole')].map(arrow => arrow.getClientRects().length)")
        self.assertGreater(len(heights), 10)
        self.assertLessEqual(max(heights), 1)

    def test_a_table_sorts_by_keyboard_alone(self):
        self.page.open(self.whole)
        self.page.run("document.querySelector('section[id^=\"steps-\"] th button').focus()")
        for title in ["Verdict", "Change [interval]", "From -> to", "From"]:
            self.page.press("Tab")
            self.page.wait(f"document.activeElement.textContent === {json.dumps(title)}")
        naive = "[...document.querySelectorAll('section[id^=\"steps-\"] table')][0].querySelectorAll('tbody tr:not(.remark)')"
        pairs = [turned(pair) for pair in block_of(RUN)["pairs"]]
        times = sorted(pair["result"]["naive_ns"] for pair in pairs)
        names = {pair["result"]["naive_ns"]: pair["id"].replace("/device:cpu", "") for pair in pairs}
        for order, state in [(times, "ascending"), (times[::-1], "descending")]:
            self.page.press("Enter", text="\r")
            self.page.wait(f"document.activeElement.parentElement.getAttribute('aria-sort') === '{state}'")
            self.assertEqual(self.page.run(f"[...{naive}].map(row => row.cells[0].textContent)"), [names[t] for t in order])
            self.assertIn(state, self.page.run("document.getElementById('said').textContent"))

    def test_the_samples_and_the_lesson_of_a_row_open_and_close_by_keyboard(self):
        self.page.open(self.whole)
        self.page.run("document.querySelector('section[id^=\"steps-\"] tbody button').focus()")
        name = self.focused()
        self.page.press("Enter", text="\r")
        self.page.wait("document.querySelectorAll('dialog[open] svg[aria-hidden=true]').length === 2")  # drawn
        rounds = len(block_of(RUN)["pairs"][0]["round_log_ratios"])
        self.assertEqual(self.page.run("[...document.querySelectorAll('dialog .chart')].map(chart =>"
                                       "chart.querySelectorAll('.role-mark.mark-symbol path').length)"), [rounds, 2 * rounds])
        self.assertIn("Read a value back once after the loop", self.page.run("document.querySelector('dialog pre').textContent"))
        self.check_axe("dialog")
        self.page.press("Escape")
        self.page.wait("!document.getElementById('evidence').open")
        self.page.wait(f"document.activeElement.textContent === {json.dumps(name)}")
        self.check_quiet(self.whole)

    def test_it_is_accessible_in_light_and_dark_wide_and_narrow(self):
        self.page.open(self.whole)
        self.page.run("document.querySelectorAll('details').forEach(each => each.open = true)")
        for width, scheme in [(1200, "light"), (1200, "dark"), (360, "light")]:
            self.page.size(width)
            self.page.prefer(scheme)
            self.check_axe(f"{width} {scheme}")

    def test_a_narrow_screen_scrolls_in_one_direction_only(self):
        self.page.size(360, 740)
        self.page.open(self.whole)
        self.assertTrue(self.page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        self.check_quiet(self.whole)

    def test_it_prints(self):
        self.page.open(self.whole)
        self.page.pdf(self.folder / "whole.pdf")
        self.assertTrue((self.folder / "whole.pdf").read_bytes().startswith(b"%PDF"))

    def test_tables_and_rounds_become_csv(self):
        self.page.open(self.whole)
        lines = self.page.run("roundsCsv(pageData.runs[0])").splitlines()
        pairs = block_of(RUN)["pairs"]
        self.assertEqual(len(lines), 1 + sum(len(pair["round_log_ratios"]) for pair in pairs))
        row, device, number, ratio, naive, *_ = lines[1].split(",")
        self.assertEqual(lines[0], "row,device,round,ratio,naive_seconds,naive_value,optimized_seconds,optimized_value,value_unit")
        self.assertEqual((row, device, number), (pairs[0]["id"], "cpu", "0"))
        self.assertAlmostEqual(float(ratio), math.exp(pairs[0]["round_log_ratios"][0]), places=4)
        self.assertGreater(float(naive), 3e-4)
        self.assertEqual(self.page.run("csvCell('=1+1')"), "'=1+1")
        self.assertEqual(self.page.run("csvCell('a \"b\", c')"), '"a ""b"", c"')

    def test_what_a_figure_decides_has_both_figures_in_their_unit_where_others_have_times(self):
        def memory(block):
            pair = block["pairs"][0]
            pair["metric"], pair["at"] = "first_figure", []
            pair["figures"] = [{"name": "peak memory", "unit": "MiB", "naive": 4, "optimized": 2}]
            pair["result"] |= {"naive_ns": 4e9, "ratio": 0.5}
            pair["samples"]["t_ns"] = [(4e9, 2e9)[variant] for variant in pair["samples"]["variant"]]
        self.page.open(self.changed("figure", memory))
        cells = self.page.run("[...document.querySelectorAll('section[id^=\"steps-\"] tbody tr')][0].innerText").split("\t")
        self.assertEqual([cell.replace("\u00a0", " ") for cell in cells[4:6]], ["4 MiB", "2 MiB"])
        self.assertRegex(self.page.run("roundsCsv(pageData.runs[0])").splitlines()[1], r",,4,,2,MiB$")
        csv = self.page.run("""(({runs: [run]}) => tableCsv(
            [{csv: {...valueCsv("from", "naive"), ...valueCsv("to", "optimized")}}], run.rows.slice(0, 1)))(pageData)""")
        self.assertEqual(csv.splitlines()[1], ",4,,2")

    def test_prices_of_another_machine_are_marked_wherever_they_stand(self):
        self.page.open(self.report("elsewhere.html", RUN, PROJECT / "results/h200/prices-2026-11-27-8d18999-copies.json.gz"))
        said = self.page.run("[...document.querySelectorAll('section > .warning')].map(({textContent}) => textContent)")
        self.assertEqual([text.startswith("These prices are not of the machine") for text in said], [True, True])

    def test_two_runs_side_by_side(self):
        file = self.report("against.html", RUN, "--against", OLD)
        self.page.open(file)
        self.assertEqual(self.marks("comparison"), [15])
        self.assertNotIn("nothing was measured", self.page.run("document.getElementById('main').textContent"))
        self.check_quiet(file)
        self.check_axe("comparison")

    def test_a_history_has_a_point_for_each_time_and_a_line_where_a_row_moved(self):
        database, files = self.folder / "h.sqlite", []
        for number in range(20):
            content = {"context": {}, "benchmarks": [], "tuneproof": block_of(RUN)}
            content["tuneproof"]["session"].update(id=f"s{number}", started=f"2026-01-{number + 1:02}T00:00:00+00:00")
            pairs = content["tuneproof"]["pairs"]
            for pair in pairs:  # one row becomes slower for good; all scatter a little
                factor = (1 + 0.002 * (number % 3)) * (1.2 if pair is pairs[0] and number >= 10 else 1)
                pair["result"]["optimized_ns"] *= factor
                pair["result"]["ratio"] *= factor
            files.append(self.folder / f"h{number}.json")
            files[-1].write_text(json.dumps(content))
        subprocess.run([PROGRAM, "history", "add", *files, "--db", database], check=True, capture_output=True, timeout=PATIENCE)
        page = self.report("history.html", "--history", database)
        self.page.open(page)
        self.page.wait("document.documentElement.dataset.charts === 'drawn'")
        self.assertEqual(self.marks("history")[0], 2 * 20)
        self.assertIn("+20.0\u00a0% slower", self.page.run("document.querySelector('section[id^=\"history-\"] svg').textContent"))
        self.check_quiet(page)
        self.check_axe("history")

    def test_whatever_a_name_holds_is_shown_as_text(self):
        def rename(block):
            for pair, text in zip(block["pairs"], NASTY):
                pair.update(id="a/" + text, step=text, published=text)
                pair["figures"] = [{"name": text, "unit": text, "naive": 1, "optimized": 2}]
                pair["at"] = [{"axis": "unit", "value": 0, "text": text}]
                pair["result"]["flags"] = [text]
            block["errors"][0].update(id="b/" + NASTY[0], message=NASTY[1])
            block["session"].update(device=NASTY[0])
            block["fingerprint"]["hard"]["machine"]["cpu_model"] = NASTY[3]
        file = self.changed("nasty", rename)
        self.page.size(360)
        self.page.open(file)
        for number, text in enumerate(NASTY):
            self.assertEqual(self.page.run(f"document.querySelectorAll('section[id^=\"steps-\"] tbody th')[{number}].textContent"),
                             "a/" + text.replace("\u202e", "?"))  # it would turn what follows around
        self.page.run("document.querySelector('section[id^=\"steps-\"] tbody button').click()")
        self.page.wait("document.querySelectorAll('dialog svg[aria-hidden=true]').length === 2")
        self.assertEqual(self.page.run("[window.hit === undefined, document.scripts.length, document.images.length]"), [True, 3, 0])
        self.assertTrue(self.page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        self.check_quiet(file)

    def test_2000_rows_of_56_rounds_stay_small_and_are_there_soon(self):
        results = self.folder / "many.json"
        results.write_text(json.dumps(many_rows(2000, 56)))
        file = self.report("many.html", results)
        self.assertLess(file.stat().st_size, 6e6)
        self.page.open(file)
        ready = self.page.run("performance.getEntriesByName('ready')[0].startTime")
        print(f"2,000 rows of 56 rounds: {file.stat().st_size / 1e6:.2f} MB, ready after {ready / 1e3:.2f} s")
        published = self.page.run("pageData.runs[0].rows.filter(measured).flatMap(row => row.published_pairs).length")
        self.assertEqual(sum(self.marks("steps")), 2000 + published)
        self.check_quiet(file)


if __name__ == "__main__":
    unittest.main()
