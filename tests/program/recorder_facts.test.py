"""What the recorder of `tuneproof watch` knows of CPUs that other programs had, of epochs, and of steps
behind the recorded ones. Needs no PyTorch.

Usage: recorder_facts.test.py PROJECT [unittest arguments]
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

PROJECT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(PROJECT / "harness/programs/recorder"))

import tuneproof_facts  # noqa: E402
import tuneproof_loading  # noqa: E402
import tuneproof_pace  # noqa: E402
import tuneproof_recorder  # noqa: E402
import tuneproof_steps  # noqa: E402
import tuneproof_window  # noqa: E402

MOMENT = {"before": 10.0, "cpu": 5.0, "thread": 2.0, "queued": 1.0, "id": 7, "after": 10.0}


def used(cpus, threads=None, started=0, time=0, **later):
    """Two CPUs' or more: what is known of a time that ends so much later."""
    later.update(before=time, after=time)
    moments = [MOMENT, {**MOMENT, **{name: MOMENT[name] + more for name, more in later.items()}}]
    of_others = [3.0, None if started is None else 3.0 + started]
    with unittest.mock.patch.multiple(tuneproof_facts.Used, now=lambda self: moments.pop(0), started_so_far=lambda self: of_others.pop(0)), \
            unittest.mock.patch.object(tuneproof_facts, "cpus", lambda: cpus):
        return tuneproof_facts.Used(threads).end()


class HeldBack(unittest.TestCase):
    def test_what_the_program_itself_computed_is_not_the_others(self):
        self.assertEqual(used(2, time=10, cpu=6, thread=6, queued=4), (1.0, 0.4))
        self.assertEqual(used(2, time=10, cpu=10, thread=6, queued=4)[1], 0.2)              # a second thread
        self.assertEqual(used(2, time=10, cpu=6, thread=6, queued=4, started=8)[1], 0)      # workers
        self.assertEqual(used(2, time=10, cpu=20, thread=10, queued=0)[1], 0)               # a quiet machine

    def test_threads_that_have_a_cpu_each_wait_for_others_alone(self):
        self.assertEqual(used(2, threads=2, time=10, cpu=10, thread=6, queued=4)[1], 0.4)   # a pool's thread waits and spins
        self.assertEqual(used(2, threads=4, time=10, cpu=10, thread=6, queued=4)[1], 0.2)   # there are more than CPUs
        self.assertEqual(used(2, threads=2, time=10, cpu=6, thread=6, queued=4, started=8)[1], 0)

    def test_what_cannot_be_known_is_not_said(self):
        self.assertIsNone(used(2, time=10, cpu=6, thread=6, queued=8, started=None)[1])
        self.assertIsNone(used(2, time=10, cpu=6, thread=6, queued=4, id=1)[1])  # another thread ends the training

    def test_one_wait_is_no_share_of_a_time_as_short(self):
        busy, waits = used(2, time=0.001, cpu=0.001, thread=0.001, queued=0)
        self.assertAlmostEqual(busy, 1)
        self.assertIsNone(waits)
        self.assertIsNone(used(2, time=0.004, cpu=0.001, thread=0.001, queued=0.003)[1])

    def test_waits_that_are_longer_than_the_time_say_nothing(self):
        self.assertEqual(used(2, time=1, cpu=0.5, thread=0.5, queued=2), (None, None))

    def test_a_wait_between_the_readings_is_part_of_the_time(self):
        """The clock moves at each look at the waits, which grow as much."""
        state = {"now": 0.0}

        def queued():
            state["now"] += 1.0
            return state["now"]
        with unittest.mock.patch.multiple(tuneproof_facts, monotonic=lambda: state["now"], queued_seconds=queued, cpus=lambda: 2,
                                          process_time=lambda: 0.0, thread_time=lambda: 0.0, started_seconds=lambda: 0.0):
            self.assertEqual(tuneproof_facts.Used(2).end(), (0.0, 0.5))  # 2 s, of which the first look's lie before what it says

    def test_the_profilers_start_lies_before_the_time(self):
        order = []

        class Window(tuneproof_window.Window):
            def __init__(self):
                self.profile = unittest.mock.Mock(start_trace=lambda: order.append("profiler"))

            def enter_step(self):
                order.append("step")
        Window().begin(lambda: order.append("time"))
        self.assertEqual(order, ["profiler", "time", "step"])

    def test_only_the_lock_makes_a_thread_wait_for_anothers_cpu(self):
        goes_on = threading.Event()
        other = threading.Thread(target=goes_on.wait)
        other.start()
        self.addCleanup(other.join)
        self.addCleanup(goes_on.set)
        with unittest.mock.patch.object(tuneproof_facts, "queued_seconds", lambda thread=None: 1.0):
            for lock, others in (True, 1.0), (False, 0.0):
                with unittest.mock.patch.object(sys, "_is_gil_enabled", lambda lock=lock: lock, create=True):
                    self.assertEqual(tuneproof_facts.python_queued_seconds(), (1.0, others))

    @unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "this kernel does not count waits for a CPU")
    def test_the_children_of_a_child_are_the_programs_own(self):
        burn = "import time\nwhile time.process_time() < 0.1: pass\nprint(flush=True)\ninput()"
        child = f"import subprocess, sys\nraise SystemExit(subprocess.call([sys.executable, '-c', {burn!r}]))"
        with subprocess.Popen([sys.executable, "-c", child], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            self.assertGreaterEqual(tuneproof_facts.started_seconds(), 0.1)
            process.communicate(b"\n")

    @unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "this kernel does not count waits for a CPU")
    def test_a_program_on_the_same_cpu_holds_it_back(self):
        cpus = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cpus)})
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        with tempfile.TemporaryDirectory(prefix="tuneproof.") as folder:
            flag, begun = pathlib.Path(folder) / "go on", pathlib.Path(folder) / "begun"
            flag.touch()
            begun.touch()
            busy = f"import os\nprint(flush=True)\nwhile os.path.exists({str(flag)!r}): pass"
            # The shell that starts it has ended: it is not ours.
            started = subprocess.run(["sh", "-c", f'{sys.executable} -c "$1" >"{begun}" &', "sh", busy], stdin=subprocess.DEVNULL)
            self.assertEqual(started.returncode, 0)
            while not begun.stat().st_size:
                os.sched_yield()
            before = tuneproof_facts.Used()
            until = time.process_time() + 0.2
            while time.process_time() < until:
                pass
            share = before.end()[1]
            flag.unlink()
        self.assertGreater(share, 0.1)


