"""The workflow files of scripts/ci: they parse, what they start exists, and its commands run.

Usage: ci.test.py TUNEPROOF PROJECT. Exits with 77 where PyYAML is missing.
"""

import gzip
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
RESULTS = PROJECT / "results" / "cpu-amd-epyc-2-cores" / "2026-11-21-9756841.json.gz"

try:
    import yaml
except ModuleNotFoundError:
    print("skipped: PyYAML is missing; scripts/setup.sh installs it")
    sys.exit(77)


def github():
    workflow = yaml.safe_load((PROJECT / "scripts/ci/github.yml").read_text())
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            yield from step.get("run", "").splitlines()


def gitlab():
    for job in yaml.safe_load((PROJECT / "scripts/ci/gitlab.yml").read_text()).values():
        if isinstance(job, dict):
            yield from job.get("script", [])


def jenkins():
    for line in (PROJECT / "scripts/ci/Jenkinsfile").read_text().splitlines():
        if line.strip().startswith("build/tuneproof"):
            yield line.strip()


def own(kind):
    """All lines of a template for somebody else's project."""
    jobs = yaml.safe_load((PROJECT / f"scripts/ci/own_{kind}.yml").read_text())
    if kind == "github":
        return [line for job in jobs["jobs"].values() for step in job["steps"] for line in step.get("run", "").splitlines()]
    return [line for job in jobs.values() if isinstance(job, dict) for part in ("before_script", "script") for line in job.get(part, [])]


class Workflows(unittest.TestCase):
    def commands(self, lines):
        """The program's own commands, and a check of every script that is started."""
        found = []
        for line in lines:
            words = shlex.split(line)
            if words and words[0].endswith("build/tuneproof"):
                found.append(words[1:])
            elif words and "scripts/" in words[0]:
                script = words[0][words[0].index("scripts/"):]
                self.assertTrue((PROJECT / script).exists(), script)
        return found

    def run_all(self, commands):
        """Runs them in order; what measures only plans, since measuring is another test's business."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "head.json").write_bytes(gzip.decompress(RESULTS.read_bytes()))
            for place in ["base", "head", "."]:
                (pathlib.Path(folder) / place).mkdir(exist_ok=True)
                (pathlib.Path(folder) / place / "build").symlink_to(pathlib.Path(PROGRAM).parent)
            for words in commands:
                if words[0] == "run" or "--base" in words:
                    words = [*words, "--dry-run"]
                said = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120)
                self.assertEqual(said.returncode, 0, (words, said.stderr))
            return {path.name for path in pathlib.Path(folder).iterdir()}

    def test_GitHub(self):
        commands = self.commands(github())
        self.assertIn("--base", commands[-1])
        self.run_all(commands)

    def test_GitLab(self):
        files = self.run_all(self.commands(gitlab()))
        self.assertIn("history.sqlite", files)

    def test_Jenkins(self):
        commands = self.commands(jenkins())
        self.assertEqual(len(commands), 1)
        self.run_all(commands)

    def test_on_shared_runners_all_of_them_count(self):
        for lines in [github(), gitlab(), jenkins()]:
            gates = [words for words in self.commands(lines) if "--base" in words]
            self.assertEqual([words[words.index("--count") + 1] for words in gates], ["instructions"])

    def test_those_for_other_projects_have_the_lines_of_the_page_and_options_that_are_there(self):
        page = (PROJECT / "docs/own_tip.md").read_text()
        self.assertTrue((PROJECT / "scripts/build.sh").exists())
        for kind in "github", "gitlab":
            lines = own(kind)
            self.assertIn("tuneproof/scripts/build.sh library", "\n".join(lines))
            gates = [shlex.split(line) for line in lines if " compare " in line or " versus " in line]
            self.assertEqual([words[1] for words in gates], ["compare", "versus"])
            for program, command, *words in gates:
                self.assertIn(pathlib.Path(program).name + " " + command, page)
                text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, timeout=60).stdout
                for word in words:
                    if word.startswith("--"):
                        self.assertIn(word, text)
                self.assertIn("instructions", words)

    def test_reports_are_kept_where_a_gate_fails_too(self):
        for file in ("github.yml", "own_github.yml"):
            for job in yaml.safe_load((PROJECT / "scripts/ci" / file).read_text())["jobs"].values():
                gate, kept = job["steps"][-2:]
                words = shlex.split(gate["run"].splitlines()[-1])
                self.assertEqual(kept["if"], "always()")
                for option in "--junit", "--markdown":
                    self.assertIn(words[words.index(option) + 1], kept["with"]["path"].split())

    def test_the_page_on_compare_shows_what_is_kept_here(self):
        page = (PROJECT / "docs/compare.md").read_text()
        for file in (PROJECT / "scripts/ci").glob("*"):
            self.assertIn(f"scripts/ci/{file.name}", page)


if __name__ == "__main__":
    unittest.main()
