"""Optuna behind a pipe: tuneproof asks for settings and tells what a training with them gave.

Lines of JSON on descriptor 4, one answer to each question. harness/tune/optuna.cpp is the other side.
"""

import contextlib
import functools
import itertools
import json
import math
import os
import random
import sqlite3
import sys


class Unseen:
    """Mixed into Optuna's sampler: draws again while the settings were tried before, and at the beginning draws
    jointly at random."""

    tries = 64
    first_random = 10

    def draw(self, space):
        return {name: self.coin.choice(choices(distribution)) for name, distribution in space.items()}

    def sample_relative(self, study, trial, search_space):
        tried = {key(other.params) for other in study.get_trials(deepcopy=False) if other.number != trial.number}
        finished = [other for other in study.get_trials(deepcopy=False) if other.state.is_finished()]
        for attempt in range(self.tries):
            if len(finished) < self.first_random or attempt >= self.tries // 2:
                params = self.draw(self.space)
            else:
                params = super().sample_relative(study, trial, search_space) or self.draw(self.space)
            if key(params) not in tried and not self.clash(params):
                return params
        return next((params for params in iter(lambda: self.draw(self.space), None) if not self.clash(params)))

    def infer_relative_search_space(self, study, trial):
        return self.space


def key(params):
    return tuple(sorted(params.items()))


def choices(distribution):
    return list(range(distribution.low, distribution.high + 1)) if hasattr(distribution, "low") else list(distribution.choices)


