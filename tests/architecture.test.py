"""The rules that a compiler does not check: who includes whom, lengths, macros, tables of steps.

Usage: architecture.test.py, in the project's folder.
"""

import graphlib
import pathlib
import re
import subprocess
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = sorted(path for folder in ["app", "harness", "microbench", "prices", "stand_in", "workloads", "tests"]
                 for path in (ROOT / folder).rglob("*") if path.suffix in {".hpp", ".cpp", ".cu", ".cuh"})
TORCH = re.compile(r"^(ATen|c10|torch)/")
CUDA = re.compile(r"^(cuda|cublas|cusparse|nvtx3|nvml|harness/cuda/)")
# All folders of harness/ but these know neither CUDA nor LibTorch.
ON_A_DEVICE = {"cuda", "libtorch"}
# Folders whose names need no prefix: the words that all others speak (docs/architecture.md).
SPOKEN_EVERYWHERE = {"core", "support", "cuda", "libtorch", "machine"}
FOLDERS = re.findall(r"^ *add_subdirectory\((\w+)\)$", (ROOT / "harness/CMakeLists.txt").read_text(), re.M)


def name(path):
    return path.relative_to(ROOT).as_posix()


def lines(path):
    return path.read_text().splitlines()


def includes(path):
    for line in lines(path):
        if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
            yield found[1]


def folder_of(file):
    """harness/trace/window.hpp lies in "trace"."""
    return file.split("/")[1]


def links_in(path):
    """What each target_link_libraries of a list links."""
    return [call.split()[1:] for call in re.findall(r"target_link_libraries\(([^)]*)\)", path.read_text())]


def opening(text):
    return re.match(r"(//.*\n)*", text)[0]


def opening_comment(path):
    return opening(path.read_text())


def steps_in(path):
    """The ids of the step records in a file."""
    return re.findall(r'\.id = "([a-z0-9_/]+)"', path.read_text())


def step_files(folder):
    """What steps.txt lists: a step of that id, or the table of a workload's rungs."""
    return [ROOT / folder / f"{line}.cpp" for line in lines(ROOT / folder / "steps.txt") if not line.startswith("#")]


def parts_with_steps(path):
    """The step's file; of a table, the part between empty lines that each record has; with the ids in it."""
    text = path.read_text()
    parts = [textwrap.dedent(part) + "\n" for part in re.split(r"\n\n|{\n(?=    //)|\n(?=};\n)", text)] if path.stem == "rungs" else [text]
    ids = [re.findall(r'\.id = "([a-z0-9_/]+)"', part) for part in parts]
    return [(ids, part) for ids, part in zip(ids, parts) if ids]


def lesson_in(text):
    """The comment that opens a text, with the shared lesson that it names."""
    def named(found):
        id = re.search(r'\.id = "\w+/(\w+)"', text)[1]
        shared = (ROOT / found[1]).read_text()
        on_it = re.search(rf"(?m)((?:^//.*\n)+)constexpr harness::Step {id}_step\(", shared)
        return on_it[1] if on_it else opening(shared)
    return re.sub(r"// Lesson: (\S+)\n", named, opening(text))


