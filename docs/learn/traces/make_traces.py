"""Writes the course's example traces beside this file: made up, not recorded, so that their answers are known.

One host thread, and but for script.json one stream, as a profiler would have recorded them; all times in microseconds.
The A100 that they name was not there. Usage: make_traces.py
"""

import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
LAUNCH = 5
GEMM = "ampere_sgemm_128x64_nn"
# Their kernels' names as PyTorch's traces have them, shortened: the lambdas and the arrays are left out.
POINTWISE = {
    "aten::relu": "void at::native::vectorized_elementwise_kernel<4, at::native::launch_clamp_scalar(at::TensorIteratorBase&)>",
    "aten::mse_loss": "void at::native::vectorized_elementwise_kernel<4, at::native::mse_kernel_cuda(at::TensorIteratorBase&)>",
    "aten::add_": "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>",
}
LINK = 12e3  # bytes in a microsecond from pinned memory: below what PCIe 4 x16 has


class Story:
    def __init__(self):
        self.host, self.device, self.correlation, self.events = 0.0, 0.0, 0, []

    def add(self, category, name, begin, length, thread=1, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": thread,
                            "ts": round(begin, 3), "dur": round(length, 3), "args": args})

    def span(self, category, name, body):
        begin = self.host
        body()
        self.add(category, name, begin, self.host - begin)

    def operator(self, name, body, own=4):
        def whole():
            self.host += own / 2
            body()
            self.host += own / 2
        self.span("cpu_op", name, whole)

    def work(self, length, name, category="kernel", call="cudaLaunchKernel", **args):
        self.correlation += 1
        self.add("cuda_runtime", call, self.host, LAUNCH, correlation=self.correlation)
        self.host += LAUNCH
        begin = max(self.device, self.host + 1)
        self.add(category, name, begin, length, 7, correlation=self.correlation, device=0, stream=7, **args)
        self.device = begin + length

    def wait(self, call="cudaStreamSynchronize"):
        self.correlation += 1
        end = max(self.host, self.device) + 1
        self.add("cuda_runtime", call, self.host, end - self.host, correlation=self.correlation)
        self.host = end

    def load(self, length):
        def whole():
            self.host += length
        self.span("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", whole)

    def copy_in(self, size):
        self.operator("aten::to", lambda: self.operator("aten::copy_", lambda: self.work(
            size / LINK, "Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", "cudaMemcpyAsync", bytes=size)))

    def linear(self, length):
        self.operator("aten::linear", lambda: self.operator("aten::addmm", lambda: self.work(length, GEMM)))

    def pointwise(self, name, length):
        self.operator(name, lambda: self.work(length, POINTWISE[name]))

    def item(self):
        self.operator("aten::item", lambda: self.operator("aten::_local_scalar_dense", self.wait))

    def on_host(self, name, length):
        def whole():
            self.host += length
        self.span("cpu_op", name, whole)

    def steps(self, count, body):
        for step in range(1, count + 1):
            self.span("user_annotation", f"ProfilerStep#{step}", lambda n=step: body(n))
            self.host += 1

    def write(self, name):
        device = {"id": 0, "name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344, "numSms": 108}
        properties = [device] if any(event["cat"] == "kernel" for event in self.events) else []
        lines = ",\n".join(json.dumps(event) for event in self.events)
        head = json.dumps({"madeUp": "by docs/learn/traces/make_traces.py; not recorded",
                           "deviceProperties": properties})
        (HERE / name).write_text(head[:-1] + ', "traceEvents": [\n' + lines + "\n]}\n")


def whole_step(story, input_us, scale=1.0, logs_loss=False):
    story.load(input_us)
    story.copy_in(int(scale * (1 << 20)))
    for layer in range(6):
        story.linear(400 * scale)
        story.pointwise("aten::relu", 60 * scale)
        if logs_loss and layer % 2 == 1:
            story.item()
            story.host += 100  # the Python that writes the log
    story.pointwise("aten::mse_loss", 30 * scale)
    for _ in range(3):
        story.pointwise("aten::add_", 25 * scale)
    story.wait("cudaDeviceSynchronize")


def step_of_a_script(story):
    """A small network on the CPU, with a batch so small that calls and Python take longer than arithmetic."""
    story.load(60)
    for _ in range(20):
        story.host += 25  # Python
        story.on_host("aten::addmm", 8)
        story.on_host("aten::relu", 4)
    for _ in range(40):
        story.on_host("aten::mm", 7)
    story.span("user_annotation", "Optimizer.step#SGD.step", lambda: story.on_host("aten::_foreach_add_", 30))


def write(name, step, **how):
    story = Story()
    story.steps(5, lambda _: step(story, **how))
    story.write(name)


def main():
    write("training.json", whole_step, input_us=6000)
    write("epoch.json", whole_step, input_us=100)
    write("loop.json", whole_step, input_us=20, scale=0.1, logs_loss=True)
    write("script.json", step_of_a_script)


main()
