"""`run --count instructions` on one row, by the kernel's counter or under valgrind; skipped where there is neither.

Usage: count_instructions.test.py TUNEPROOF
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from memory_limit import sanitized

ROW = "launch/framework_overhead/values:1/call:add_out/device:cpu"  # 100 calls of an operator; a loop of 100 additions

if sanitized(sys.argv[1]):
    print("skipped: valgrind runs no program that AddressSanitizer is built into")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "r.json"
    done = subprocess.run([sys.argv[1], "run", ROW, "--count", "instructions", "--json", file, "--details"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if "instructions cannot be counted" in done.stderr:
        print("skipped:", [line for line in done.stderr.splitlines() if "instructions" in line])
        sys.exit(77)
    figures = {f["name"]: f for f in json.loads(file.read_text())["tuneproof"]["pairs"][0]["figures"]}
count = figures["instructions"]
assert count["unit"] == "instructions", count
assert count["optimized"] >= 100, count  # an addition is an instruction at least
assert count["naive"] >= 20 * count["optimized"], count  # an operator's call is hundreds
assert "instructions" in done.stdout, done.stdout
assert "counting " + ROW in done.stderr, done.stderr  # it takes minutes: what it is doing is said
print(count)
