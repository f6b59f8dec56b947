"""The processes of tuneproof.compare(): the C++ harness drives, the callables live in a module.

Usage: python -c START SPECIFICATION ARGS of a program of one's own steps. SPECIFICATION is a JSON file.
"""

import array
import ctypes
import importlib
import importlib.util
import json
import os
import pathlib
import sys

LIBRARY = pathlib.Path(__file__).parent / "lib" / "libtuneproof_host.so"
# Not -m: the package has imported this module by then, of which Python would warn.
START = "import sys; sys.path[:] = filter(None, sys.path); from tuneproof import _pair; sys.exit(_pair.main(sys.argv[1], sys.argv[2:]))"
IN_A_WORKER = "TUNEPROOF_PAIR"  # set there, so that a module that compares when it is imported says so
PREPARE, NAIVE, OPTIMIZED, CLEAR = range(4)

CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
ANSWER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t),
                          ctypes.POINTER(ctypes.c_int), ctypes.c_void_p, ctypes.c_size_t)


class Pair(ctypes.Structure):
    """As app/library_pair.cpp has it: the two files change together."""
    _fields_ = [("id", ctypes.c_char_p), ("claim", ctypes.c_char_p), ("tolerance", ctypes.c_double),
                ("tolerance_why", ctypes.c_char_p), ("worker", ctypes.c_char_p), ("call", CALL), ("answer", ANSWER)]


def load(place):
    """The callable {"module": NAME, "file": PATH or null, "name": QUALNAME}."""
    if place["file"]:
        name = "tuneproof_compared_" + pathlib.Path(place["file"]).stem
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, place["file"])
            sys.modules[name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        found = sys.modules[name]
    else:
        found = importlib.import_module(place["module"])
    for part in place["name"].split("."):
        found = getattr(found, part)
    return found


def memory_of(tensor):
    """The bytes of a tensor on the host; its own way to them needs NumPy, which torch does not."""
    tensor = tensor.contiguous()
    return ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size())


def numbers_of(value):
    """FP32 numbers of a result whose parts are floating-point; None where they are not."""
    if isinstance(value, float):
        return array.array("f", [value])
    if isinstance(value, (list, tuple)) and value:
        parts = [numbers_of(part) for part in value]
        if all(part is not None for part in parts):
            return sum(parts, array.array("f"))
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if value.is_floating_point():
            return array.array("f", memory_of(value.float()))
    elif getattr(getattr(value, "dtype", None), "kind", "") == "f":
        return array.array("f", value.astype("float32").tobytes())
    return None


def bytes_of(value):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "detach"):
        return memory_of(value.detach().cpu())
    if hasattr(value, "tobytes"):
        return value.tobytes()
    if isinstance(value, (bool, int, str, list, tuple, dict)):
        return repr(value).encode()
    raise TypeError(f"it returns a {type(value).__name__}, and only numbers, text, bytes, lists, dictionaries, arrays "
                    "and tensors can be compared")


class Callables:
    """What the harness calls. An exception becomes a sentence of its row."""
    def __init__(self, specification):
        self.specification = specification
        self.forms = None
        self.results = [None, None]
        self.kept = None  # what the harness reads until its next call

    def prepare(self):
        if self.forms is None:
            self.forms = [load(self.specification[form]) for form in ("naive", "optimized")]

    def run(self, form):
        self.results[form] = self.forms[form]()
        cuda = getattr(sys.modules.get("torch"), "cuda", None)
        if cuda is not None and cuda.is_initialized():
            cuda.synchronize()  # the host's clock times it

    def call(self, what, message, size):
        try:
            if what == PREPARE:
                self.prepare()
            elif what == CLEAR:
                self.results = [None, None]
            else:
                self.run(what - NAIVE)
            return 0
        except BaseException as error:
            return self.fault(error, message, size)

    def answer(self, form, data, size, numbers, message, room):
        try:
            value = self.results[form]
            if value is None:
                raise TypeError(f"{self.specification[('naive', 'optimized')[form]]['name']}() returns nothing, so nothing "
                                "shows that both compute the same")
            self.kept = numbers_of(value)
            numbers[0] = self.kept is not None
            if self.kept is None:
                text = bytes_of(value)
                size[0] = len(text)
                self.kept = array.array("B", text)
            else:
                size[0] = len(self.kept)
            data[0] = self.kept.buffer_info()[0]
            return 0
        except BaseException as error:
            return self.fault(error, message, room)

    @staticmethod
    def fault(error, message, size):
        text = (str(error) if isinstance(error, TypeError) else f"{type(error).__name__}: {error}").encode()[:size - 1] + b"\0"
        ctypes.memmove(message, text, len(text))
        return 1


def main(file, arguments):
    specification = json.loads(pathlib.Path(file).read_text())
    if arguments[:1] == ["--measure"]:
        os.environ[IN_A_WORKER] = "1"
    callables = Callables(specification)
    pair = Pair(specification["id"].encode(), specification["claim"].encode(), specification["tolerance"],
                specification["tolerance_why"].encode(), specification["worker"].encode(), CALL(callables.call),
                ANSWER(callables.answer))
    words = [b"tuneproof", *(word.encode() for word in arguments)]
    return ctypes.CDLL(str(LIBRARY)).tuneproof_pair(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None),
                                                    ctypes.byref(pair))
