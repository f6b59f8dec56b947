"""The lessons from outside: `explain` with what was measured. Usage: lessons.test.py TUNEPROOF PROJECT"""

import functools
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(2)).resolve()
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
RESULTS = MACHINE / "2026-11-21-1697d9f.json.gz"
PRICES = sorted(MACHINE.glob("prices-*.json"))[-1]


def call(*arguments, folder=PROJECT, patience=120):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=patience, cwd=folder)


def explained(*arguments, **options):
    return json.loads(call("explain", *arguments, "--json", **options).stdout)


@functools.cache
def parts_of(step):
    return explained(step)["parts"]


@functools.cache
def page_of(step):
    return call("explain", step).stdout


def prose_of(step):
    """The lines of its page but those of its code."""
    lines, code = [], False
    for line in page_of(step).splitlines():
        code = code or line.startswith(("The code", "Where the code reads its switch"))
        code = code and not line.startswith("5. ")
        if not code:
            lines.append(line)
    return lines


STEPS = json.loads(call("list", "--json").stdout)["steps"]


# What newcomers type, and a page that must be among the first four.
SEARCHED = {
    "pin_memory": "topic/page_locked_memory", "torch.compile": "topic/compile", ".item()": "sync/item_every_step",
    "num_workers": "dataload/workers_slow_source", "repeat_interleave": "sync/dynamic_shape_ops",
    "record_stream": "overlap/missing_wait", "data_loader_wait": "data_loader_wait", "xfer-pinned-h2d": "transfer/pinned_h2d",
    "why is my GPU idle": "topic/regimes", "persistent_workers": "dataload/persistent_workers",
    "zero_grad(set_to_none=True)": "optimizer/zero_grad_none", "torch.no_grad": "autograd/nograd_eval",
    "autocast": "topic/mixed_precision", "GradScaler": "precision/sync_gradscaler", "channels_last": "format/channels_last_amp",
    "torch.backends.cudnn.benchmark": "format/cudnn_benchmark", "CUDA graphs": "topic/cuda_graphs",
    "flash attention": "launch/fuse_attention", "gradient checkpointing": "autograd/checkpoint_memory",
    "gradient accumulation": "autograd/accumulation", "CUDA out of memory": "autograd/checkpoint_memory",
    "set_float32_matmul_precision": "precision/tf32_matmul", "empty_cache": "memory/alloc_empty_cache_loop",
    "non_blocking": "transfer/nonblocking_many_small", "DataLoader slow": "dataload/workers_slow_source",
    "prefetch_factor": "dataload/prefetch_factor", "loss.item()": "sync/item_every_step",
    "torch.cuda.synchronize": "sync/granularity", "first iteration slow": "topic/warm_up", "torch.jit.script": "compile/script",
    "DistributedDataParallel": "parallel/overlap", "no_sync": "parallel/no_sync",
    "find_unused_parameters": "parallel/unused", "AdamW fused=True": "optimizer/fused", "OMP_NUM_THREADS": "cpu/omp_threads",
    "jemalloc": "cpu/malloc", "PyTorch Lightning slow": "loop/lightning", "batch size": "dataload/bigger_batch",
    "memory fragmentation": "memory/alloc_expandable_segments", "how to time GPU code": "topic/fair_measurement",
    "low GPU utilization": "topic/regimes", "garbage collection": "loop/garbage_collection",
    "loss.backward slow": "topic/regimes", "GPU memory keeps growing": "memory/alloc_expandable_segments",
    "mixed precision NaN loss": "topic/mixed_precision", "tensor cores not used": "precision/tf32_matmul",
    "torch.compile recompiles every batch": "compile/dynamic_shapes", "pin_memory slower": "transfer/pin_then_copy",
    "DataLoader workers restart every epoch": "dataload/persistent_workers",
    "cudaMemcpyAsync blocking": "sync/pageable_implies", "host to device copy slow": "transfer/pinned_h2d",
    "PCIe bandwidth": "transfer/pinned_h2d", "too many small kernels": "launch/cost",
    "kernel launch overhead": "launch/cost", "optimizer.step slow": "optimizer/fused", "clip_grad_norm_": "gpt/foreach_clip",
    "tensor.cpu()": "sync/cpu_in_loop", "model.eval()": "autograd/nograd_eval", "index_add": "gnn/aggregate",
    "padding variable length": "launch/fuse_dynamic_recompile", "validation takes too long": "loop/validation_every_n",
    "progress bar tqdm": "loop/progress_bar", "checkpoint saving blocks training": "loop/checkpoint_async",
    "gloo vs nccl": "parallel/pinned_gather", "batch norm bias": "format/conv_bias_before_bn",
    "bfloat16 on CPU": "precision/amp_bf16", "PYTORCH_ALLOC_CONF": "memory/alloc_expandable_segments",
    "benchmark timing wrong": "topic/fair_measurement", "numactl": "cpu/numa_bind", "torch.profiler overhead": "traps/profiler_on",
    "is my speedup real": "topic/variability", "stream.wait_stream": "overlap/missing_wait",
    "forkserver": "dataload/start_method", "torch.where": "sync/control_flow", "async_save": "loop/checkpoint_async",
    "worker_init_fn": "cpu/affinity", "GradScaler unscale_": "precision/gradient_underflow",
    "nsight": "tuneproof diagnose", "CI gate": "tuneproof compare", "compare two runs": "tuneproof versus",
    "which GPU should I buy": "tuneproof simulate", "is my GPU slow": "tuneproof prices",
    "how do I read a Chrome trace": "tuneproof diagnose", "hyperfine": "tuneproof versus",
    "GPU waits for CPU": "topic/regimes", "nvidia-smi shows 100% but training is slow": "topic/regimes",
    "out of RAM with DataLoader workers": "dataload/python_objects", "JPEG decoding is slow": "dataload/pre_decode",
    "data augmentation on the GPU": "dataload/gpu_transform", "read many small files": "dataload/xfer_disk_path",
    "wandb logging every step": "loop/scalar_log", "fp16 or bf16": "topic/mixed_precision",
    "loss becomes NaN with autocast": "topic/mixed_precision", "make inference faster": "autograd/inference_mode",
    "torch.cat in a loop": "launch/fuse_tiny_ops", "python loop over samples": "dataload/vectorize",
    "two GPUs are not twice as fast": "parallel/scaling", "one GPU is slower than the others": "parallel/balance",
    "how long does a kernel launch take": "launch/cost", "computing accuracy slows training": "loop/metrics_on_device",
    "thermal throttling": "tuneproof doctor", "is a 3% speedup noise": "topic/variability",
    "Memcpy DtoH": "transfer/pinned_d2h", "gradients are all zero": "precision/gradient_underflow",
    "I am new to GPUs": "tuneproof learn", "compare two versions of PyTorch": "tuneproof versus",
    "how fast is my memory": "tuneproof prices", "what should I optimize first": "topic/regimes",
    "GPU memory is full": "autograd/checkpoint_memory", "graph neural network slow": "gnn/aggregate",
    "training stops for a moment every few seconds": "loop/garbage_collection",
    "what is a CUDA stream": "topic/copy_engines_and_streams", "what does pinned mean": "topic/page_locked_memory",
    "do I need to synchronize before timing": "topic/fair_measurement", "which of the tips hurts": "tuneproof run",
    "tensor.to(device) every step": "transfer/to_noop", "A100 vs H100": "tuneproof simulate",
    "torch.cuda.memory_summary": "memory/alloc_caching", "biggest batch that fits in memory": "gpt/checkpoint_batch",
    "model.half()": "precision/amp_fp16", "how often should I log the loss": "sync/log_every_n",
    "sparse adjacency matrix": "gnn/aggregate", "what is a warp": "memory/kern_coalescing",
    "memory bank conflicts": "memory/kern_shared_mem", "hyperthreading": "cpu/affinity",
    "copy and compute at the same time": "overlap/chunked_streams", "torch.save takes forever": "loop/checkpoint_async",
    "gradient synchronization across GPUs": "parallel/overlap", "preload dataset to GPU": "transfer/dataset_resident",
    "unified memory": "transfer/managed_memory", "which CUDA calls block": "topic/hidden_synchronization",
    "how do I use tuneproof": "tuneproof learn",
    # titles of real questions
    "Multiple GPU Training Very Slow": "parallel/scaling", "why DDP sometimes is slower than local training": "parallel/scaling",
    "pytorch 1.1 training speed slower than pytorch 1.0": "tuneproof versus",
    "Code becomes more than x20 slower after upgrading torch version": "tuneproof versus",
    "Pytorch in GPU is much slower than numpy on CPU": "launch/framework_overhead",
    "What exactly is occupying the GPU cache": "memory/alloc_caching", "Control GPU Memory cache": "memory/alloc_caching",
    "breakdown of cudaMemcpyAsync overhead": "transfer/batch_small", "Low Memcpy/Compute Overlap": "overlap/chunked_streams",
    "Why first forward pass takes very long time": "topic/warm_up", "Why would model loading takes that long?": "topic/warm_up",
    "cuda streams run sequentially, expected to run parallel": "topic/copy_engines_and_streams",
    "libgomp.so caused much wait time with poor CPU Utilization": "cpu/openmp_runtime",
    "are the results consistent?": "topic/variability",
    "carryover": "topic/words", "bimodal": "topic/words", "budget": "topic/words", "contradicts": "topic/words",
    "floor": "topic/words", "slot": "topic/words", "round": "topic/words",
    "Optimizer step takes long": "optimizer/fused", "are my pinned copies good": "tuneproof prices",
    # what newcomers type of libraries and calls that the suite has by another name
    "collate_fn slow": "dataload/omp_collate", "torch.backends.cudnn.deterministic": "format/cudnn_benchmark",
    "layernorm fused": "launch/fuse_pointwise_chain", "use_reentrant": "autograd/checkpoint_memory",
    "webdataset": "dataload/xfer_disk_path", "FSDP": "memory/offload", "KV cache": "launch/fuse_tiny_ops",
    "for loop over time steps": "dataload/vectorize", "embedding sparse gradients": "gnn/index_backward",
    "pandas dataframe dataset": "dataload/python_objects", "triton kernel": "compile/pointwise_chain",
    "EMA update slow": "optimizer/foreach", "random crop is slow": "dataload/gpu_transform",
    "train on several batches before step": "autograd/accumulation",
    # as newcomers paste code, and ask
    "x.to(device, non_blocking=True)": "transfer/nonblocking_many_small", "batch.to('cuda', non_blocking=True)": "transfer/nonblocking_many_small",
    "with torch.autocast(device_type='cuda')": "precision/amp_bf16", "DataLoader(ds, num_workers=4, pin_memory=True)": "dataload/pin_thread",
    "scaler.step(optimizer)": "precision/sync_gradscaler", "torch.from_numpy(array)": "transfer/pinned_h2d",
    "torch.stack in a loop": "launch/fuse_tiny_ops", "loss.cpu().numpy()": "sync/cpu_in_loop", "graph break": "topic/compile",
    "is my disk slow": "tuneproof prices", "is my CPU slow": "tuneproof prices", "compare my GPU with others": "tuneproof prices",
    "how do I make my training use the GPU more": "topic/regimes", "GPU busy 100 percent but slow": "topic/regimes",
    "5 workers slower than 0": "dataload/workers_ready_source", "GPU memory not released": "memory/alloc_caching",
    "wrong results async copy": "sync/d2h_garbage", "copy tensor between GPUs": "parallel/peer_copy",
    "reduce GPU memory": "autograd/checkpoint_memory", "jitter": "topic/variability", "what is TF32": "topic/mixed_precision",
    "why is .cuda() slow the first time": "topic/warm_up",
    "async copy": "transfer/nonblocking_many_small", "thread count": "cpu/omp_threads", "accumulate loss": "sync/log_every_n",
    "numpy to tensor slow": "transfer/pinned_h2d", "cuda error": "sync/launch_blocking", "rocm": "tuneproof diagnose",
    "inplace relu": "stgym/inplace", "why is wandb slow": "loop/scalar_log",
    # as newcomers ask, in words of their own
    "gpu idle between batches": "dataload/workers_slow_source", "when does compile pay off": "compile/break_even",
    "fp16 for a small model": "precision/amp_small_none", "zero workers": "dataload/workers_ready_source",
    "how long does a thread start take": "tuneproof prices", "copying tensors to gpu": "transfer/pinned_h2d",
    "was my run disturbed": "topic/variability", "should i use mixed precision": "topic/mixed_precision",
    "how many threads should pytorch use": "cpu/omp_threads", "why is the second epoch faster": "topic/warm_up",
    "cpu at 100% gpu at 20%": "topic/regimes", "transfer data to gpu faster": "transfer/pinned_h2d",
    "move model to gpu": "topic/warm_up", "why does print slow down my loop": "sync/print_tensor",
    "does the gpu wait for the cpu": "topic/regimes", "time per iteration varies": "topic/variability",
    "results not repeatable": "topic/variability", "measure time correctly": "traps/clock_before_end",
    "why are my timings too small": "traps/clock_before_end",
    "is cuda graph useful for large batches": "launch/graph_small_batch",
    "train with less memory": "autograd/checkpoint_memory",
    "run out of gpu memory after a few hours": "memory/alloc_caching", "logging slows training": "loop/scalar_log",
    "save model in background": "loop/checkpoint_async", "fork or spawn": "dataload/start_method",
    "slow startup": "topic/warm_up", "compile takes minutes": "compile/break_even",
    "does adding a second gpu help": "parallel/scaling", "what does cannot tell mean": "topic/words",
    "how sure is the verdict": "tuneproof selftest", "laptop without nvidia": "tuneproof learn",
    "what can I do for inference": "autograd/inference_mode", "softmax slow": "launch/fuse_attention",
    "layernorm slow": "launch/fuse_pointwise_chain", "matrix multiplication slow": "precision/mult_of_8",
    "detach loss": "sync/log_every_n", "numa": "cpu/numa_bind", "cpu pinning": "cpu/affinity",
    "half precision gradients vanish": "precision/gradient_underflow",
    "gpu sits idle while loading data": "dataload/workers_slow_source",
    "does a bigger batch train faster": "dataload/bigger_batch", "how expensive is a kernel launch": "launch/cost",
    "is float16 faster than float32": "topic/mixed_precision", "tf32 accuracy loss": "precision/tf32_matmul",
    "how do I overlap copy and compute": "topic/copy_engines_and_streams", "prefetch next batch": "overlap/prefetch_batch",
    "how many samples do I need for a fair benchmark": "topic/fair_measurement",
    "why does the first batch take so long": "topic/warm_up", "set_detect_anomaly left on": "autograd/anomaly",
    "train without gpu": "tuneproof learn", "slow disk": "dataload/xfer_disk_path",
    "boolean mask indexing sync": "sync/dynamic_shape_ops", "gradient clipping slow": "sync/clip_nonfinite",
    "multi gpu slower than one": "parallel/scaling", "noisy neighbour": "tuneproof doctor",
    "compare before and after": "tuneproof versus", "predict speedup on h100": "tuneproof simulate",
    "hyperparameter search for speed": "tuneproof tune", "nhwc vs nchw": "format/channels_last_amp",
    "pad to multiple of 8": "precision/mult_of_8", "out of shared memory docker": "dataload/thread_workers",
    "jit compile a function": "compile/script", "what is arithmetic intensity": "topic/arithmetic_intensity",
    "threads or processes for loading": "dataload/thread_workers", "stop training early without sync": "loop/early_stopping",
    "power limit": "topic/variability", "why does nothing get faster": "topic/regimes",
}