class Packages(unittest.TestCase):
    def test_what_is_installed_is_told_from_what_lies_beside_the_program(self):
        class Module:
            def __init__(self, file):
                self.__file__ = file
        folder = next(iter({tuneproof_facts.sysconfig.get_path("purelib")}))
        with unittest.mock.patch.dict(sys.modules, {"made_up": Module(folder + "/made_up/__init__.py"), "made_up.part": Module(folder + "/made_up/part.py"),
                                                    "own_file": Module("beside/own_file.py"), "no_file": Module(None)}):
            names = tuneproof_facts.packages()
        self.assertIn("made_up", names)
        self.assertFalse({"own_file", "no_file", "made_up.part"} & set(names))


class Iterator:
    def __init__(self):
        self._num_yielded = 0

    def give(self):
        self._num_yielded += 1


class Epochs(unittest.TestCase):
    """A training by hand: loaders with workers, and a recorder that only counts steps."""
    def setUp(self):
        class DataLoader:
            num_workers, persistent_workers, batch_size, multiprocessing_context = 2, False, 8, None

            def __iter__(self):
                return Iterator()

        class torch:
            class multiprocessing:
                get_start_method = staticmethod(lambda: "fork")

        torch.utils = type("utils", (), {"data": type("data", (), {"DataLoader": DataLoader})})
        Iterator.__next__ = Iterator.give
        self.recorder = type("recorder", (), {"steps": 0, "wake": 0})()
        self.training, self.evaluation = DataLoader(), DataLoader()
        self.loading = tuneproof_loading.Loading(torch, self.recorder, "")

    def step(self, *iterators):
        for iterator in iterators:
            iterator.give()
        self.recorder.steps += 1
        self.loading.step_ended()

    def began(self):
        return [epoch.step for epoch in self.loading.epochs]

    def test_an_evaluation_within_an_epoch_begins_none(self):
        for epoch in range(2):
            batches = iter(self.training)
            for at in range(6):
                self.step(batches)
                if at % 2:
                    held = iter(self.evaluation)  # alive while the next step ends, or not
                    held.give()
                    del held
                    kept = iter(self.evaluation)
                    kept.give()
        self.assertEqual(self.began(), [0, 6])
        self.assertIs(self.loading.current.iterator(), batches)

    def test_an_evaluation_between_epochs_begins_none(self):
        for epoch in range(2):
            batches = iter(self.training)
            for _ in range(3):
                self.step(batches)
            iter(self.evaluation).give()
        self.assertEqual(self.began(), [0, 3])

    def test_two_loaders_that_begin_together_begin_an_epoch(self):
        for epoch in range(2):
            batches, others = iter(self.training), iter(self.training)
            for _ in range(3):
                self.step(batches, others)
        self.assertEqual(self.began(), [0, 3])


