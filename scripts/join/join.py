#!/usr/bin/env python3
"""join.py TREE: joins the rooms of harness/ in a clean checkout (issue 50). Fails loudly where the tree is not what it expects."""
import collections
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
BASE = "191623d3"
CODE = {".cpp", ".hpp", ".cu", ".cuh"}


def git(*words):
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def die(text):
    sys.exit(f"join.py: {text}")


if git("status", "--porcelain").strip():
    die("the checkout is not clean")
tracked = git("ls-files").split("\n")[:-1]

# --- 1. what moves ------------------------------------------------------------------------------------------------------------
ROOMS = {"tensorboard": "results", "run_command": "run", "profile": "run", "doctor": "run", "selftest": "run", "train": "run",
         "compiled": "libtorch", "ranks": "libtorch", "torch_worker": "libtorch", "lightning": "libtorch", "loader": "support",
         "cuda_worker": "cuda", "watch": "programs", "versus": "programs", "tune": "programs", "teach": "pages", "page": "pages"}
INLINE = {"libtorch", "support", "cuda"}
# Old stem -> new stem; the suffixes that there are.
STEMS = {
    "harness/own/tuneproof": "app/tuneproof",
    "harness/own/own_program": "app/own_program",
    "harness/cuda/kernels": "harness/cuda/canary_kernels",
    "harness/cuda/fault": "harness/cuda/cuda_fault",
    "harness/cuda/canary": "harness/cuda/cuda_canary",
    "harness/trace/text": "harness/trace/trace_text",
    "harness/trace/strays": "harness/trace/stray_events",
    "harness/trace/host_time": "harness/trace/host_figures",
    "harness/trace/compare": "harness/trace/compare_traces",
    "harness/simulate/timeline": "harness/simulate/simulated_timeline",
    "harness/results/profile": "harness/results/row_profile",
    "harness/run_command/job": "harness/run/run_in_job",
    "harness/worker/worker": "harness/worker/worker_modes",
    "harness/lightning/training": "harness/libtorch/python_training",
    "harness/tune/search": "harness/programs/knob_search",
    "microbench/steps": "microbench/microbench_steps",
    "microbench/transfer/host_use": "microbench/transfer/shared_memory_use",
    "microbench/format/cudnn_settings": "microbench/format/convolution_steps",
    "microbench/parallel/training": "microbench/parallel/parallel_training",
    "microbench/overlap/work": "microbench/overlap/overlap_work",
    "microbench/autograd/layers": "microbench/autograd/autograd_layers",
    "microbench/memory/kernels": "microbench/memory/memory_kernels",
    "workloads/steps": "workloads/workloads_steps",
    "workloads/training/course": "workloads/training/training_course",
    "workloads/training/learner": "workloads/training/model_learner",
    "workloads/stgym/space/config_option": "workloads/stgym/space/configuration_option",
    "workloads/stgym/space/switches": "workloads/stgym/space/stgym_switches",
    "workloads/sage/ranks_trial": "workloads/sage/sage_ranks_trial",
    "workloads/sage/ranks_step": "workloads/sage/sage_ranks_step",
    "workloads/gpt/memory": "workloads/gpt/gpt_memory",
    "prices/kernels": "prices/price_kernels",
    "prices/team": "prices/ready_threads",
    "prices/machine": "prices/priced_machine",
    "prices/row": "prices/price_row",
    "prices/launches": "prices/launch_rows",
    "prices/collectives": "prices/collective_rows",
    "stand_in/runtime/kernels": "stand_in/runtime/kernel_table",
    "stand_in/runtime/fault": "stand_in/runtime/memory_fault",
    "stand_in/runtime/stream": "stand_in/runtime/device_stream",
    "stand_in/runtime/record": "stand_in/runtime/call_record",
    "stand_in/runtime/nvml": "stand_in/runtime/management",
    "stand_in/runtime/graph": "stand_in/runtime/captured_graph",
    "stand_in/operators/shapes": "stand_in/operators/operator_shapes",
    "stand_in/operators/random": "stand_in/operators/operator_random",
    "stand_in/operators/call": "stand_in/operators/operator_call",
    "stand_in/kernels/device": "stand_in/kernels/device_functions",
    "tests/harness/selftest/example": "tests/harness/run/tested_pairs",
    "tests/harness/teach/example": "tests/harness/catalogue/made_up_catalogue",
    "tests/harness/loader/main": "tests/harness/support/main",
    "tests/harness/page/page.test": "tests/harness/pages/report.test",
    "tests/harness/teach/pages.test": "tests/harness/pages/explain.test",
}
for model in ("gpt", "resnet50", "unet"):
    for stem in ("rung", "model", "data"):
        STEMS[f"workloads/{model}/{stem}"] = f"workloads/{model}/{model}_{stem}"
