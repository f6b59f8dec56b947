# same: output
# note: Time some steps of each form: compiling has paid after its seconds divided by those that a compiled step saves.
import torch

model, inputs = torch.nn.Linear(4, 1), torch.ones(2, 4)
planned_steps, steps_until_it_pays = 100, 100_000

# before
model.compile()  # only marks it, even for a test run of 100 steps
output = model(inputs)  # the first call compiles: often tens of seconds

# after
if planned_steps > steps_until_it_pays:  # seconds to compile / seconds saved in a step
    model.compile()
output = model(inputs)
