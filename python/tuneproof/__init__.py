"""tuneproof in Python: measure tips and callables of your own, read results, watch a loop.

    tuneproof.run("sync/*")                          rows of published tips, measured here
    tuneproof.results("results.json")                a results file as a table
    tuneproof.compare(module.slow, module.fast)      two callables, in fresh processes, with the same judgment
    tuneproof.versus(["./old", "./new"])             commands of any kind, in fresh processes, with the same judgment
    with tuneproof.watch(): train()                  what holds up a training loop
"""

from ._compare import Comparison, compare
from ._program import results, run, versus
from ._watch import watch

__all__ = ["Comparison", "compare", "results", "run", "versus", "watch"]
