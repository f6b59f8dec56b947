# same: weight
# note: A loop of your own must also do what the Trainer did: devices, logs, checkpoints.
import types
import warnings

import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset

try:
    import lightning
except ImportError:  # Lightning is a package of its own

    class Trainer:
        def __init__(self, max_epochs):
            pass

        def fit(self, module, loader):
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

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


module, loader = Module(), DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8)
weight = module.layer.weight

# before
trainer = lightning.Trainer(max_epochs=1)
trainer.fit(module, loader)

# after
optimizer = module.configure_optimizers()
for index, batch in enumerate(loader):
    optimizer.zero_grad()
    loss = module.training_step(batch, index)
    loss.backward()
    optimizer.step()
