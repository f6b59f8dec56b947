"""The lines that measure.py has written, one for each form of a peer."""

from __future__ import annotations

import contextlib
import json
import pathlib


def whole_lines(file: pathlib.Path) -> list[dict]:
    """Without those that a kill has cut: their forms are measured again. Empty where there is no file."""
    found = []
    for text in file.read_text(errors="replace").splitlines() if file.exists() else []:
        with contextlib.suppress(ValueError):
            found.append(json.loads(text))
    return found