class Ends(unittest.TestCase):
    """What is to be called when a frame has returned, in a Python without the lock."""
    def ended(self, call):
        order = []

        @contextlib.contextmanager
        def within():
            yield
            order.append("range")

        def hook():
            tuneproof_recorder.after_caller(sys._getframe(1), lambda: (order.append("call"), call()))

        def step():
            with within():
                hook()
                order.append("step")

        with unittest.mock.patch.object(tuneproof_facts, "has_lock", lambda: False), \
                unittest.mock.patch.object(sys, "settrace", side_effect=AssertionError("it stops all threads")):
            step()
        return order

    def test_it_is_called_behind_the_frames_own_ranges_and_no_thread_is_stopped(self):
        self.assertEqual(self.ended(lambda: None), ["step", "range", "call"])

    def test_an_interrupt_that_comes_within_the_call_reaches_the_program_at_the_next_step(self):
        def interrupted():
            raise KeyboardInterrupt
        self.ended(interrupted)
        with self.assertRaises(KeyboardInterrupt):
            tuneproof_recorder.Recorder.ended(unittest.mock.Mock())
        self.assertFalse(tuneproof_recorder.AtItsEnd.interrupted)


class Batches(unittest.TestCase):
    """Of a worker whose CPUs are few: its other thread hands the batches over."""
    def loaded(self, *batches):
        """What is known of these: seconds, CPU seconds, and those that this thread and the other waited for a CPU."""
        now, cpu, queued, others = 0.0, 0.0, 0.0, 0.0
        with tempfile.TemporaryDirectory(prefix="tuneproof.") as folder:
            (pathlib.Path(folder) / "loading").mkdir()
            meter = tuneproof_loading.Meter(os.path.join(folder, "loading", f"{os.getpid()}.1"), lambda: 1)
            with unittest.mock.patch.multiple(tuneproof_loading, monotonic=lambda: now, process_time=lambda: cpu,
                                              python_queued_seconds=lambda: (queued, others)):
                for batch in batches:
                    meter.begin()
                    now, cpu, queued, others = (sum(pair) for pair in zip((now, cpu, queued, others), batch))
                    meter.end()
                meter.write()
            return tuneproof_loading.measured(folder, [1])

    def test_a_worker_that_sleeps_while_its_other_thread_waits_does_not_compute(self):
        loaded = self.loaded((0.05, 0.003, 0.01, 0.0), (0.05, 0.003, 0.01, 0.05), (0.05, 0.003, 0.01, 0.03))
        self.assertAlmostEqual(loaded["load_s"], 0.04)
        self.assertAlmostEqual(loaded["cpu_s"], 0.003)

    def test_a_worker_that_computes_takes_its_cpu_seconds_however_long_the_lock_was_held(self):
        loaded = self.loaded((0.01, 0.01, 0.0, 0.0), (0.07, 0.01, 0.02, 0.04), (0.05, 0.01, 0.0, 0.04))
        self.assertAlmostEqual(loaded["load_s"], 0.01)


