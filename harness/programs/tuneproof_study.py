"""Optuna behind a pipe: tuneproof asks what to try next, and tells what it gave.

Lines of JSON on standard input, one answer to each. harness/programs/knob_search.cpp is the other side.
"""

import contextlib
import itertools
import json
import math
import os
import random
import sqlite3
import sys

FEW = 4096  # settings that are counted whether all of them have been tried
DRAWS = 8   # of the sampler, until settings come that nobody has tried


def check_storage(file):
    """Before Optuna adds its tables to it."""
    if os.path.exists(file):
        with contextlib.closing(sqlite3.connect(file)) as database:
            tables = {name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "studies" not in tables:
            raise ValueError("it is a database of something else")


class Study:
    def __init__(self, order):
        import optuna
        check_storage(order["storage"])
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.states, self.seed = optuna, optuna.trial.TrialState, order["seed"]
        self.knobs = {knob["name"]: knob for knob in order["knobs"]}
        self.space = {name: optuna.distributions.IntDistribution(0, len(knob["values"]) - 1) if knob["ordered"]
                      else optuna.distributions.CategoricalDistribution(range(len(knob["values"])))
                      for name, knob in self.knobs.items()}

        def connect():  # by a function: a name with `?` or `{` in it means something else in a URL
            return sqlite3.connect(os.path.abspath(order["storage"]), timeout=30, check_same_thread=False)

        is_new = not os.path.exists(order["storage"])
        try:
            self.study = optuna.create_study(
                study_name=order["study"], load_if_exists=True,
                storage=optuna.storages.RDBStorage("sqlite:///study.db", engine_kwargs={"creator": connect}),
                pruner=optuna.pruners.MedianPruner(n_startup_trials=4))
        except Exception:  # such as a disk that is full: half a database is none
            if is_new and os.path.exists(order["storage"]):
                os.unlink(order["storage"])
            raise
        self.open_trials = {}

    def open(self):
        """The trials that have ended. One that was begun and never ended was killed: it is tried again."""
        trials = self.study.get_trials(deepcopy=False)
        if not trials:
            self.study.enqueue_trial({name: 0 for name in self.space})
        for trial in trials:
            if trial.state == self.states.RUNNING:
                self.study.tell(trial.number, state=self.states.FAIL)
                if set(trial.params) == set(self.space):
                    self.study.enqueue_trial(trial.params)
        return {"version": self.optuna.__version__, "tried": [self.told(trial) for trial in trials if "state" in trial.user_attrs]}

    def told(self, trial):
        return {"number": trial.number, "settings": self.settings(trial.params), "state": trial.user_attrs["state"],
                "value": trial.user_attrs["value"], "output": trial.user_attrs["output"]}

    def settings(self, params):
        return {name: knob["values"][params[name]] for name, knob in self.knobs.items()}

    def ask(self, _):
        ended = {key(trial.params): trial for trial in self.study.get_trials(deepcopy=False) if "state" in trial.user_attrs}
        ways = math.prod(len(knob["values"]) for knob in self.knobs.values())
        if ways <= FEW and len(ended) >= ways:
            return {"done": True}
        for _ in range(DRAWS):
            trial = self.drawn()
            if key(trial.params) not in ended:
                break
            self.repeat(trial, ended[key(trial.params)])
        else:
            trial = self.untried(ended)
        self.open_trials[trial.number] = trial
        return {"number": trial.number, "settings": self.settings(trial.params)}

    def drawn(self):
        """A seed of its own for each trial: a search that goes on draws what it would have drawn."""
        seed = random.Random(f"{self.seed}/{len(self.study.get_trials(deepcopy=False))}").getrandbits(32)
        self.study.sampler = self.optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=8)
        return self.study.ask(self.space)

    def repeat(self, trial, before):
        """Settings that were tried already have the answer that they had then."""
        if before.state == self.states.COMPLETE:
            self.study.tell(trial.number, before.value)
        else:
            self.study.tell(trial.number, state=before.state)

    def untried(self, ended):
        """At random, since the sampler draws what it knows again and again."""
        coin = random.Random(f"{self.seed}/{len(ended)}")
        sizes = {name: len(knob["values"]) for name, knob in self.knobs.items()}
        every = itertools.product(*(range(size) for size in sizes.values())) if math.prod(sizes.values()) <= FEW else (
            [coin.randrange(size) for size in sizes.values()] for _ in itertools.count())
        ways = [way for way in itertools.islice(every, FEW) if key(dict(zip(sizes, way))) not in ended]
        self.study.enqueue_trial(dict(zip(sizes, coin.choice(ways))))
        return self.study.ask(self.space)

    def report(self, question):
        trial = self.open_trials[question["number"]]
        trial.report(question["value"], question["steps"])
        return {"give_up": bool(trial.should_prune())}  # of NumPy where it compares medians

    def tell(self, question):
        trial = self.open_trials.pop(question["number"])
        for name in ("state", "value", "output"):
            trial.set_user_attr(name, question[name])
        if question["state"] == "complete":
            self.study.tell(trial.number, question["value"])
        else:
            self.study.tell(trial.number, state=self.states.PRUNED if question["state"] == "pruned" else self.states.FAIL)
        return {}


def key(params):
    return tuple(sorted(params.items()))


def main():
    study = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if question["ask"] == "open":
                study = Study(question)
                answer = study.open()
            else:
                answer = getattr(study, question["ask"])(question)
        except ImportError as error:
            answer = {"missing": f"{sys.executable}: {error}"}
        except Exception as error:  # whatever it is, the other side says it
            answer = {"error": f"{type(error).__name__}: {str(error) or 'what is in it was not expected'}".splitlines()[0]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")  # experimental parts of Optuna say so on every call
    main()