class Arrows(unittest.TestCase):
    def forbid(self, inside, target):
        for path in SOURCES:
            if name(path).startswith(inside):
                for file in includes(path):
                    self.assertFalse(re.match(target, file), f"{name(path)} includes {file}")

    def test_the_harness_knows_no_step_and_no_workload(self):
        self.forbid("harness/", r"(microbench|prices|workloads)/")

    def test_microbench_and_workloads_do_not_know_each_other(self):
        self.forbid("microbench/", r"workloads/")
        self.forbid("workloads/", r"microbench/")

    def test_prices_and_steps_do_not_know_each_other(self):
        self.forbid("prices/", r"(microbench|workloads)/")
        self.forbid("microbench/", r"prices/")
        self.forbid("workloads/", r"prices/")

    def test_workloads_know_what_they_share_and_not_each_other(self):
        shared = {"settings": [], "training": ["settings"]}
        for path in SOURCES:
            if name(path).startswith("workloads/") and len(path.relative_to(ROOT).parts) > 2:
                own = folder_of(name(path))
                allowed = {own, *shared.get(own, ["settings", "training"])}
                for file in includes(path):
                    if file.startswith("workloads/"):
                        self.assertIn(folder_of(file), allowed, f"{name(path)} includes {file}")

    def test_what_joins_steps_workloads_and_prices_is_linked_by_app_and_tests_only(self):
        rooms = ["harness", "microbench", "prices", "workloads"]
        for room in rooms:
            for path in (ROOT / room).rglob("CMakeLists.txt"):
                for links in links_in(path):
                    for other in rooms[1:]:
                        if other != room:
                            self.assertFalse([word for word in links if word.startswith(other)], f"{name(path)} links {other}")

    def test_nothing_but_tests_includes_tests(self):
        for inside in ["app/", "harness/", "microbench/", "prices/", "stand_in/", "workloads/"]:
            self.forbid(inside, r"tests/")

    def test_the_stand_in_and_the_rooms_do_not_know_each_other(self):
        self.forbid("stand_in/", r"(app|harness|microbench|prices|workloads)/")
        for inside in ["app/", "harness/", "microbench/", "prices/", "workloads/"]:
            self.forbid(inside, r"stand_in/")

    def test_nothing_but_tests_includes_app(self):
        for inside in ["harness/", "microbench/", "prices/", "workloads/"]:
            self.forbid(inside, r"app/")

    def test_LibTorch_is_seen_in_steps_workloads_prices_and_one_folder_only(self):
        allowed = ("microbench/", "workloads/", "prices/", "harness/libtorch/", "tests/microbench/", "tests/workloads/",
                   "tests/harness/libtorch/", "tests/harness/worker/", "tests/gpu/", "stand_in/", "tests/stand_in/")
        for path in SOURCES:
            if not name(path).startswith(allowed):
                for file in includes(path):
                    self.assertFalse(TORCH.match(file), f"{name(path)} includes {file}")

    def test_the_judgement_can_be_tested_without_CUDA(self):
        for path in SOURCES:
            if name(path).startswith("harness/") and folder_of(name(path)) not in ON_A_DEVICE:
                for file in includes(path):
                    self.assertFalse(CUDA.match(file), f"{name(path)} includes {file}")

    def test_no_folder_includes_what_includes_it(self):
        """Folders below the rooms too: workloads/stgym/train, microbench/launch."""
        below = {}
        for path in SOURCES:
            folder = path.parent.relative_to(ROOT).as_posix()
            files = [(ROOT / file).parent for file in includes(path) if (ROOT / file).exists()]
            below.setdefault(folder, set()).update({file.relative_to(ROOT).as_posix() for file in files} - {folder})
        try:
            graphlib.TopologicalSorter(below).prepare()
        except graphlib.CycleError as error:
            self.fail(" includes ".join(reversed(error.args[1])))

    def test_no_name_is_two_types(self):
        at = {}
        for path in [path for path in SOURCES if path.suffix in (".hpp", ".cuh")]:
            text = path.read_text()
            spaces = re.findall(r"^namespace ([\w:]+) [{]", text, re.M)  # others' that are declared come first
            for kind in re.findall(r"^(?:struct|class|enum class) (\w+)[^;\n]*[{]$", text, re.M) if spaces else []:
                self.assertEqual(at.setdefault((spaces[-1], kind), name(path)), name(path), "one definition of a type")

    def test_the_light_program_includes_no_step(self):
        batches = "microbench/dataload/sources.hpp"  # made in processes that start at once: no LibTorch there
        claims = "microbench/claims.hpp"             # plain data
        command = "prices/command.hpp"               # starts the worker, which has the rows
        curves = "prices/curves.hpp"                 # arithmetic over a file of prices
        config = "workloads/config_option.hpp"  # reads --config, to tell wrong input at once
        for file in set(includes(ROOT / "app/main.cpp")) - {batches, claims, command, curves, config}:
            self.assertFalse(re.match(r"(microbench|prices|workloads|harness/(libtorch|cuda|worker))/", file), file)