class Behind(unittest.TestCase):
    """Steps that follow a window of five of 0.1 s each, by a clock that only they move."""
    def setUp(self):
        self.now, self.queued, self.notes = 0.0, 7.0, []
        clocks = unittest.mock.patch.multiple(tuneproof_pace, monotonic=lambda: self.now, queued_seconds=lambda: self.queued)
        clocks.start()
        self.addCleanup(clocks.stop)
        self.pace = tuneproof_pace.Pace(0.1, 20, 5, lambda what, **more: self.notes.append((what, more)))

    def steps(self, *seconds):
        for took in seconds:
            self.now += took
            self.pace.step_ended()

    def test_their_time_and_the_distance_of_the_long_ones_are_counted(self):
        self.steps(*([0.1] * 4 + [1.0] + [0.1] * 15 + [1.0] + [0.1] * 15 + [1.0]))
        facts = self.pace.facts()
        self.assertEqual((facts["steps"], facts["long"]["steps"], facts["long"]["apart"]), (37, 3, 16))
        self.assertAlmostEqual(facts["seconds"], 6.4)
        self.assertAlmostEqual(facts["long"]["seconds"], 3.0)

    def test_the_first_distance_begins_where_the_window_did(self):
        self.steps(*[0.1] * 9, 1.0)
        self.assertEqual(self.pace.facts()["long"]["apart"], 15)

    def test_steps_that_were_only_late_do_not_hide_how_far_the_long_ones_are_apart(self):
        for _ in range(5):
            self.steps(*[0.1] * 6, 0.3, *[0.1] * 12, 7.0)
        long = self.pace.facts()["long"]
        self.assertEqual((long["steps"], long["apart"]), (5, 25))  # 5 of the window, then 20
        self.assertAlmostEqual(long["seconds"], 35)

    def test_waits_for_a_cpu_make_no_step_long(self):
        for _ in range(4):
            self.steps(*[0.1] * 5)
            self.queued += 0.9
            self.steps(1.0)
        self.assertNotIn("long", self.pace.facts())
        self.assertAlmostEqual(self.pace.facts()["seconds"], 2.4)
        self.queued += 0.5
        self.steps(1.5)
        self.assertAlmostEqual(self.pace.facts()["long"]["seconds"], 1.0)

    def test_only_long_steps_look_at_the_waits(self):
        with unittest.mock.patch.object(tuneproof_pace, "queued_seconds", side_effect=AssertionError):
            self.steps(*[0.1] * 30)

    def test_a_run_without_long_steps_names_none(self):
        self.steps(*[0.1] * 30)
        self.assertNotIn("long", self.pace.facts())

    def test_what_is_kept_does_not_grow_with_the_run(self):
        for _ in range(5000):
            self.steps(0.1, 100.0)
        self.assertLessEqual(len(self.pace.long), tuneproof_pace.MOST_DOUBLINGS)
        self.assertEqual([note["steps"] for _, note in self.notes], [16 << i for i in range(10)])

    def test_nothing_is_said_before_a_step_has_ended(self):
        self.pace.say()
        self.assertEqual(self.notes, [])
        self.steps(0.1)
        self.pace.say()
        self.assertEqual([(what, more["first"], more["steps"]) for what, more in self.notes], [("pace", 20, 1)])


class CutOff(unittest.TestCase):
    def test_the_step_in_which_the_program_ended_is_marked(self):
        class Window(tuneproof_window.Window):
            def __init__(self, recorded):
                self.stage, self.first, self.recorded, self.facts = "recording", 4, recorded, None
                self.range = contextlib.nullcontext()

            def stop(self, facts, note):
                self.stage, self.facts = "stopped", facts

            def write(self, note):
                self.stage = "kept"

            def abandon(self):
                self.stage = "abandoned"

        window, without_a_whole_one = Window(1), Window(0)
        self.assertTrue(window.finish(lambda: {"cpus": 2}, print))
        self.assertEqual(window.facts, {"cpus": 2, "cut_off": 5})
        self.assertFalse(without_a_whole_one.finish(dict, print))


class StepTimes(unittest.TestCase):
    def of_a_training(self, steps):
        """What is noted of that many steps of 2 s, which settle with the eleventh."""
        times = tuneproof_steps.StepTimes.__new__(tuneproof_steps.StepTimes)
        times.begun = times.last = None
        times.noted, times.options, times.settling = 0, {"steps": None}, tuneproof_recorder.Settling()
        times.torch, times.note = unittest.mock.MagicMock(), unittest.mock.Mock()
        times.torch.cuda.is_initialized.return_value = False
        now = {"monotonic": lambda: 2.0 * times.steps}
        for times.steps in range(1, steps + 1):
            with unittest.mock.patch.multiple(tuneproof_steps, **now), unittest.mock.patch.multiple(tuneproof_recorder, **now):
                times.step_ended(None)
        times.say()
        return times.note.call_args.kwargs

    def test_times_that_settle_with_the_last_step_or_never_are_those_of_the_steps_before(self):
        self.assertEqual(self.of_a_training(11), {"steps": 9, "seconds": 18.0})
        self.assertEqual(self.of_a_training(5), {"steps": 3, "seconds": 6.0})

    def test_where_they_have_settled_earlier_only_what_follows_counts(self):
        self.assertEqual(self.of_a_training(14), {"steps": 3, "seconds": 6.0})


if __name__ == "__main__":
    unittest.main()