def refusal(order):
    """What speaks against the storage before Optuna adds its tables or a study to it."""
    if not os.path.exists(order["storage"]):
        return None
    with contextlib.closing(sqlite3.connect(os.path.abspath(order["storage"]))) as database:
        tables = {name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "studies" not in tables:
            return {"foreign": True}
        studies = {name for name, in database.execute("SELECT study_name FROM studies")} if tables else set()
    return {"refused": "workload"} if studies - {order["study"]} else None


def constraints(trial):
    return trial.user_attrs.get("constraints", [])


class Study:
    def __init__(self, order):
        import optuna
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.optuna, self.order = optuna, order
        self.knobs = {knob["name"]: knob for knob in order["knobs"]}
        self.space = {name: optuna.distributions.IntDistribution(0, len(knob["values"]) - 1) if knob["ordered"]
                      else optuna.distributions.CategoricalDistribution(knob["values"]) for name, knob in self.knobs.items()}
        self.sampler = type("Sampler", (Unseen, optuna.samplers.TPESampler), {})
        storage = order["storage"] or None
        if storage:
            connect = functools.partial(sqlite3.connect, os.path.abspath(storage), timeout=30, check_same_thread=False)
            # By a function of ours: a name with `?` or `{` in it means something else in a URL.
            storage = optuna.storages.RDBStorage("sqlite:///study.db", engine_kwargs={"creator": connect})
        self.study = optuna.create_study(
            study_name=order["study"], storage=storage, load_if_exists=True,
            directions=["minimize"] * (2 if order["pareto"] else 1), pruner=optuna.pruners.MedianPruner(
                n_startup_trials=8, n_warmup_steps=2))
        self.open_trials = {}

    def params(self, settings):
        return {name: knob["values"].index(settings[name]) if knob["ordered"] else settings[name]
                for name, knob in self.knobs.items()}

    def settings(self, params):
        return {name: knob["values"][params[name]] if knob["ordered"] else params[name] for name, knob in self.knobs.items()}

    def clash(self, params):
        """True if no training has these together."""
        settings = self.settings(params)
        return any(settings.get(knob) == value and settings.get(other) == other_value
                   for knob, value, other, other_value in self.order["clashes"])

    def open(self):
        """What the study holds: every finished trial. Another plan under the same name is refused."""
        known = self.study.user_attrs.get("plan")
        if known is not None and known != self.order["plan"]:
            changed = sorted(name for name in {*known, *self.order["plan"]} if known.get(name) != self.order["plan"].get(name))
            return {"refused": ", ".join(changed)}
        if known is None:
            self.study.set_user_attr("plan", self.order["plan"])
            for settings in self.order["first"]:
                self.study.enqueue_trial(self.params(settings))
        finished = [trial.user_attrs["tried"] | {"number": trial.number}
                    for trial in self.study.get_trials(deepcopy=False) if "tried" in trial.user_attrs]
        return {"version": self.optuna.__version__, "tried": finished}

    def left_open(self):
        """A trial that was begun and never told: the search was killed in it. It is done again, under its number."""
        for trial in self.study.get_trials(deepcopy=False, states=(self.optuna.trial.TrialState.RUNNING,)):
            if trial.number in self.open_trials:
                continue
            if "tried" in trial.user_attrs:  # killed between the answer and its end
                self.finish(trial.number, trial.user_attrs["tried"])
            else:
                return self.drawn(trial)
        return None

    def drawn(self, begun):
        """The trial with all its knobs. Killed while it was drawn, it lacks some: they are drawn as they would have been."""
        self.sample_with(begun.number)
        trial = self.optuna.trial.Trial(self.study, begun._trial_id)
        for name, distribution in self.space.items():
            trial._suggest(name, distribution)
        self.open_trials[trial.number] = trial
        return trial

    def sample_with(self, number):
        """A seed of its own for each trial: a search that goes on draws what it would have drawn."""
        seed = random.Random(f"{self.order['seed']}/{number}").getrandbits(32)
        sampler = self.sampler(seed=seed, multivariate=True, n_startup_trials=Unseen.first_random,
                               constraints_func=constraints)
        sampler.space, sampler.coin, sampler.clash = self.space, random.Random(seed), self.clash
        self.study.sampler = sampler

    def all_tried(self):
        """True if no settings are left; nobody counts more than a few thousand."""
        if math.prod(len(knob["values"]) for knob in self.knobs.values()) > 4096:
            return False
        tried = {key(trial.params) for trial in self.study.get_trials(deepcopy=False)}
        ways = itertools.product(*(choices(distribution) for distribution in self.space.values()))
        return all(key(params) in tried or self.clash(params) for params in (dict(zip(self.space, way)) for way in ways))

    def ask(self, _):
        trial = self.left_open()
        if trial is None and self.all_tried():
            return {"done": True}
        if trial is None:
            self.sample_with(len(self.study.get_trials(deepcopy=False)))
            trial = self.study.ask(self.space)
            self.open_trials[trial.number] = trial
        return {"number": trial.number, "settings": self.settings(trial.params)}

    def report(self, question):
        if self.order["pareto"]:  # Optuna prunes where there is one objective
            return {"give_up": False}
        trial = self.open_trials[question["number"]]
        trial.report(question["value"], question["part"])
        return {"give_up": bool(trial.should_prune())}  # of NumPy where it compares medians

    def tell(self, question):
        trial = self.open_trials[question["number"]]
        trial.set_user_attr("constraints", question["constraints"])
        trial.set_user_attr("tried", question["tried"])
        self.finish(question["number"], question["tried"])
        del self.open_trials[question["number"]]
        return {}

    def add(self, question):
        """A trial that nobody asked for: the standard settings once more, behind all others."""
        tried, broken = question["tried"], question["constraints"]
        states = self.optuna.trial.TrialState
        complete = tried["state"] == "complete"
        self.study.add_trial(self.optuna.trial.create_trial(
            state=states.COMPLETE if complete else states.FAIL, values=self.values(tried) if complete else None,
            params=self.params(tried["settings"]), distributions=self.space,
            user_attrs={"constraints": broken, "tried": tried}, system_attrs={"constraints": broken} if complete else {}))
        return {"number": self.study.get_trials(deepcopy=False)[-1].number}

    def values(self, tried):
        return [tried["seconds_per_sample"], tried["peak_bytes"]][:len(self.study.directions)]

    def finish(self, number, tried):
        states = self.optuna.trial.TrialState
        if tried["state"] == "complete":
            self.study.tell(number, self.values(tried))
        else:
            self.study.tell(number, state=states.PRUNED if tried["state"] == "pruned" else states.FAIL)


def main():
    lines = os.fdopen(4, "r", encoding="utf-8")
    answers = os.fdopen(os.dup(4), "w", encoding="utf-8")
    study = None
    for line in lines:
        question = json.loads(line)
        try:
            if question["ask"] == "open":
                answer = refusal(question)
                if answer is None:
                    study = Study(question)
                    answer = study.open()
            else:
                answer = getattr(study, question["ask"])(question)
        except ImportError as error:
            answer = {"missing": f"{sys.executable}: {error}"}
        except Exception as error:  # whatever it is, the other side says it
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), file=answers, flush=True)



if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")  # experimental parts of Optuna say so on every call
    main()