class Folders(unittest.TestCase):
    """A folder of harness/ is a library and a namespace, and uses those before it in harness/CMakeLists.txt."""

    def test_every_folder_is_a_library_in_the_list(self):
        folders = {path.name for path in (ROOT / "harness").iterdir() if path.is_dir()}
        self.assertEqual(sorted(folders), sorted(FOLDERS))
        self.assertLessEqual(len(FOLDERS), 14, "a newcomer reads the list once: join what belongs together")
        for folder in FOLDERS:
            text = (ROOT / "harness" / folder / "CMakeLists.txt").read_text()
            self.assertEqual(re.findall(r"^harness_library\((\w+)", text, re.M), [folder])

    def test_the_page_on_the_architecture_has_every_folder_in_the_order_of_the_list(self):
        table = re.search(r"\| folder \|.*\n\|---.*\n((?:\|.*\n)+)", (ROOT / "docs/architecture.md").read_text())[1]
        rows = re.findall(r"(?m)^\| (.*?) \|", table)
        self.assertEqual([folder for row in rows for folder in re.findall(r"`(\w+)`", row)], FOLDERS)

    def test_every_source_of_a_folder_is_in_its_namespace(self):
        for path in SOURCES:
            if name(path).startswith("harness/"):
                folder = folder_of(name(path))
                inline = "inline " if folder in SPOKEN_EVERYWHERE else ""
                spaces = set(re.findall(r"^namespace (harness\S*(?: \w+)?) [{]", path.read_text(), re.M))
                declared_ahead = set(re.findall(r"^namespace (\S+ \w+) [{]\nclass \w+;.*\n[}]", path.read_text(), re.M))
                self.assertEqual(spaces - declared_ahead, {f"harness::{inline}{folder}"}, name(path))

    def test_includes_point_up_the_list(self):
        for path in SOURCES:
            if name(path).startswith("harness/"):
                for file in includes(path):
                    if file.startswith("harness/"):
                        self.assertLessEqual(FOLDERS.index(folder_of(file)), FOLDERS.index(folder_of(name(path))),
                                             f"{name(path)} includes {file}")

    def test_a_library_links_every_folder_that_it_includes(self):
        for folder in FOLDERS:
            used = {folder_of(file) for path in (ROOT / "harness" / folder).rglob("*") if path in SOURCES
                    for file in includes(path) if file.startswith("harness/")} - {folder}
            linked = [word for call in links_in(ROOT / "harness" / folder / "CMakeLists.txt") for word in call]
            links = {word[8:] for word in linked if word.startswith("harness_")} - {folder}
            self.assertEqual(links, used, f"harness/{folder}: what CMakeLists.txt links is not what the files include")

    def test_no_header_gives_a_type_or_a_room_a_second_name(self):
        for path in SOURCES:
            if path.suffix == ".hpp" and not name(path).startswith("tests/"):
                text = path.read_text()
                self.assertNotRegex(text, r"(?m)^namespace \w+ = ", name(path))
                self.assertNotRegex(text, r"(?m)^\s*typedef ", name(path))
                # A plain type of the project; what a template, a function or a member makes is a new one.
                for alias, kind in re.findall(r"(?m)^\s*using (\w+) = (?:const )?((?:\w+::)*\w+);", text):
                    theirs = kind.startswith(("std::", "at::", "c10::", "boost::", "nlohmann::", "simdjson::"))
                    self.assertTrue(theirs or kind.rsplit("::", 1)[-1] == alias, f"{name(path)}: {alias} is {kind}")

    def test_small_things_are_made_in_one_place(self):
        """A second reader of the free memory, or a second way to a temporary file, would differ from the first. A Python that is
        given its program otherwise imports modules of the current folder; the other -c is a shell's. Only read_json() cleans what is
        printed of a file later; a recording with such characters is refused."""
        places = {
            r"\bmk(o?s|d)temp\(": {"harness/support/" + file for file in ("fd.cpp", "replace_file.cpp", "scratch_folder.cpp")},
            r"MemAvailable": {"harness/machine/available_memory.cpp"},
            r"\b(posix_spawnp?|exec[lv]p?e?|popen)\b": {"harness/support/spawn.cpp", "prices/threads.cpp"},  # which measures it
            r"parse_json\((begins_as_json\()?(harness::)?read_text\(": {"harness/simulate/recording.cpp", "harness/support/field.cpp"},
            r'"-c"': {"harness/support/run_program.cpp", "harness/programs/command_meter.cpp"},
        }
        for pattern, files in places.items():
            found = {name(path) for path in SOURCES if not name(path).startswith("tests/") and re.search(pattern, path.read_text())}
            self.assertEqual(found, files, pattern)

    def test_names_that_are_private_to_LibTorch_are_used_in_its_room_alone(self):
        """There the profiler has no public names in C++. Any version may change private ones."""
        private = r"\b(at|c10|torch)::(\w+::)*(detail|impl|internal)::"
        found = {name(path) for path in SOURCES if not name(path).startswith(("stand_in/", "tests/")) and re.search(private, path.read_text())}
        self.assertEqual(found, {f"harness/libtorch/{file}" for file in ("kineto.cpp", "versions.hpp", "work_counts.cpp")})

    def test_nouns_that_the_glossary_does_not_have_stay_away(self):
        banned = r"\b(Assignment|Camp|Campaigner|Contender|Crew|Foreman|Laboratory|Party|Workshop)\b"
        for path in SOURCES:
            if name(path).startswith(("harness/", "app/")):
                self.assertNotRegex(path.read_text(), r"(?m)^(?:struct|class|enum class|using) " + banned, name(path))

    def test_the_glossary_is_short(self):
        table = re.search(r"\| word \| means \|\n\|---.*\n((?:\|.*\n)+)", (ROOT / "docs/architecture.md").read_text())[1]
        self.assertLessEqual(len(table.splitlines()), 15)

    def test_core_needs_the_standard_library_and_Boost_alone(self):
        for path in (ROOT / "harness/core").glob("*.?pp"):
            for file in includes(path):
                self.assertTrue(file.startswith(("harness/core/", "boost/math/")) or re.fullmatch(r"[a-z_]+", file),
                                f"{name(path)} includes {file}")

    def test_a_trace_is_read_without_what_measures(self):
        for path in (ROOT / "harness/trace").glob("*.?pp"):
            for file in includes(path):
                self.assertNotRegex(file, r"harness/(run|\w*worker)/", name(path))