# Beside the room's sources: what runs in Python.
FOLDERS = {"harness/watch/python/": "harness/programs/recorder/", "harness/tune/python/": "harness/programs/",
           "harness/lightning/python/": "harness/libtorch/"}
# A test has its file's name.
for old, new in list(STEMS.items()):
    for place in ("tests/", "tests/gpu/"):
        room = old.split("/")
        if f"{place}{old}.test.cpp" in tracked:
            STEMS.setdefault(f"{place}{old}.test", f"{place}{new}.test")
# Lists that the joined folder's list replaces.
DROPPED = [f"{top}/{room}/CMakeLists.txt" for top in ("harness", "tests/harness") for room in [*ROOMS, "own"]]


def new_place(path):
    stem, dot, suffix = path.rpartition(".")
    if path.count("/") and stem in STEMS and f".{suffix}" in CODE:
        return f"{STEMS[stem]}.{suffix}"
    for old, new in FOLDERS.items():
        if path.startswith(old):
            return new + path[len(old):]
    for top in ("tests/harness/", "harness/"):
        if path.startswith(top):
            room, _, rest = path[len(top):].partition("/")
            if room in ROOMS and rest:
                return f"{top}{ROOMS[room]}/{rest}"
    return path


moved = {path: new_place(path) for path in tracked if path not in DROPPED and new_place(path) != path}
for old, new in moved.items():
    if new in tracked and new not in moved:
        die(f"{old} would overwrite {new}")
if len(set(moved.values())) != len(moved):
    die(f"two files move to one place: {[n for n, c in collections.Counter(moved.values()).items() if c > 1]}")
used = {path.rpartition('.')[0] for path in moved}
for stem in STEMS:
    if stem not in used:
        die(f"nothing has the name {stem}")

# The lists that are written anew must be those that this script has read.
REPLACED = {}  # path -> text, see below
exec((pathlib.Path(__file__).parent / "lists.py").read_text())
for path in [*DROPPED, *[p for p in REPLACED if p in tracked]]:
    if path in tracked and git("show", f"{BASE}:{path}") != (root / path).read_text():
        die(f"{path} has changed since {BASE}: merge by hand into lists.py")

for path in DROPPED:
    if path in tracked:
        git("rm", "-q", path)
for old, new in moved.items():
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    git("mv", old, new)
for path, text in REPLACED.items():
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    git("add", path)

# --- 2. what the text says ----------------------------------------------------------------------------------------------------
files = [path for path in git("ls-files").split("\n")[:-1]]
TEXT = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".md", ".txt", ".cmake", ".js", ".in", ".sbatch", ".json", ".map", ""}
LEFT = re.compile(r"^(results/(?!README)|tests/golden/|tests/fuzz/corpus|docs/learn/(traces|recordings)/.*json|harness/machine/gpus.json)")
reverse = {new: old for old, new in moved.items()}
TOKEN = re.compile(r"(?<![\w/.-])(?:\.\./)*((?:app|harness|microbench|workloads|prices|stand_in|tests)/[\w./*\[\]!{},-]*)")


