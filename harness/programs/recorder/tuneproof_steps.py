"""The time of a step, without a profiler: what `tuneproof versus --metric step` compares."""

import os
import sys
from time import monotonic

import tuneproof_recorder

AT_LEAST = 1  # seconds between two notes of a program that may be killed


class StepTimes(tuneproof_recorder.Recorder):
    """Notes how long the steps take from where their times have settled; start-up is before."""
    def __init__(self, torch, options, note, folder):
        super().__init__(torch, options, note, folder)
        self.begun = self.last = None  # (time, steps that had ended): where times had settled, and the last step
        self.noted = 0

    def is_time(self):
        return True

    def step_ended(self, _):
        now = monotonic()
        if self.begun is None:
            if self.settling.settled(self.steps):
                self.begun = self.last = (self.after_device(), self.steps)
                self.noted = now
            return
        self.last = (now, self.steps)
        most = self.options["steps"]
        if most and self.steps - self.begun[1] >= most:
            self.last = (self.after_device(), self.steps)
            self.say()
            self.end_program()
        elif now - self.noted > AT_LEAST:
            self.say()

    def after_device(self):
        """The time once the device has done what it was given: the host may be steps ahead of it."""
        if self.torch.cuda.is_initialized():
            self.torch.cuda.synchronize()
        return monotonic()

    def say(self):
        self.noted = monotonic()
        begun, last = self.begun, self.last
        if begun == last:  # times never settled, or with the last step: all but the first step, of the last ten
            ends = list(self.settling.ends)[1:]
            if len(ends) < 2:
                return
            begun, last = (ends[0], 0), (ends[-1], len(ends) - 1)
        if last[1] > begun[1]:
            self.note("step_times", steps=last[1] - begun[1], seconds=last[0] - begun[0])

    @staticmethod
    def end_program():
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(0)

    def make_way(self):
        """A profiler of the program's is part of what it does."""

    def in_child(self):
        super().in_child()
        self.begun = self.last = None

    @tuneproof_recorder.guarded
    def at_exit(self):
        self.say()