class Steps(unittest.TestCase):
    def test_every_step_lies_in_the_file_that_its_id_names(self):
        for root, path in [(root, path) for root in [ROOT / "microbench", ROOT / "workloads"]
                           for path in sorted(root.glob("*/*.cpp"))]:
            ids = steps_in(path)
            if ids and path.stem == "rungs":
                self.assertEqual({id.split("/")[0] for id in ids}, {path.parent.name})
            elif ids:
                self.assertEqual(ids, [path.relative_to(root).with_suffix("").as_posix()])

    def test_every_tip_is_in_the_namespace_that_its_id_names(self):
        for step in lines(ROOT / "microbench/steps.txt"):
            if not step.startswith("#"):
                self.assertIn(f"namespace microbench::{step.replace('/', '_')} {{\n",
                              (ROOT / "microbench" / f"{step}.cpp").read_text(), step)

    def test_every_step_that_a_finding_advises_exists(self):
        advised = set(re.findall(r'"([a-z]+/\w+)"', (ROOT / "harness/trace/finding_kinds.cpp").read_text()))
        steps = {step for folder in ("microbench", "workloads") for path in step_files(folder) for step in steps_in(path)}
        self.assertGreater(len(advised), 50)
        self.assertEqual(advised - steps, set())

    def test_every_step_is_listed(self):
        for folder in ["microbench", "workloads"]:
            written = [path for path in (ROOT / folder).rglob("*.cpp")
                       if path.parent.name != "selftest" and steps_in(path)]
            self.assertEqual(sorted(written), sorted(step_files(folder)), f"{folder}/steps.txt")

    def test_the_compiler_checks_the_record_of_every_step(self):
        for folder in ["microbench", "workloads"]:
            record = r"(?m)^(?:extern constexpr Step step = |    )checked\(\s*(?:[\w:]+(?:<[\w:]+>)?\(\s*)?[{]"
            for path in step_files(folder):
                self.assertEqual(len(re.findall(record, path.read_text())), len(steps_in(path)), name(path))

    def test_pairs_of_the_self_test_and_their_table_agree(self):
        folder = ROOT / "microbench/selftest"
        listed = set(re.findall(r"step_of\((\w+)::pair\)", (folder / "pairs.cpp").read_text()))
        records = {step.replace("/", "_") for path in folder.glob("*.cpp") for step in steps_in(path)}
        self.assertEqual(records, listed)

    def test_every_step_opens_with_its_lesson(self):
        # The self-test's equal pairs, which no steps.txt lists, teach nothing.
        for ids, part in [found for folder in ["microbench", "workloads"] for path in step_files(folder)
                          for found in parts_with_steps(path)]:
            lesson = lesson_in(part).removeprefix("// ").removesuffix("\n")
            self.assertNotRegex(lesson, r"\n// [-| ]", f"{ids}: the page would not reflow such a line")
            title, question, *rest = [" ".join(part.split("\n// ")) for part in lesson.split("\n//\n// ")]
            when = [i for i, part in enumerate(rest) if part.startswith(("When ", "What it costs"))]
            with self.subTest(ids=ids):
                self.assertEqual(len(ids), 1, "an empty line stands between two records")
                self.assertRegex(title, r"[.]$")
                self.assertRegex(question, r"^Question: .*[?]$", "the second paragraph asks")
                self.assertTrue(when and when[0] > 0, "what the hardware does, then when the tip does not matter")
                self.assertEqual(sum(part.startswith("Answer: ") for part in rest), 1, "the question is answered once")

    def test_no_id_is_used_twice(self):
        ids = [step for folder in ["microbench", "workloads"] for path in (ROOT / folder).rglob("*.cpp")
               for step in steps_in(path)]
        self.assertEqual(sorted(ids), sorted(set(ids)))