def path_token(found):
    whole, token = found[0], found[1]
    tail = re.search(r"[.,}]*$", token)[0] if token[-1:] in ".,}" else ""
    core = token[:len(token) - len(tail)]
    new = moved.get(core)
    if new is None:
        for suffix in (".cpp", ".hpp", ".cu", ".test.cpp"):  # a name without its suffix
            if core + suffix in moved:
                new = moved[core + suffix][:-len(suffix)]
    if new is None:
        new = next((place + core[len(one):] for one, place in FOLDERS.items() if (core + "/").startswith(one)), None)
        new = new and new.rstrip("/")
    if new is None:
        for top in ("tests/harness/", "harness/"):
            if core.startswith(top):
                room, slash, rest = core[len(top):].partition("/")
                if room in ROOMS:
                    new = f"{top}{ROOMS[room]}{slash}{rest}"
    return whole[:len(whole) - len(token)] + (new or core) + tail


# "ranks/team", as documents and remarks have it.
SHORT = {old[8:].rpartition(".")[0]: new[8:].rpartition(".")[0] for old, new in moved.items()
         if old.startswith("harness/") and new.startswith("harness/") and pathlib.PurePath(old).suffix in CODE}
SHORT_TOKEN = re.compile(r"(?<![\w/.-])(" + "|".join(re.escape(word) for word in sorted(SHORT, key=len, reverse=True)) + r")(?![\w/-])")

# Names that would say too little without their room, or be two.
NAMES = {"compiled": {"Order": "PackageOrder", "Mode": "CompileMode", "Wish": "CompileWish", "Package": "CompiledPackage",
                      "Torch": "PythonTorch"},
         "lightning": {"Training": "PythonTraining", "Plan": "PythonPlan"},
         "loader": {"Request": "LoaderRequest", "Reply": "LoaderReply"}}
PIECE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\d[\w\']*|\'(?:\\.|[^\'\\\n])*\'|\w+|.', re.S)
NAMESPACE = re.compile(r"\bnamespace harness::(" + "|".join(ROOMS) + r")\b")
USING = re.compile(r"\busing namespace (harness::)?(" + "|".join(ROOMS) + r");")
QUALIFIED = re.compile(r"(?<![\w:])(harness::)?(" + "|".join(ROOMS) + r")::(~?\w+)")


def rename_words(text, names):
    def piece(found):
        return names.get(found[0], found[0])
    return PIECE.sub(piece, text)


def words_of(text):
    """Words that stand without a room in front."""
    return collections.Counter(re.findall(r"(?<![\w:.>])\w+", text))