# What newcomers type, and pages that must be among the first three.
WITHIN_THREE = {
    "slow dataloader": ["dataload/workers_slow_source", "data_loader_wait"],
    "data loading slow": ["dataload/workers_slow_source", "data_loader_wait"],
    "dataloder": ["dataload/workers_slow_source"], "dataloader hangs": ["dataload/start_method"],
    "mixed precision": ["topic/mixed_precision", "precision/amp_fp16", "precision/amp_bf16"],
    "float16 vs bfloat16": ["precision/amp_fp16", "precision/amp_bf16"],
    "torch compile slow first": ["compile/break_even"], "nan loss amp": ["precision/gradient_underflow"],
    "batch size": ["dataload/bigger_batch"], "cuda graph": ["topic/cuda_graphs", "launch/graph_short_kernels"],
    "memcpy": ["transfer/pinned_h2d"], "nsys": ["tuneproof diagnose", "topic/self_and_total"],
    "memory leak": ["memory/alloc_expandable_segments", "dataload/python_objects"],
    "shared memory": ["dataload/thread_workers"], "/dev/shm bus error": ["dataload/thread_workers"],
    "OutOfMemoryError": ["autograd/checkpoint_memory", "autograd/accumulation"],
}

# Words of the program's own verdicts, and questions, with the page that must stand first.
FIRST = {
    "input-bound": "topic/regimes", "overhead/sync-bound": "topic/regimes", "what is overhead-bound": "topic/regimes",
    "_local_scalar_dense": "sync/item_every_step", "loss.item() slow": "sync/item_every_step",
    "CUDA out of memory error": "autograd/checkpoint_memory", "how many num_workers should I use": "dataload/workers_slow_source",
    "how to profile my training script": "topic/self_and_total", "my GPU is only 30% used": "topic/regimes",
    "how do I time gpu code": "traps/clock_before_end", "Why is my first epoch slower than the others?": "topic/warm_up",
    "is my machine noisy": "topic/variability", "does torch.compile help": "compile/break_even",
    "which tips should I apply": "tuneproof run", "what should I do first on a new machine": "tuneproof doctor",
    "how many workers": "tuneproof tune", "run": "tuneproof run", "doctor": "tuneproof doctor",
    "what is a rung": "topic/words", "leaning faster": "topic/words", "throughput": "topic/regimes",
    "huggingface": "tuneproof watch",
    "carryover": "topic/words", "false discovery rate": "topic/words", "what does bimodal mean": "topic/words",
    "training is slow": "topic/regimes", "where do I start": "topic/regimes", "is my machine good": "tuneproof doctor",
    "occupancy": "overlap/concurrent_kernels", "Adam's memory": "precision/amp_memory", "same device": "transfer/create_on_device",
    "CUDA initialization takes long": "topic/warm_up", "how do I time a kernel": "traps/clock_before_end",
    "is my memory slow": "tuneproof prices", "x.to(device, non_blocking=True)": "transfer/nonblocking_many_small",
    "torch.compile": "topic/compile", "model = torch.compile(model)": "topic/compile",
}


