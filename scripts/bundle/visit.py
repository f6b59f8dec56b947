"""One visit of a machine: which parts are missing, and how each is run, cut and noted."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import time

import outcomes
import pack_visit
import parts
import plan

GRACE = 12  # seconds for a part that has to end
TRIES = 2  # of a part that cannot go on where it was cut
FAILED, TIME_UP = 1, 75  # exit codes
GLANCE = 0.3  # seconds between looks at what was asked meanwhile


def write_json(path: pathlib.Path, content: dict) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, indent=2) + "\n")
    new.replace(path)


def read_json(path: pathlib.Path) -> dict:
    """Empty where the file is not there or is broken: then its part counts as never tried."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) and isinstance(content.get("tries", 0), int) else {}


def end(child: subprocess.Popen) -> None:
    """As Ctrl-C would, so that what was measured is kept; then by force, with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(GRACE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def end_with_parent() -> None:
    """In the child: where this process is killed, its child gets Ctrl-C."""
    ctypes.CDLL(None).prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG


def in_a_shell(code: int) -> int:
    """The exit code as a shell gives it: 130 for a program that Ctrl-C ended."""
    return code if code >= 0 else 128 - code


def of_cut(kept: str | None) -> str:
    """What stands behind a part that was cut."""
    return f"; kept: {kept}" if kept else ""


def named(failures: list[str]) -> str:
    """What stands behind a part in which something failed."""
    return f"; FAILED: {len(failures)} ({', '.join(failures[:3])}{', ...' if len(failures) > 3 else ''})" if failures else ""


class Visit:
    """`lock` is held open by children too: until the last has ended, nobody else writes into the folder."""

    clock = staticmethod(time.monotonic)

    def __init__(self, folder: pathlib.Path, deadline: float, machine: parts.Machine, lock: int,
                 wishes: plan.Wishes = plan.Wishes()):
        self.folder, self.deadline, self.machine, self.lock = folder, deadline, machine, lock
        self.parts, self.asked_for = plan.all_parts(machine, wishes), wishes.names
        self.stopped = False
        beyond_the_terminal = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # nohup
        for number in (signal.SIGINT, signal.SIGTERM, *([] if beyond_the_terminal else [signal.SIGHUP])):
            signal.signal(number, self.stop)

    def stop(self, *_) -> None:
        """Only notes it: no file is left half written, and no child without its parent."""
        self.stopped = True

    def say(self, text: str) -> None:
        """Into agenda.txt as well, with the time: who looks in later sees how far it is."""
        print(text, flush=True)
        with (self.folder / "agenda.txt").open("a") as agenda:
            agenda.write(f"{time.strftime('%H:%M:%S')} {text}\n")

    def bring_home(self) -> None:
        """Behind each part, so that whoever fetches the archive finds all that has ended."""
        (self.folder / "summary.txt").write_text(self.summary())
        try:
            pack_visit.pack(self.folder)
        except SystemExit as error:
            self.say(str(error))

    def file(self, part: parts.Part) -> pathlib.Path:
        return self.folder / part.name / "part.json"

    def note(self, part: parts.Part, **facts) -> None:
        self.file(part).parent.mkdir(exist_ok=True)
        write_json(self.file(part), {**read_json(self.file(part)), "part": part.name, "about": part.about, **facts})

    def open_parts(self) -> list[parts.Part]:
        """What is missing: the never tried first, of them what no file has, each in order of worth or as asked for."""
        tried = {part.name: read_json(self.file(part)) for part in self.parts}
        missing = [part for part in self.parts if tried[part.name].get("state") not in ("done", "skipped", "given up")]

        def place(part: parts.Part) -> tuple[int, bool]:
            tries = tried[part.name].get("tries", 0)
            return tries, tries == 0 and not self.asked_for and part.again()

        return sorted(missing, key=place)

    def seconds_left(self) -> float:
        return self.deadline - self.clock()

    def begin_asked_for_anew(self) -> None:
        """A part that failed is done, so that a visit ends; whoever names it wants it once more."""
        for part in self.parts:
            facts = read_json(self.file(part))
            if part.name in self.asked_for and (facts.get("failed") or facts.get("state") == "given up"):
                self.note(part, state="missing", failed=None, reason="failed before")

    def skip_what_cannot_run(self) -> None:
        for part in self.parts:
            reason = part.skip(self.machine)
            if reason and read_json(self.file(part)).get("state") != "done":
                self.note(part, state="skipped", reason=reason)
            elif not reason and read_json(self.file(part)).get("state") == "skipped":
                self.note(part, state="missing", reason=None)

    def go(self) -> None:
        self.begin_asked_for_anew()
        self.skip_what_cannot_run()
        waiting: set[str] = set()
        while True:
            ready = [part for part in self.open_parts() if part.name not in waiting]
            if self.stopped or not ready:
                return
            if self.seconds_left() < ready[0].least:
                waiting.add(ready[0].name)
            else:
                self.try_part(ready[0], min(self.seconds_of(ready[0]), self.seconds_left()))
                self.bring_home()

    def seconds_of(self, part: parts.Part) -> float:
        """A part that was cut gets as much more in each try: cut at the same point again it would never keep anything."""
        return part.most * (1 + read_json(self.file(part)).get("tries", 0))

    def try_part(self, part: parts.Part, seconds: float) -> None:
        before = read_json(self.file(part))
        tries = before.get("tries", 0) + 1
        cards = list(dict.fromkeys([*(before.get("cards") or []), *self.machine.cards]))
        folder = self.folder / part.name
        folder.mkdir(exist_ok=True)
        command = part.command(folder, seconds)
        if isinstance(command, str):
            self.note(part, state="skipped", reason=command)
            self.say(f"{part.name}: skipped: {command}")
            return
        shown = [word.replace(str(parts.HERE) + "/", "") for word in command]
        # Noted beforehand: where this process is killed, the part counts as cut.
        self.note(part, state="cut", tries=tries, cards=cards, command=shown, exit_code=None, reason="this visit was killed")
        self.say(f"{part.name}: {part.about}; at most {seconds:.0f} s")
        begin = self.clock()
        code, cut = self.run(command, folder, tries, seconds)
        took = round(self.clock() - begin, 1)
        reason = (("interrupted" if self.stopped else "its time was up") + f" after {took:.0f} s") if cut else None
        state = "cut" if cut else "done"
        if cut and not part.resumes and not self.stopped and tries >= TRIES:
            state = "given up"
        failures = outcomes.failures(folder)
        failed = bool(failures) or (not cut and code not in part.fine)
        kept = outcomes.kept(folder) if cut else None
        self.note(part, state=state, exit_code=code, seconds=took, reason=reason, failed=failed, failures=failures, kept=kept)
        self.say(f"{part.name}: {state}, exit code {code}, {took:.0f} s{of_cut(kept)}{named(failures)}")

    def run(self, command: list[str], folder: pathlib.Path, tries: int, seconds: float) -> tuple[int, bool]:
        with (folder / f"output-{tries}.txt").open("wb") as output:
            try:
                child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                         stderr=subprocess.STDOUT, start_new_session=True, pass_fds=[self.lock],
                                         preexec_fn=end_with_parent)
            except OSError as error:
                output.write(f"{command[0]}: {error.strerror}\n".encode())
                return 127, False
            return self.wait_for(child, time.monotonic() + seconds)

    def wait_for(self, child: subprocess.Popen, until: float) -> tuple[int, bool]:
        while not self.stopped and time.monotonic() < until:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return in_a_shell(child.wait(GLANCE)), False
        end(child)
        return in_a_shell(child.returncode), True

    def summary(self) -> str:
        lines = [f"commit {self.machine.commit}; CUDA: {self.machine.kind or self.machine.gpu}"]
        for part in self.parts:
            facts = read_json(self.file(part))
            what = facts.get("state") or "missing"
            if facts.get("exit_code") is not None:
                what += f", exit code {facts['exit_code']}"
            what += f": {facts['reason']}" if facts.get("reason") else ""
            kept = outcomes.kept(self.folder / part.name) if facts.get("state") in ("cut", "given up") else None
            lines.append(f"{part.name:22} {what}{of_cut(kept)}{named(facts.get('failures') or [])}")
        return "\n".join(lines) + "\n"

    def exit_code(self) -> int:
        if self.open_parts():
            return TIME_UP
        states = [read_json(self.file(part)) for part in self.parts]
        return FAILED if any(facts.get("failed") or facts.get("state") == "given up" for facts in states) else 0