def code(path, text):
    old = reverse.get(path, path)
    was = next((top for room in ROOMS for top in [room] if re.match(rf"(tests/)?harness/{room}/", old)), None)
    here = re.match(r"(?:tests/)?harness/(\w+)/", path)
    here = here[1] if here else None
    for room, names in NAMES.items():
        if was == room or re.search(rf"using namespace harness::{room};", text):
            text = rename_words(text, names)
    bare = words_of(re.sub(r'(?<![\w:])(?:harness::)?(?:' + "|".join(ROOMS) + r')::~?\w+|//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text))

    def namespace(found):
        to = ROOMS[found[1]]
        return f"namespace harness::{'inline ' if to in INLINE else ''}{to}"

    def using(found):
        to = ROOMS[found[2]]
        return "using namespace harness;" if to in INLINE else f"using namespace {found[1] or ''}{to};"

    def qualified(found):
        prefix, room, word = found[1] or "", found[2], found[3]
        to, word = ROOMS[room], NAMES.get(room, {}).get(word, word)
        if to in INLINE:
            return f"{prefix}{to}::{word}" if bare[word] and not word[0].isupper() else f"{prefix}{word}"
        if to == here and path.startswith("harness/") and not prefix and (word[0].isupper() or not bare[word]):
            return word
        return f"{prefix}{to}::{word}"

    # What an inline namespace gives needs no declaration.
    text = re.sub(rf"(?m)^ *using (?:{'|'.join(room for room in ROOMS if ROOMS[room] in INLINE)})::\w+;\n", "", text)
    text = USING.sub(using, text)
    text = NAMESPACE.sub(namespace, text)
    text = QUALIFIED.sub(qualified, text)
    if here and here in ROOMS.values() and here not in INLINE and path.startswith("harness/"):
        def own(found):
            word = found[1]
            return word if word[0].isupper() or not bare[word] else found[0]
        text = re.sub(rf"(?<![\w:]){here}::(~?\w+)", own, text)
    # using namespace harness, twice
    lines, out, block = text.split("\n"), [], set()
    for line in lines:
        if re.fullmatch(r"\s*using namespace [\w:]+;", line):
            if line in block:
                continue
            block.add(line)
        else:
            block = set()
        out.append(line)
    return "\n".join(out)


changed = set()
for path in files:
    file = root / path
    if LEFT.match(path) or file.suffix not in TEXT or file.is_symlink():
        continue
    try:
        text = before = file.read_text()
    except UnicodeDecodeError:
        continue
    text = TOKEN.sub(path_token, text)
    if file.suffix in {".md", ".txt"}:
        text = SHORT_TOKEN.sub(lambda found: SHORT[found[1]], text)
    elif file.suffix in CODE:
        text = re.sub(r"//[^\n]*", lambda remark: SHORT_TOKEN.sub(lambda found: SHORT[found[1]], remark[0]), text)
    if file.suffix in CODE:
        text = code(path, text)
    if file.name == "CMakeLists.txt" and path not in REPLACED:
        folder = file.parent
        for old, new in moved.items():
            try:
                was, now = [(root / one).relative_to(folder).as_posix() for one in (old, new)]
            except ValueError:
                continue
            text = re.sub(rf"(?<![\w./]){re.escape(was)}(?![\w.])", now, text)
        # What stood in order stands in order.
        blocks = re.split(r"(?m)((?:^  [\w/.]+[.](?:cpp|cu|hpp)\n)+)", before)
        for block in blocks[1::2]:
            lines = block.split("\n")[:-1]
            renamed = [next((re.sub(r"\S+", (root / new).relative_to(folder).as_posix(), line) for old, new in moved.items()
                             if line.strip() == pathlib.PurePath(old).as_posix().removeprefix(folder.relative_to(root).as_posix() + "/")),
                            line) for line in lines]
            if renamed != lines and lines == sorted(lines):
                text = text.replace("\n".join(renamed) + "\n", "\n".join(sorted(renamed)) + "\n")
    if text != before:
        file.write_text(text)
        changed.add(path)

# --- 3. by hand ---------------------------------------------------------------------------------------------------------------
for path, old, new in EDITS:
    text = (root / path).read_text()
    if text.count(old) != 1:
        die(f"{path} has {text.count(old)} times: {old}")
    (root / path).write_text(text.replace(old, new))
    changed.add(path)
for path, old, new in EACH:
    text = (root / path).read_text()
    if not re.search(old, text):
        die(f"{path} lacks {old}")
    (root / path).write_text(re.sub(old, new, text))
    changed.add(path)

# --- 4. layout ----------------------------------------------------------------------------------------------------------------
sources = sorted({path for path in [*changed, *moved.values()] if pathlib.PurePath(path).suffix in CODE})
subprocess.run([pathlib.Path(__file__).parent / "venv/bin/clang-format", "-i", *sources], cwd=root, check=True)
git("add", "-A")
for folder in sorted((f for f in root.rglob("*") if f.is_dir() and ".git" not in f.parts), key=lambda f: -len(f.parts)):
    if not any(folder.iterdir()):
        folder.rmdir()
print(f"{len(moved)} files moved, {len(changed)} texts changed")
