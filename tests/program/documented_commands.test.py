"""Each command that pages, lessons, helps and sentences of the program show: it exists, with these options and these steps.

Usage: documented_commands.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import fnmatch
import functools
import json
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

import program_help

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PAGES = [path for pattern in ("*.md", "docs/**/*.md", "docs/**/*.txt", "results/README.md", "workloads/**/*.md", "tests/**/*.md")
         for path in sorted(PROJECT.glob(pattern))]
SOURCES = [path for folder in ("app", "harness", "microbench", "prices", "workloads")
           for path in sorted((PROJECT / folder).rglob("*.cpp"))]
# A command ends where its line, its code span, its sentence or its column does, or a word of that sentence follows.
COMMAND = re.compile(r"(?<![\w./-])(?:build/|\./)?tuneproof (-*[a-z][^`#;|)>\"&]*?)(?=[`#;|)>\"&]|[.,:](?:\s|$)|  | (?:and|to|with|takes) |$)", re.M)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
TAKE_STEPS = {"run", "explain", "profile", "simulate"}
OF_THE_READER = "cpu/my_tip"  # whom CONTRIBUTING.md guides through writing it
help_of, commands = (functools.partial(find, PROGRAM) for find in (program_help.help_of, program_help.commands))


@functools.lru_cache(maxsize=None)
def options(*command):
    """Each of its lines in the help begins with the option's names: `  -o,--out FOLDER=traces`."""
    declared = re.findall(r"(?m)^  (-[-\w,]*)", help_of(*command))
    return {name for names in declared for name in names.split(",")}


@functools.lru_cache(maxsize=None)
def steps():
    known = json.loads(subprocess.run([PROGRAM, "list", "--json"], text=True, capture_output=True, check=True).stdout)
    return [OF_THE_READER] + [step["id"] for step in known["steps"]] + [f"topic/{path.stem}" for path in (PROJECT / "docs/topics").iterdir()]


def words_of(text):
    try:
        return shlex.split(text)
    except ValueError:  # a lone apostrophe: of the sentence around it, or of a quoted expression that was cut
        return re.sub(r"'[^']*'", "QUOTED", text).split()


def own_words(words):
    """Those before `--`, behind which another program's begin."""
    return words[:words.index("--")] if "--" in words else words


def shown_in(text, is_code):
    """Commands of a text, each as its words; a first word that is no command counts in code only."""
    text = re.sub(r"\\\n\s*", "", text)
    in_code = [(0, len(text))] if is_code else [found.span() for found in CODE.finditer(text)]
    for found in COMMAND.finditer(text):
        words = own_words(words_of(found[1]))
        sure = any(begin <= found.start() < end for begin, end in in_code)
        if words and (sure or words[0] in commands()):
            yield found[0], words


def said_by(path):
    """Lessons and what the program prints, whose lines are joined and whose figures are left out."""
    joined = re.sub(r'"\s*\n\s*"', "", path.read_text()).replace("\\n", "\n")
    return re.sub(r"{\w*}", "", joined)


def wrong(words):
    """What is wrong with the command, or nothing."""
    command = []
    while commands(*command) and len(command) < len(words) and not words[len(command)].startswith("-"):
        command.append(words[len(command)])
        if command[-1] not in commands(*command[:-1]):
            return f"there is no command {' '.join(command)}"
    for word in words:
        name = re.match(r"--?[a-zA-Z][\w-]*", word)
        if name and name[0] not in options(*command):
            return f"{' '.join(command) or 'tuneproof'} has no option {name[0]}"
    for word in words[1:] if words[0] in TAKE_STEPS else []:
        if re.fullmatch(r"[a-z0-9]+/[a-z0-9_*]+(/.*)?", word):
            step = "/".join(word.split("/")[:2])
            if not fnmatch.filter(steps(), step):
                return f"there is no step {step}"
    return None


class Shown(unittest.TestCase):
    def check(self, where, shown):
        count = 0
        for text, words in shown:
            count += 1
            with self.subTest(where=where, text=text):
                self.assertIsNone(wrong(words))
        return count

    def test_pages_show_commands_that_exist(self):
        found = sum(self.check(path.relative_to(PROJECT), shown_in(path.read_text(), False)) for path in PAGES)
        self.assertGreater(found, 200, "the pages are read")

    def test_lessons_and_sentences_show_commands_that_exist(self):
        found = sum(self.check(path.relative_to(PROJECT), shown_in(said_by(path), False)) for path in SOURCES)
        self.assertGreater(found, 80, "the sources are read")

    def test_helps_show_commands_that_exist(self):
        for command in commands():
            text = help_of(command)
            self.check(command, shown_in(text[text.find("Examples:"):], True))

    def test_the_page_of_commands_shows_every_command(self):
        page = (PROJECT / "docs/commands.md").read_text()
        for command in commands():
            self.assertRegex(page, rf"(?m)^tuneproof {command}\b", command)

    def test_a_mistake_is_seen(self):
        for text, mistake in [("`tuneproof rum x`", "no command rum"), ("`tuneproof run 'a' --jsn r`", "no option --jsn"),
                              ("`tuneproof list -q`", "no option -q"), ("`tuneproof explain sync/no_such`", "no step sync/no_such"),
                              ("```\ntuneproof watch --stebs 3 -- python --lr 1\n```", "no option --stebs")]:
            [(_, words)] = shown_in(text, False)
            self.assertIn(mistake, wrong(words) or "", text)
        for text in ["`tuneproof watch -- python train.py --lr 1`", "`tuneproof run 'sync/*' --json r.json`", "tuneproof is a program."]:
            self.assertEqual([wrong(words) for _, words in shown_in(text, False)], [None] * text.count("`tuneproof"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
