"""`tuneproof watch` puts this first on PYTHONPATH: when the program imports torch, the recorder begins.

Python runs it at every start, so it imports nothing that is not there already. The program's own sitecustomize runs as
if this one were not there. Whatever goes wrong here is noted for the end, and the program goes on.
"""

import os
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))


def note(what, **more):
    """One line for `tuneproof watch`, in a file of this process; lost where the folder is gone."""
    import json
    line = json.dumps({"what": what, "time": time.time(), "pid": os.getpid(), **more}) + "\n"
    try:
        file = os.open(os.path.join(FOLDER, "notes", str(os.getpid())), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
    except OSError:
        pass


def begin(torch):
    """Hands the imported torch to the recorder."""
    sys.path.insert(0, FOLDER)
    try:
        import tuneproof_recorder
        tuneproof_recorder.watch(torch, FOLDER, note)
    except Exception as error:
        note("problem", sentence=f"{type(error).__name__}: {error}")
    finally:
        sys.path.remove(FOLDER)


class TorchImport:
    """Finds torch as the other finders do, and has `begin` called once it is imported."""
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        found = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((spec for spec in found if spec), None)
        if spec and hasattr(spec.loader, "exec_module"):
            self.follow(spec.loader)
        return spec

    def follow(self, loader):
        load = loader.exec_module

        def exec_module(module):
            del loader.exec_module
            load(module)
            begin(module)

        try:
            loader.exec_module = exec_module
        except AttributeError as error:
            note("problem", sentence=f"the import of torch could not be followed: {error}")


def run_the_programs_own():
    """Runs the sitecustomize that Python would have found without this one."""
    if FOLDER in sys.path:
        sys.path.remove(FOLDER)
    ours = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", ours)


sys.meta_path.insert(0, TorchImport())
run_the_programs_own()
