"""Empty modules in place of what STGym imports and a training step never calls, where they are not installed."""

import importlib.machinery
import importlib.util
import sys
import types

import torch


def scatter_sum(source, index, dim=-1, dim_size=None):
    """As torch_scatter defines it for a sum along the first dimension; without a size it asks the device for one."""
    size = list(source.shape)
    size[dim] = dim_size if dim_size is not None else int(index.max()) + 1
    shape = [1] * source.dim()
    shape[dim] = -1
    places = index.view(shape).expand_as(source) if index.dim() != source.dim() else index
    return torch.zeros(size, dtype=source.dtype, device=source.device).scatter_add_(dim, places, source)


def install():
    """Returns the names of the modules that had to be made up."""
    empty = type("Empty", (), {})
    contents = {"ray": {}, "mlflow": {}, "logzero": {"logger": __import__("logging").getLogger("stgym")},
                "pytorch_lightning": {"LightningModule": empty, "Trainer": empty},
                "pytorch_lightning.loggers": {"MLFlowLogger": empty},
                "torch_scatter": {"scatter_sum": scatter_sum, "scatter_add": scatter_sum}}
    made = []
    for name, content in contents.items():
        if name.split(".")[0] in made or importlib.util.find_spec(name.split(".")[0]) is None:
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)  # libraries that look for them ask for it
            vars(sys.modules[name]).update(content)
            made.append(name)
    return made
