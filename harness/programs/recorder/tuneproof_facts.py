"""What a trace does not show of the steps: CPUs, threads, kinds of numbers, calls of the model.

Nothing here runs within a recorded step but the note that autocast is entered.
"""

import collections
import functools
import os
import sys
import sysconfig
import threading
from time import monotonic, process_time, thread_time

SAMPLE = 4096         # numbers of a tensor that are looked at
MOST_TENSORS = 300
MOST_PACKAGES = 500
MOST_NODES = 10_000   # of an autograd graph, in search of what it differentiates
MOST_BEFORE = 300     # nodes before a call's inputs, in search of an earlier call's
MOST_FOLLOWED = 16    # calls of a module whose inputs are traced back so
LEAST_TIME = 0.02     # seconds in which one wait for a CPU, of some milliseconds, is a small share


def known(ask):
    """What it says, or nothing: a fact is never worth an error."""
    try:
        return ask()
    except Exception:
        return None


def cpus():
    """CPUs that this process may use: its affinity and its group's quota, shared by the ranks of this machine."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max") as file:
            quota, period = file.read().split()
        count = min(count, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        pass
    return max(1, count // int(os.environ.get("LOCAL_WORLD_SIZE") or 1))


def packages():
    """Top-level names of what was installed and is loaded: a profiler's frames have lost the folder that tells."""
    folders = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")}
                    | {path + os.sep for path in sys.path if path.endswith(("site-packages", "dist-packages"))})
    names = {name.partition(".")[0] for name, module in list(sys.modules.items())
             if str(getattr(module, "__file__", None) or "").startswith(folders)}
    return sorted(name for name in names if name.isidentifier())[:MOST_PACKAGES]


UNITS = {"bfloat16": {"avx512_bf16", "amx_bf16", "bf16"}, "float16": {"avx512_fp16", "amx_fp16", "fphp", "asimdhp"}}


def units():
    """Of each narrow type, whether the processor computes in it itself; None where it does not say."""
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith(("flags", "Features")):
                return {name: not flags.isdisjoint(line.split()) for name, flags in UNITS.items()}
    return None


def parameters_of(tensors):
    """The leaves that a backward pass from these tensors has given gradients."""
    nodes = [tensor.grad_fn for tensor in tensors if getattr(tensor, "grad_fn", None) is not None]
    seen, leaves = set(), []
    while nodes and len(seen) < MOST_NODES:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        nodes.extend(after for after, _ in node.next_functions if after is not None)
    return leaves


def is_plain(torch, tensor):
    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.device.type == "cpu" and \
        tensor.layout == torch.strided and tensor.is_floating_point() and tensor.numel() > 0


