"""How long the steps take that follow a window: evaluations, rollouts and checkpoints may lie between them.

They are timed without a profiler, and nothing is kept of a single step, however many there are.
"""

from time import monotonic

from tuneproof_facts import queued_seconds

LONG = 2           # times a step of the window: a longer one holds something else, too
MOST_DOUBLINGS = 30
MOST_OF = 0.8      # of the time of all long steps: those that take it matter
SELDOM = 16        # steps before the first note; from there on at every doubling, for who is killed says nothing at the end


class Long:
    """Steps from some length on."""
    def __init__(self):
        self.steps, self.seconds, self.last, self.apart = 0, 0.0, 0, 0

    def add(self, at, took):
        self.steps += 1
        self.seconds += took
        self.apart = max(self.apart, at - self.last)  # the first one's distance is from the window's begin
        self.last = at


class Pace:
    """Of the steps behind a window whose own take `usual` seconds."""
    def __init__(self, usual, first, recorded, note):
        self.usual, self.first, self.recorded, self.note = max(usual, 1e-9), first, recorded, note
        self.steps, self.begun = 0, monotonic()
        self.last = self.begun
        self.queued, self.waited = queued_seconds(), 0.0
        self.long = []  # from LONG times the usual length on, and from each doubling of that

    def step_ended(self):
        now = monotonic()
        took, self.last = now - self.last, now
        self.steps += 1
        if took >= LONG * self.usual:
            self.was_long(took - self.waits(took))
        if self.steps >= SELDOM and self.steps & (self.steps - 1) == 0:
            self.say()

    def waits(self, took):
        """Of a step that took so long, its waits for a CPU, which are no evaluation; those of shorter steps since the last
        look count as its own, for a look at each step would cost too much."""
        queued = queued_seconds()
        waited, self.queued = min(max(queued - self.queued, 0.0), took), queued
        self.waited += waited
        return waited

    def was_long(self, took):
        length = LONG * self.usual
        for doubling in range(MOST_DOUBLINGS):
            if took < length:
                return
            if doubling == len(self.long):
                self.long.append(Long())
            self.long[doubling].add(self.recorded + self.steps, took)
            length *= 2

    def say(self):
        if self.steps:
            self.note("pace", first=self.first, **self.facts())

    def facts(self):
        """Of the long steps the longest that take most of the time of all: with a few that were only late among them, their
        distance would say nothing."""
        facts = {"steps": self.steps, "seconds": self.last - self.begun - self.waited}
        if not self.long:
            return facts
        long = [one for one in self.long if one.seconds >= MOST_OF * self.long[0].seconds][-1]
        return {**facts, "long": {"steps": long.steps, "seconds": long.seconds, "apart": long.apart}}
