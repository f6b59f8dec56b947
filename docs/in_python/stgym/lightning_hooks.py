# same: weight
# note: It is worth it where a step takes a millisecond and an epoch has thousands; start by leaving the profiler out.
import types
import warnings

import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset

try:
    import lightning
except ImportError:  # Lightning is a package of its own

    class Trainer:
        def __init__(self, max_epochs, profiler):
            pass

        def fit(self, module, loader, validation_loader):
            optimizer = module.configure_optimizers()
            for index, batch in enumerate(loader):
                optimizer.zero_grad()
                module.training_step(batch, index).backward()
                optimizer.step()

    lightning = types.SimpleNamespace(Trainer=Trainer, LightningModule=torch.nn.Module)

warnings.simplefilter("ignore")


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, index):
        return mse_loss(self.layer(batch[0]), batch[1])

    def validation_step(self, batch, index):
        return mse_loss(self.layer(batch[0]), batch[1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


loader = validation_loader = DataLoader(TensorDataset(torch.randn(56, 4), torch.randn(56, 1)), batch_size=8)
module = Module()
weight = module.layer.weight

# before
trainer = lightning.Trainer(max_epochs=1, profiler="pytorch")
trainer.fit(module, loader, validation_loader)

# after
optimizer = module.configure_optimizers()
for index, batch in enumerate(loader):
    optimizer.zero_grad()
    module.training_step(batch, index).backward()
    optimizer.step()
with torch.no_grad():
    losses = [module.validation_step(batch, i) for i, batch in enumerate(validation_loader)]