# Beginnings of words that are spelled otherwise in American English.
BRITISH = re.compile(r"(?i)(?<![\w/])(?:neighbour|colour|behaviour|favour|centre[sd]?\b|centring|normalis[ei]|synchronis|serialis[ei]|utilis|initialis[ei]|"
                     r"recognis|summaris|organis[ei]|specialis|licence|judgement|cancelled|labelled|per cent\b|grey\b|analyse\b)[\w-]*(?![/_.]\w)")


class Style(unittest.TestCase):
    def test_what_users_read_is_spelled_in_american_english(self):
        pages = [path for folder in ["docs", "results", "."] for path in (ROOT / folder).glob("**/*" if folder == "docs" else "*")
                 if path.suffix in {".md", ".txt"}]
        lessons = [(ids, lesson_in(part)) for folder in ["microbench", "workloads"] for path in step_files(folder)
                   for ids, part in parts_with_steps(path)]
        self.assertGreater(len(pages), 60)
        self.assertGreater(len(lessons), 280)
        sentence = re.compile(r'"((?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*)"')
        programs = [path for path in SOURCES if not name(path).startswith("tests/")] + list((ROOT / "harness/pages/assets").glob("*.js"))
        said = [(name(path), "\n".join(sentence.findall(path.read_text()))) for path in programs]
        for read, text in [(name(path), path.read_text()) for path in pages] + lessons + said:
            text = re.sub(r"`[^`\n]*`|https?://\S+", "", text)
            self.assertIsNone(BRITISH.search(text), read)

    def test_no_macro_of_our_own(self):
        for path in SOURCES:
            for number, line in enumerate(lines(path), 1):
                self.assertFalse(re.match(r"\s*#\s*(define|ifdef|ifndef|undef)", line), f"{name(path)}:{number}")

    def test_every_header_is_guarded_once(self):
        for path in SOURCES:
            if path.suffix == ".hpp":
                self.assertEqual(lines(path).count("#pragma once"), 1, name(path))

    def test_a_header_opens_with_one_remark(self):
        for path in SOURCES:
            if path.suffix == ".hpp" and "rungs" not in path.parts:  # these hold lessons, which have paragraphs
                self.assertNotIn("\n//\n", opening_comment(path), f"{name(path)}: two files that became one say it together")

    def test_files_keep_to_their_length(self):
        for path in SOURCES:
            text = path.read_text()
            most = 110 if len(steps_in(path)) == 1 else 400
            lessons = "".join(opening(part) for _, part in parts_with_steps(path)) if steps_in(path) else ""
            if not name(path).startswith("tests/"):
                self.assertLessEqual(len(text.splitlines()) - len(lessons.splitlines()), most, name(path))

    def test_no_header_opens_a_namespace_to_its_readers(self):
        tips = "namespace microbench {\n\n// A tip is written in the harness's words, and in a namespace of its own.\nusing namespace harness;\n"
        for path in SOURCES:
            if path.suffix == ".hpp":
                self.assertNotRegex(path.read_text().replace(tips, ""), r"(?m)^using namespace", name(path))

    def test_no_two_files_have_one_name(self):
        """A step is named by its id, and each workload has a table of rungs."""
        steps = {path for folder in ["microbench", "workloads"] for path in step_files(folder)} | set((ROOT / "microbench/selftest").glob("*.cpp"))
        at = {}
        for path in SOURCES:
            if not name(path).startswith("tests/") and path not in steps and path.stem != "rungs":
                self.assertEqual(at.setdefault(path.name, name(path)), name(path))

    def test_sources_are_ASCII(self):
        for path in SOURCES:
            self.assertTrue(path.read_text().isascii(), name(path))

    def test_every_source_is_built(self):
        lists = [path for path in ROOT.rglob("CMakeLists.txt") if "build" not in path.relative_to(ROOT).parts[0]]
        steps = list(ROOT.glob("*/steps.txt"))
        words = {word for path in lists + list((ROOT / "cmake").glob("*.cmake"))
                 for word in re.findall(r"[\w./]+", path.read_text())}
        words |= {f"{step}.cpp" for path in steps for step in lines(path)}
        names = {word.rsplit("/", 1)[-1] for word in words}
        for path in SOURCES:
            by_script = path.parent == ROOT / "tests/fuzz"  # scripts/fuzz.sh builds what lies there
            beside = path.parent / "CMakeLists.txt"
            all_of = r"(?m)^test_program\(" if path.name.endswith(".test.cpp") else r"(?m)^harness_library\("
            by_folder = beside.exists() and re.search(all_of, beside.read_text())
            if path.suffix in {".cpp", ".cu"} and not by_script and not by_folder:
                known = path.name in names or path.name.removesuffix(".test.cpp") in names
                self.assertTrue(known, f"{name(path)} stands in no CMake list; a step's line is one of steps.txt")

    def test_what_the_fuzzers_are_built_of_is_there(self):
        named = re.findall(r"(?<![\w/])harness/[^\s:)]+", (ROOT / "scripts/fuzz.sh").read_text())
        self.assertGreater(len(named), 10)
        files = subprocess.run(["bash", "-c", f"printf '%s\n' {' '.join(named)}"], cwd=ROOT, capture_output=True, text=True,
                               check=True).stdout.split()
        self.assertEqual([file for file in files if not (ROOT / file).exists()], [])

    def test_properties_are_set_of_files_that_there_are(self):
        for path in ROOT.glob("*/**/CMakeLists.txt"):
            if not path.relative_to(ROOT).parts[0].startswith("build"):
                for files in re.findall(r"set_source_files_properties\((.*?)PROPERTIES", path.read_text(), re.S):
                    for file in re.findall(r"(?<!\S)[\w/.]+\.c(?:pp|u)(?!\S)", files):
                        self.assertTrue((path.parent / file).exists(), f"{name(path)} sets properties of {file}")

    def test_every_test_in_Python_is_run(self):
        words = {word for path in (ROOT / "tests").rglob("CMakeLists.txt") for word in re.findall(r"[\w.]+", path.read_text())}
        for path in (ROOT / "tests").rglob("*.test.py"):
            known = path.name in words or path.name.removesuffix(".test.py") in words
            self.assertTrue(known, f"{name(path)} stands in no CMake list")


