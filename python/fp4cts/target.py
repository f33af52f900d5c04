# SPDX-License-Identifier: Apache-2.0
"""How a function is named to another process, and found there.

A function at the top of a file is named by file and name, so that the command which reproduces a failure
can be typed. Anything else, a closure say, goes by value through cloudpickle where it is installed.
"""
import importlib
import importlib.util
import inspect
import os
import pathlib
import pickle
import sys

MAIN = "__fp4cts_main__"  # not "__main__": what a script does when it is run is not wanted here


def words(fn, folder):
    """[file, name] that load() takes. What must be written goes into `folder`."""
    name = getattr(fn, "__qualname__", "")
    try:
        file = inspect.getsourcefile(inspect.unwrap(fn))
    except TypeError:
        file = None
    if file and name and "<" not in name and os.path.exists(file) and _is_found(fn, name):
        shown = os.path.relpath(file)
        return [file if shown.startswith("..") else shown, name]
    return [_by_value(fn, folder), "-"]


def _is_found(fn, name):
    """Whether the module has the function under this name: a decorator may have replaced it."""
    found = sys.modules.get(getattr(fn, "__module__", None))
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is fn


def _by_value(fn, folder):
    try:
        import cloudpickle
    except ImportError:
        raise ValueError(f"{fn!r} is not at the top of a file, so that another process cannot import it: "
                         "move it there, or install cloudpickle") from None
    name = getattr(fn, "__name__", type(fn).__name__).strip("<>")
    path = pathlib.Path(folder) / f"{name}.pickle"
    # The modules that it names are looked for where they were found here.
    path.write_bytes(pickle.dumps({"path": sys.path, "function": cloudpickle.dumps(fn)}))
    return str(path)


def load(file, name):
    """The function of words()."""
    path = pathlib.Path(file).resolve()
    if path.suffix == ".pickle":
        stored = pickle.loads(path.read_bytes())
        sys.path += [folder for folder in stored["path"] if folder not in sys.path]
        return pickle.loads(stored["function"])
    found = _module(path)
    for part in name.split("."):
        if not hasattr(found, part):
            raise AttributeError(f"{file} has no {name}")
        found = getattr(found, part)
    return found


def _module(path):
    # In a package it is imported as what it is, so that its own relative imports work.
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    if len(parts) > 1:
        return importlib.import_module(".".join(parts[:-1] if path.stem == "__init__" else parts))
    spec = importlib.util.spec_from_file_location(MAIN, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[MAIN] = module
    spec.loader.exec_module(module)
    return module
