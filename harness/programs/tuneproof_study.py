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
        self.draft = optuna.create_study()
        self.open_trials = {}

    def open(self):
        """The trials that have ended, and how many others the study holds: one that was cut failed, and is tried again."""
        for trial in self.study.get_trials(deepcopy=False, states=[self.states.WAITING]):
            self.study.ask(self.space)  # only what runs can be told an end
        for trial in self.study.get_trials(deepcopy=False, states=[self.states.RUNNING]):
            self.fail(trial.number)
        trials = self.study.get_trials(deepcopy=False)
        ended = [trial for trial in trials if "state" in trial.user_attrs]
        self.draft.add_trials(ended)
        return {"version": self.optuna.__version__, "tried": [self.told(trial) for trial in ended], "uncounted": len(trials) - len(ended)}

    def told(self, trial):
        return {"number": trial.number, "settings": self.settings(trial.params), "state": trial.user_attrs["state"],
                "value": trial.user_attrs["value"], "output": trial.user_attrs["output"],
                "seconds": trial.duration.total_seconds()}

    def settings(self, params):
        return {name: knob["values"][params[name]] for name, knob in self.knobs.items()}

    def ask(self, _):
        trials = self.study.get_trials(deepcopy=False)
        ended = {key(trial.params) for trial in trials if "state" in trial.user_attrs}
        ways = math.prod(len(knob["values"]) for knob in self.knobs.values())
        if ways <= FEW and len(ended) >= ways:
            return {"done": True}
        cut = [trial.params for trial in trials if set(trial.params) == set(self.space) and key(trial.params) not in ended]
        if not ended:
            params = {name: 0 for name in self.space}
        else:
            params = cut[0] if cut else self.untried(ended)
        self.study.enqueue_trial(params)
        trial = self.study.ask(self.space)
        self.open_trials[trial.number] = trial
        return {"number": trial.number, "settings": self.settings(trial.params)}

    def untried(self, ended):
        """As the sampler draws it, or at random, since it draws what it knows again and again. It draws in a copy of the study: the
        study itself holds what ran, and no draw that was dropped."""
        for draw in range(DRAWS):
            # A seed of its own for each draw: a search that goes on draws what it would have drawn.
            seed = random.Random(f"{self.seed}/{len(ended)}/{draw}").getrandbits(32)
            self.draft.sampler = self.optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=8)
            params = self.draft.ask(self.space).params
            if key(params) not in ended:
                return params
        coin = random.Random(f"{self.seed}/{len(ended)}")
        sizes = {name: len(knob["values"]) for name, knob in self.knobs.items()}
        every = itertools.product(*(range(size) for size in sizes.values())) if math.prod(sizes.values()) <= FEW else (
            [coin.randrange(size) for size in sizes.values()] for _ in itertools.count())
        ways = [way for way in itertools.islice(every, FEW) if key(dict(zip(sizes, way))) not in ended]
        return dict(zip(sizes, coin.choice(ways)))

    def report(self, question):
        trial = self.open_trials[question["number"]]
        trial.report(question["value"], question["steps"])
        return {"give_up": bool(trial.should_prune())}  # of NumPy where it compares medians

    def tell(self, question):
        trial = self.open_trials.pop(question["number"])
        for name in ("state", "value", "output"):
            trial.set_user_attr(name, question[name])
        if question["state"] == "complete":
            ended = self.study.tell(trial.number, question["value"])
        else:
            ended = self.study.tell(trial.number, state=self.states.PRUNED if question["state"] == "pruned" else self.states.FAIL)
        self.draft.add_trial(ended)
        return {}

    def fail(self, number):
        self.study.tell(number, state=self.states.FAIL, skip_if_finished=True)

    def close(self):
        """What was asked for and not told was cut, however the other side has ended."""
        for number in self.open_trials:
            self.fail(number)


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
        try:
            print(json.dumps(answer), flush=True)
        except BrokenPipeError:  # the other side was killed while it waited
            break
    if study:
        study.close()


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")  # experimental parts of Optuna say so on every call
    main()
