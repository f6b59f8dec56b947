"""How long a part may take on a GPU, in seconds: measured or counted for an H200, counted for a T4.

What is counted, and where it comes from, stands in docs/bundle.md. A part that is cut goes on in the next call, so that a
limit which is too low costs a process start and one that is too high delays what comes behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

LARGE = 80  # multiprocessors: from here on a GPU is taken for one like an H200 (132), below for one like a T4 (40)


@dataclass(frozen=True)
class Size:
    """`least`: with fewer seconds left the part waits for the next call. `most`: of one try."""
    least: float
    most: float


Sizes = Callable[[str], Size]

# name: least, most on an H200; least, most on a T4
SECONDS = {
    "peers-copies": (15, 40, 15, 60),
    "prices-copies": (15, 120, 20, 240),
    "prices-products": (10, 60, 15, 120),
    "suite": (40, 300, 60, 600),
    "rungs": (100, 470, 300, 900),
    "end-to-end": (60, 170, 120, 600),
    "peers-stgym": (40, 150, 60, 300),
    "claims": (250, 560, 400, 900),
    "selftest": (100, 240, 150, 300),
    "models": (60, 290, 120, 600),
    "models-compiled": (60, 400, 120, 600),
    "peers-models": (60, 400, 120, 600),
    "sage": (60, 180, 120, 600),
    "prices-launches": (10, 60, 10, 90),
    "traces": (20, 90, 30, 180),
    "prices-others": (15, 90, 20, 180),
    "ladder": (120, 600, 300, 600),
    "full-suite": (120, 600, 200, 600),
    "gpu-tests": (20, 180, 30, 420),
    "memcheck": (20, 240, 30, 480),
    "racecheck": (20, 240, 30, 480),
}


def of(multiprocessors: int) -> Sizes:
    first = 0 if multiprocessors >= LARGE else 2
    return lambda name: Size(*SECONDS[name][first:first + 2])