class Documentation(unittest.TestCase):
    """What the sources and the documents point to is in the repository."""

    CITED = re.compile(r"(?<![\w/.*-])((?:[\w.-]+/)*[A-Za-z][\w-]*\.md)\b")
    SECTION = re.compile(r"(?:docs/)?measuring\.md,? (\d+(?:\.\d+)?)((?:(?:,| and) \d+)*)")

    def texts(self):
        """The sources, the documents and the scripts' comments, each with its path."""
        pages = sorted((ROOT / "docs").rglob("*.txt")) + sorted((ROOT / "scripts").rglob("*.txt"))
        for path in SOURCES + self.documents() + pages:  # without other sites' pages and commands' outputs
            yield path, re.sub(r"https?://\S+|--markdown \S+", "", path.read_text())

    def documents(self):
        hidden = re.compile(r"(build.*|[.].*|_.*)")
        return [path for path in sorted(ROOT.rglob("*.md")) if not hidden.fullmatch(path.relative_to(ROOT).parts[0])]

    def test_every_document_that_is_cited_exists(self):
        for path, text in self.texts():
            for cited in self.CITED.findall(text):
                places = [ROOT / cited, path.parent / cited, ROOT / "docs" / cited]
                with self.subTest(name(path)):
                    self.assertTrue(any(place.is_file() for place in places), f"it cites {cited}")

    def test_every_section_that_is_cited_of_the_procedure_exists(self):
        sections = set(re.findall(r"(?m)^## (\d+)\.", (ROOT / "docs/measuring.md").read_text()))
        self.assertGreater(len(sections), 8)
        for path, text in self.texts():
            for first, more in self.SECTION.findall(text):
                for number in [first, *re.findall(r"\d+", more)]:
                    with self.subTest(name(path)):
                        self.assertIn(number, sections, "a section of docs/measuring.md")

    def test_the_license_lies_in_the_project_and_in_the_bundle(self):
        self.assertRegex((ROOT / "LICENSE").read_text(), r"Apache License\s+Version 2\.0, January 2004")
        self.assertIn("install(FILES ${PROJECT_SOURCE_DIR}/LICENSE", (ROOT / "cmake/install.cmake").read_text())
        self.assertIn("[LICENSE](LICENSE)", (ROOT / "README.md").read_text())

    def test_README_is_short_and_opens_with_the_two_commands(self):
        readme = lines(ROOT / "README.md")
        self.assertLessEqual(len(readme), 150)
        for command in ["scripts/run.sh", "scripts/test.sh"]:
            self.assertTrue(any(line.startswith(command) for line in readme[:30]), command)

    def test_the_index_of_the_documents_names_every_page(self):
        named = set(re.findall(r"\]\(([^)]+)\)", (ROOT / "docs/README.md").read_text()))
        pages = {path.name for pattern in ["*.md", "*.txt"] for path in (ROOT / "docs").glob(pattern)} - {"README.md"}
        self.assertEqual(pages - named, set())

    def test_every_link_between_documents_leads_somewhere(self):
        for path in self.documents():
            text = re.sub(r"(?s)```.*?```", "", path.read_text())
            for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if "://" not in link:
                    self.assertTrue((path.parent / link).exists(), f"{name(path)} links to {link}")

    def test_the_tip_that_CONTRIBUTING_walks_through_is_the_real_file(self):
        shown = re.search(r"```cpp\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)[1].splitlines()
        real = lines(ROOT / "microbench/sync/item_every_step.cpp")
        self.assertGreater(len(shown), 40)
        at = 0
        for line in shown:
            if line.strip() in {"", "...", "// ..."}:
                continue
            self.assertIn(line, real[at:], "not in the file, or not in this order")
            at = real.index(line, at) + 1


if __name__ == "__main__":
    unittest.main()