def denormal_share(torch, tensor):
    """The share of its numbers that are denormal, by a sample."""
    with torch.no_grad():
        flat = tensor.detach().as_strided((tensor.numel(),), (1,)) if tensor.is_contiguous() else tensor.detach()[:1].flatten()
        sample = flat[::max(1, flat.numel() // SAMPLE)][:SAMPLE]
        small = (sample != 0) & (sample.abs() < torch.finfo(sample.dtype).tiny)
        return small.sum().item() / sample.numel()


def numbers(torch, parameters, state):
    """The shares of denormal numbers in weights, gradients and the optimizer's state, and of weights in FP64."""
    groups = {"weights": parameters, "gradients": [p.grad for p in parameters if p.grad is not None],
              "optimizer state": [value for entry in state for value in entry.values()]}
    found = {}
    for name, tensors in groups.items():
        plain = [tensor for tensor in tensors if is_plain(torch, tensor)][:MOST_TENSORS]
        count = sum(tensor.numel() for tensor in plain)
        if count:
            found[name] = sum(denormal_share(torch, tensor) * tensor.numel() for tensor in plain) / count
    plain = [tensor for tensor in parameters if is_plain(torch, tensor)]
    count = sum(tensor.numel() for tensor in plain)
    double = sum(tensor.numel() for tensor in plain if tensor.dtype == torch.float64)
    return {"denormal": found, "fp64": double / count, "parameters": len(plain), "numel": count // len(plain)} if count else None


def tensors_in(torch, value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from tensors_in(torch, one)


def rows_of(tensors):
    """Samples in a call's inputs; None where they do not tell. A vector of decimals is one sample, a scalar (a time, say) none."""
    rows = [1 if tensor.dim() == 1 and tensor.is_floating_point() else tensor.shape[0] for tensor in tensors if tensor.dim() > 0]
    return max(rows, default=None)


def follows(tensors, made):
    """Whether these were computed from what has made the nodes; True as well where the graph is too large to tell."""
    nodes = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
    seen = set()
    while nodes and made and len(seen) < MOST_BEFORE:
        node = nodes.pop(0)
        if node in made:
            return True
        if node not in seen:
            seen.add(node)
            nodes.extend(before for before, _ in node.next_functions if before is not None)
    return bool(nodes and made)


class Calls:
    """Of a module that no other module calls."""
    def __init__(self):
        self.count, self.rows, self.chained, self.made = 0, collections.Counter(), False, set()


class Forwards:
    """How often the module that is called most was called in one step, with how many rows, and denormal outputs."""
    def __init__(self, torch):
        self.torch, self.thread = torch, threading.get_ident()
        self.depth, self.calls, self.denormal, self.looked = 0, {}, 0.0, 0
        module = torch.nn.modules.module
        self.hooks = [module.register_module_forward_pre_hook(self.before), module.register_module_forward_hook(self.after)]

    def before(self, module, inputs):
        if threading.get_ident() != self.thread:
            return
        if self.depth == 0:
            known(lambda: self.called(self.calls.setdefault(id(module), Calls()), inputs))
        self.depth += 1

    def called(self, calls, inputs):
        tensors = list(tensors_in(self.torch, inputs))
        calls.count += 1
        calls.rows[rows_of(tensors)] += 1
        if calls.count <= MOST_FOLLOWED and not calls.chained:
            # Without gradients nothing tells: an evaluation may be a solver's or a player's.
            calls.chained = not self.torch.is_grad_enabled() or follows(tensors, calls.made)

    def after(self, module, inputs, output):
        if threading.get_ident() != self.thread:
            return
        self.depth = max(0, self.depth - 1)
        known(lambda: self.returned(module, list(tensors_in(self.torch, output))))

    def returned(self, module, tensors):
        calls = self.calls.get(id(module)) if self.depth == 0 else None
        if calls and calls.count <= MOST_FOLLOWED:
            calls.made.update(tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None)
        output = tensors[0] if tensors else None  # recurrent layers give their state, too
        if self.looked < MOST_TENSORS and is_plain(self.torch, output) and not self.torch.jit.is_tracing():
            self.looked += 1
            self.denormal = max(self.denormal, denormal_share(self.torch, output))

    def end(self):
        for hook in self.hooks:
            hook.remove()
        most = max(self.calls.values(), default=None, key=lambda calls: calls.count)
        return most and {"calls": most.count, "rows": most.rows.most_common(1)[0][0], "chained": most.chained, "denormal": self.denormal}


def forwards(torch):
    """None where modules were compiled: a hook would compile them anew."""
    compiled = getattr(sys.modules.get("torch._dynamo.utils"), "counters", {})
    return None if compiled.get("frames") else Forwards(torch)


class Autocasts:
    """Notes the type of autocast on the CPU while it is there."""
    def __init__(self, torch):
        self.kind = torch.amp.autocast_mode.autocast
        self.own = own = self.kind.__enter__
        entered = self.entered = {torch.get_autocast_cpu_dtype()} if torch.is_autocast_cpu_enabled() else set()

        @functools.wraps(own)
        def enter(mode):
            if getattr(mode, "device", None) == "cpu" and getattr(mode, "_enabled", False):
                entered.add(mode.fast_dtype)
            return own(mode)

        self.kind.__enter__ = enter

    def end(self):
        self.kind.__enter__ = self.own
        return next((str(dtype).replace("torch.", "") for dtype in self.entered), None)


def queued_seconds(thread="thread-self"):
    """How long a thread has waited for a CPU."""
    try:
        with open(f"/proc/{thread}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def has_lock():
    """Whether one thread at a time runs Python."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def python_queued_seconds():
    """Of this thread, and of all others that run Python: while one of them waits for a CPU, this one may wait for the lock that it
    holds. A build without the lock lets this one run."""
    here = threading.current_thread()
    others = threading.enumerate() if has_lock() else []
    return queued_seconds(), sum(queued_seconds(f"self/task/{thread.native_id}") for thread in others if thread is not here)


def tasks(pid, file):
    """What that file says of each thread of a process."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/{file}") as said:
            yield said.read().split()


def started_seconds(pid="self"):
    """CPU seconds of the processes that this one has started, and of theirs."""
    children = [child for said in tasks(pid, "children") for child in said]
    return sum(sum(int(said[0]) for said in tasks(child, "schedstat")) / 1e9 + started_seconds(child) for child in children)


class Used:
    """CPUs that this process kept busy since it was made, and how long others kept this thread from one. `threads`: those
    that it computes with."""
    def __init__(self, threads=None):
        self.threads = threads
        self.started = self.started_so_far()  # first, and last at the end: to ask takes a while
        self.began = self.now()

    @staticmethod
    def now():
        """The clock is read on both sides, for the thread may wait for a CPU between any two of these."""
        return {"before": monotonic(), "cpu": process_time(), "thread": thread_time(), "queued": queued_seconds(),
                "id": threading.get_ident(), "after": monotonic()}

    @staticmethod
    def started_so_far():
        ended = os.times()  # of processes that have ended
        started = known(started_seconds)
        return None if started is None else started + ended.children_user + ended.children_system

    def end(self):
        """CPUs in use on average, while this thread had not to wait for one; and the share of the time in which it waited
        for one that other programs had. Where the program's threads have a CPU each, that is all of its waiting. Where they
        are more, all were taken while it waited: whatever else of this program ran is believed to have run then, so it is
        that share at least; None where it is not known, as of a time in which a single wait would be much."""
        now, began, started = self.now(), self.began, self.started_so_far()
        took = {name: now[name] - began[name] for name in ("cpu", "thread", "queued")}
        time = now["after"] - began["before"]
        if took["queued"] >= time:
            return None, None  # it has used a CPU, so one of the two is wrong
        used = min(took["cpu"] / (time - took["queued"]), cpus())
        if time < LEAST_TIME or None in (started, self.started) or now["id"] != began["id"]:
            return used, None
        others = started - self.started
        fit = self.threads and self.threads <= cpus() and others < 0.01 * time
        own = 0 if fit else took["cpu"] - took["thread"] + others
        return used, max(0.0, took["queued"] - own / cpus()) / time


class Probes:
    """What is asked around one window."""
    def __init__(self, torch, source):
        """Before the warm-up; `source` gives the parameters and the states of the optimizer, None with a GPU."""
        self.torch = torch
        self.numbers = known(lambda: numbers(torch, *source())) if source else None
        self.forwards, self.calls = known(lambda: forwards(torch)) if source else None, None
        self.autocasts = self.used = None

    def begin(self):
        """After the warm-up."""
        self.calls = known(self.forwards.end) if self.forwards else None
        self.forwards = None
        self.autocasts = known(lambda: Autocasts(self.torch))

    def steps_begin(self):
        """The profiler's own start is over."""
        self.used = known(lambda: Used(known(self.torch.get_num_threads)))

    def end(self):
        used, held_back = (self.used and known(self.used.end)) or (None, None)
        facts = {"cpus": known(cpus), "packages": known(packages), "threads": known(self.torch.get_num_threads), "units": known(units),
                 "used_cpus": used, "held_back": held_back, "numbers": self.numbers, "forwards": self.calls,
                 "autocast": known(self.autocasts.end) if self.autocasts else None}
        self.autocasts = None
        return facts

    def remove(self):
        """Takes off what is still there."""
        if self.forwards:
            known(self.forwards.end)
        if self.autocasts:
            known(self.autocasts.end)
        self.forwards = self.autocasts = None