class Search(unittest.TestCase):
    def found(self, *words):
        said = call("explain", *words, "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        return [page["name"] for page in json.loads(said.stdout)["pages"]]

    def test_words_lead_to_their_page(self):
        for words, page in SEARCHED.items():
            with self.subTest(words):
                self.assertIn(page, self.found(*words.split())[:4])

    def test_words_lead_to_each_of_their_pages(self):
        for words, pages in WITHIN_THREE.items():
            with self.subTest(words):
                self.assertEqual(sorted(set(pages) & set(self.found(*words.split())[:3])), sorted(pages))

    def test_questions_have_their_page_first(self):
        for words, page in FIRST.items():
            with self.subTest(words):
                self.assertEqual(page, self.found(*words.split())[0])

    def test_of_a_question_without_a_page_it_says_so(self):
        said = call("explain", "qwzx", "vbkj", "pfgh")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("no page found about 'qwzx vbkj pfgh'", said.stderr)

    def test_a_folder_lists_its_steps(self):
        self.assertEqual(self.found("sync"), [step["id"] for step in STEPS if step["id"].startswith("sync/")])
        self.assertEqual(self.found("sync/*"), self.found("sync"))

    def test_a_misspelt_step_is_refused_with_what_is_near(self):
        for misspelt, step in {"sync/item_every_stp": "sync/item_every_step", "stgym/device_indice": "stgym/device_indices",
                               "stgym/devic_indices": "stgym/device_indices"}.items():
            said = call("explain", misspelt)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn(f"did you mean '{step}'", said.stderr)

    def test_of_an_id_without_a_step_it_says_so_before_what_it_found(self):
        for word, list_of in {"sync/nosuch": "list sync", "nosuch/sync": "list"}.items():
            said = call("explain", word)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertTrue(said.stdout.startswith(f"There is no step {word}; `tuneproof {list_of}` lists "), said.stdout)
            self.assertIn(f"Pages about '{word}'", said.stdout)
            self.assertIn(f"There is no step {word}", json.loads(call("explain", word, "--json").stdout)["said"])
        self.assertTrue(call("explain", "I/O").stdout.startswith("Pages about"))

    def test_of_words_that_no_page_has_it_says_which(self):
        for words, told in {"qwzxvbkj logging": "No page has 'qwzxvbkj'.",
                            "dataloder": "No page has 'dataloder', so 'dataloader' was searched for."}.items():
            said = call("explain", words)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertEqual(said.stdout.splitlines()[0], told)
            self.assertEqual(json.loads(call("explain", words, "--json").stdout)["said"], told)

    def test_of_a_word_that_no_page_has_it_says_so(self):
        for word in ["qwzxvbkj", "%%%", "einsum", "why is qwzxvbkj slow"]:
            said = call("explain", word)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn(f"no page found about '{word}'", said.stderr)

    def test_the_words_of_the_remarks_are_explained(self):
        told = call("explain", "topic/words").stdout
        for flag, meaning in re.findall(r'\{"([a-z -]+)", "([a-z][^"]+)"\}', (PROJECT / "harness/run/row_view.cpp").read_text()):
            self.assertRegex(told, rf"(?m)^  {flag}\b", meaning)

    def test_each_page_that_has_words_of_its_own_is_there(self):
        pages = {step["id"] for step in STEPS} | {"topic/" + path.stem for path in (PROJECT / "docs/topics").glob("*.txt")}
        pages |= {f"tuneproof {name}" for name in re.findall(r"^  ([a-z]+) ", call("--help").stdout, re.M)}
        pages |= set(re.findall(r'^    \{"(\w+)",', (PROJECT / "harness/trace/finding_kinds.cpp").read_text(), re.M))
        for line in (PROJECT / "harness/pages/search_words.txt").read_text().splitlines():
            self.assertIn(line.split(": ")[0], pages | {"alike"})


class FiveParts(unittest.TestCase):
    def test_every_step_has_all_five(self):
        for step in STEPS:
            with self.subTest(step["id"]):
                parts = parts_of(step["id"])
                self.assertTrue(parts["question"].endswith("?"), parts["question"])
                self.assertGreater(len(parts["hardware"].split()), 20)
                self.assertTrue(parts["forms"]["code"][0]["text"])
                self.assertRegex(parts["when"]["text"], r"^(When|What it costs)")
                self.assertTrue(parts["published"]["figure"])
                self.assertTrue(parts["published"]["expected"])
                self.assertGreater(len(parts["answer"].split()), 10)

    def test_they_stand_in_their_order_on_the_page_and_in_markdown(self):
        for step in STEPS:
            for text in [page_of(step["id"]), call("explain", step["id"], "--markdown").stdout]:
                found = re.findall(r"^(?:## )?([1-57])\. ", text, re.M)  # 6, in Python, is tested with its lines
                self.assertEqual(found, list("123457"), step["id"])

    def test_a_question_is_asked_once(self):
        asked = [parts_of(step["id"])["question"] for step in STEPS]
        self.assertEqual(len(asked), len(set(asked)))

    def test_what_is_expected_on_the_CPU_and_the_claim_ids_are_on_the_page(self):
        text = page_of("stgym/device_indices")
        self.assertIn("on the CPU: no effect at against:below", text)
        self.assertIn("xfer-stgym-index-build", text)
        self.assertIn("on the CPU: the source does not say", page_of("sync/item_every_step"))

    def test_lines_that_only_warn_without_a_CUDA_device_say_so(self):
        for step, warns in {"precision/amp_fp16": True, "precision/sync_gradscaler": True, "precision/amp_bf16": False}.items():
            said = "Without a CUDA device these lines warn, and run in FP32." in " ".join(page_of(step).split())
            self.assertEqual(said, warns, step)

    def test_lines_of_prose_fit_100_columns(self):
        for step in STEPS:
            for line in prose_of(step["id"]):
                if "http" not in line:
                    self.assertLessEqual(len(line), 100, line)

    def test_verdicts_are_quoted_in_the_words_of_the_table(self):
        in_files = re.compile(r"[`\"](helps|hurts|no_effect|no effect|inconclusive)[`\"]", re.I)
        for step in STEPS:
            self.assertNotRegex("\n".join(prose_of(step["id"])), in_files, step["id"])


class Measured(unittest.TestCase):
    def test_the_last_result_is_that_of_the_file_to_the_digit(self):
        row = next(row for row in json.loads(gzip.decompress(RESULTS.read_bytes()))["tuneproof"]["pairs"]
                   if row["id"] == "stgym/device_indices/against:below/unit:step/device:cpu")
        last = explained("stgym/device_indices", "--results", RESULTS)["parts"]["published"]["last_results"]
        shown = next(entry for entry in last if entry["row"] == row["id"])
        self.assertEqual(shown["ratio"], row["result"]["ratio"])
        self.assertEqual(shown["verdict"], row["result"]["verdict"])
        self.assertEqual(shown["commit"], "1697d9f90f35")

    def test_of_several_files_the_one_that_was_started_last_counts(self):
        older = MACHINE / "2026-11-21-9756841.json.gz"
        for files in [[older, RESULTS], [RESULTS, older]]:
            given = [word for file in files for word in ["--results", file]]
            last = explained("stgym/device_indices", *given)["parts"]["published"]["last_results"]
            self.assertTrue(last)
            self.assertEqual({entry["commit"] for entry in last}, {"1697d9f90f35"})

    def test_a_skipped_row_says_why(self):
        text = call("explain", "transfer/pinned_h2d", "--results", RESULTS).stdout
        self.assertIn("skipped: no CUDA device", text)

    def test_a_word_behind_a_file_is_no_other_file(self):
        text = call("explain", "transfer/pinned_h2d", "--results", RESULTS).stdout
        self.assertEqual(call("explain", "--results", RESULTS, "transfer/pinned_h2d").stdout, text)

    def test_rows_that_were_skipped_for_one_reason_are_told_at_once(self):
        skipped = json.loads(gzip.decompress(RESULTS.read_bytes()))["tuneproof"]["errors"]
        rows = sum(row["step"] == "transfer/pinned_h2d" for row in skipped)
        text = call("explain", "transfer/pinned_h2d", "--results", RESULTS).stdout
        self.assertEqual(text.count("skipped: "), 1)
        if rows > 1:
            self.assertIn(f" and {rows - 1} more\n    skipped: ", text)

    def test_a_history_that_lies_there_is_read_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("no result given", call("explain", "stgym/single_tail", folder=folder).stdout)
            self.assertEqual(call("history", "add", RESULTS, folder=folder).returncode, 0)
            text = call("explain", "stgym/single_tail", folder=folder).stdout
            self.assertIn("history.sqlite", text)
            self.assertIn("(verdict not kept)", text)
            self.assertIn("no row of this step in history.sqlite", call("explain", "transfer/2d_copy", folder=folder).stdout)

    def test_prices_that_bear_on_the_step_are_those_of_the_file(self):
        prices = explained("cpu/malloc", "--prices", PRICES)["parts"]["when"]["prices"]["rows"]
        file = {row["name"]: row for row in json.loads(PRICES.read_text())["benchmarks"]}
        self.assertGreater(len(prices), 5)
        for price in prices:
            row = file[f"prices/{price['name']}/real_time"]
            scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[row["time_unit"]]
            self.assertAlmostEqual(price["seconds"], row["real_time"] * scale, delta=price["seconds"] * 1e-12)

    def test_prices_of_a_list_that_is_not_whole_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            stopped = json.loads(PRICES.read_text())
            stopped["context"]["whole"] = "no"
            file = pathlib.Path(folder) / "p.json"
            file.write_text(json.dumps(stopped))
            self.assertIn("not whole", " ".join(call("explain", "cpu/malloc", "--prices", file).stdout.split()))

    def test_a_page_shows_the_prices_that_concern_its_step_and_else_no_word_of_them(self):
        self.assertIn("dispatch/host/item ", call("explain", "stgym/no_item", "--prices", PRICES).stdout)
        self.assertNotIn("product/", call("explain", "stgym/no_item", "--prices", PRICES).stdout)
        self.assertIn("Prices       none given", call("explain", "stgym/no_item").stdout)
        for step in ["gpt/accuracy", "precision/gradient_underflow"]:
            for given in [[], ["--prices", PRICES]]:
                self.assertNotRegex(call("explain", step, *given).stdout, "(?m)^Prices ", step)

    def test_the_GPT_has_no_tolerance_for_a_batch_norm(self):
        steps = [step["id"] for step in STEPS if step["id"].startswith("gpt/")]
        self.assertGreater(len(steps), 10)
        for step in steps:
            same = re.findall(r"Same answer  .*(?:\n {8,}.*)*", call("explain", step).stdout)
            self.assertTrue(same, step)
            self.assertNotIn("batch norm", " ".join(" ".join(same).split()), step)

    def test_every_row_that_is_named_for_a_step_is_on_the_list(self):
        sources = "".join(file.read_text() for file in (PROJECT / "prices").glob("*.cpp") if file.stem != "of_steps")
        table = (PROJECT / "prices/of_steps.cpp").read_text()
        ids = re.findall(r'\{"([a-z0-9_/*]+)",', table)
        for prefix in ids:
            part = prefix.lstrip("*")
            self.assertTrue(any(step["id"].endswith(part) if part != prefix else step["id"].startswith(part) for step in STEPS), prefix)
        for name in set(re.findall(r"[a-z_0-9]+(?:/[a-z_0-9:]+)+", " ".join(re.findall(r'"([^"{}]*)"', table)))):
            if "/" in name and not any(name.startswith(prefix.rstrip("/")) for prefix in ids):
                self.assertIn(name.split("/")[0], sources, name)

    def test_a_damaged_file_costs_one_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.json"
            file.write_text("{")
            for option in ["--results", "--prices", "--history"]:
                said = call("explain", "cpu/malloc", option, file)
                self.assertEqual((said.returncode, said.stdout), (1, ""))
                self.assertEqual(len(said.stderr.splitlines()), 1, said.stderr)
                self.assertIn("x.json", said.stderr)

    def test_results_are_no_prices_and_prices_no_results(self):
        for option, file in [("--results", PRICES), ("--prices", RESULTS)]:
            said = call("explain", "cpu/malloc", option, file)
            self.assertEqual((said.returncode, len(said.stderr.splitlines())), (1, 1), said.stderr)


class Traps(unittest.TestCase):
    """The mistakes in timing of the issue's list, each a wrong timer beside a right one."""
    NAMES = {"clock_before_end", "event_other_stream", "no_warm_up", "first_touch", "hot_cache", "one_sample",
             "first_then_second", "profiler_on"}

    def test_every_one_of_the_list_is_there(self):
        self.assertEqual({step["id"] for step in STEPS if step["id"].startswith("traps/")},
                         {f"traps/{name}" for name in self.NAMES})

    def test_both_timers_numbers_are_there_and_the_CPU_has_all_but_the_streams(self):
        expected = {f"traps/{name}" for name in self.NAMES - {"event_other_stream"}}
        for budget in ["30s", "10m"]:  # the rehearsal reads both timers: until each trap had its own on this machine
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "r.json"
                said = call("run", "traps/*", "--device", "cpu", "--budget", budget, "--json", file, patience=900)
                self.assertIn(said.returncode, (0, 2), said.stderr)
                block = json.loads(file.read_text())["tuneproof"]
            if {pair["step"] for pair in block["pairs"] if pair["iterations"] > 0} == expected:
                break
        measured = {pair["step"]: pair["figures"][0] for pair in block["pairs"]}
        self.assertEqual(set(measured), expected, json.dumps(block["errors"]))
        for step, figure in measured.items():
            self.assertEqual(figure["name"], "what the timer says")
            self.assertTrue(figure["naive"] > 0 and figure["optimized"] > 0, f"{step}: {figure}")


if __name__ == "__main__":
    unittest.main()
