# note: What a reader sees lags behind by up to flush_secs, and a killed process loses what was not yet written.
try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:  # TensorBoard is a package of its own

    class SummaryWriter:
        def __init__(self, log_dir, flush_secs=120):
            pass

        def add_scalar(self, tag, value, step):
            pass

        def flush(self):
            pass

        def close(self):
            pass


rate = 0.1

# before
writer = SummaryWriter("runs/first")
for step in range(200):
    writer.add_scalar("rate", rate, step)
    writer.flush()  # asks the system to write each record

# after
writer = SummaryWriter("runs/first", flush_secs=120)  # flushes by itself every two minutes
for step in range(200):
    writer.add_scalar("rate", rate, step)
writer.close()  # writes the rest
