// What the rungs of ResNet-50, the GPT and the U-Net have in common: each one's lesson, and its record but
// for what the model's table says.
#pragma once

#include "workloads/training/accuracy.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

// To print the loss the host needs its value. On a device it waits until all queued work is done, and while
// it then queues the next step the device idles. Each line is also formatted and written.
//
// When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: On a device a wait for everything that was queued, after which it idles until the next step is
// queued; beside that the line itself is little. On a CPU only the line, which a step does not notice.
constexpr harness::Step log_every_n_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Avoid unnecessary CPU-GPU synchronization"));
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// Zeroing writes every gradient, and the backward pass then reads it, adds to it and writes it again. Without
// a gradient the backward pass stores its result and adds nothing. It is the default of zero_grad() since
// PyTorch 2.0, in Python and in C++; older scripts say `set_to_none=False`, or zero by hand.
//
// When it does not matter: where parameters are few, or where the backward pass takes far longer than passes
// over the parameters. Dropped memory must also be given out again, which an allocator that keeps freed
// blocks does quickly.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: A writing pass, and a reading pass with an addition over all gradients: little beside forward and
// backward of this network unless its batch is small. It costs nothing to save it.
constexpr harness::Step gradients_to_none_step(const OwnRecord& own) {
  auto step = rung_step(
      own, tuning_guide("Use parameter.grad = None instead of model.zero_grad() or optimizer.zero_grad()"));
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// From pageable memory the driver copies a batch through its own small pinned buffer while the host waits.
// From pinned memory the copy is queued and runs by itself; on a stream of its own it runs while the
// multiprocessors train the batch before. Making the next batch then also falls into this step's time,
// because the host is done with queueing before the device is done with working.
//
// What it costs: a further copy on the host, into pinned memory, and a batch more on the device. When it does
// not matter: where a batch is small beside its step, as here, and on the CPU, which has nothing to copy to:
// the row is skipped there.
//
// The row times an epoch (of what size, `--scale` says), its validation included: all earlier changes
// without this one, against all earlier changes with it. It is a branch until a device has shown that it
// pays.
//
// Answer: All of the copy, as long as it is shorter than a step, and the making of the batch too, which then
// runs while the device works. But such a batch is small beside its step, so there is little to hide.
constexpr harness::Step prefetch_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("Use pinned memory buffers"));
  step.axes = epoch_axes;
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// Workers overlap what a sample goes through with the network's step. On a device the host's cores are mostly
// free for that. On a CPU the workers take cores that the network would use, so that the overlap gains only
// what was not parallel before.
//
// When it hurts: where samples are quick to make and the network needs all cores. What it costs: a start of
// the threads in each epoch, which the row includes, and batches that wait in memory. On the CPU the row
// takes a quarter of the samples, so that this start weighs more than in a whole epoch.
//
// The row times an epoch (of what size, `--scale` says), its validation included: all earlier changes
// without this one, against all earlier changes with it, two workers with one OpenMP thread each. It is a
// branch: above it all samples are transformed before training, and nothing is left to make.
//
// Answer: The time of making a batch, if cores are free: on a device they mostly are. On a CPU the two
// threads take cores from the network, so that only what was not parallel before is gained, and an epoch
// pays for starting them.
constexpr harness::Step workers_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Enable asynchronous data loading and augmentation"));
  step.axes = epoch_axes;
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// What a sample goes through on the way to the network is repeated in every epoch, sample by sample, with a
// handful of small operators each. Done once, a batch is rows copied out of one tensor.
//
// What it costs: memory for all samples as the network wants them, pixels as FP32 and characters as int64
// instead of bytes, and no random augmentation. When it does not matter: where the network takes much longer
// than its samples, as large networks do.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: Hardly beside a large network's step: the samples take a handful of small operators each. It is
// visible where the step is short or the transform long, and it costs random augmentation.
constexpr harness::Step transform_ahead_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, torch.utils.data",
                              .url = "https://docs.pytorch.org/docs/stable/data.html",
                              .where = "Map-style datasets"});
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// A convolution sums over channels. With the channels of a pixel side by side in memory its kernels read runs
// of numbers that they multiply together; in the other layout they are as far apart as an image is large, and
// libraries often reorder them first. Kernels of operators between convolutions keep the layout that they are
// given.
//
// When it does not matter: on a CPU, oneDNN reorders the kernels and images of either layout into blocks of
// its own. Which of its kernels run depends on the number of threads, so measure with as many (`--threads`)
// as you train with. It may hurt where an operator has no kernel for this layout.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: On a CPU with oneDNN either layout may win: it reorders both into blocks of its own, and the
// number of threads decides which kernel runs. On a GPU with tensor cores and 16-bit numbers channels_last
// is the layout that they read. Measure with the threads that you train with.
constexpr harness::Step channels_last_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Use channels_last memory format"));
  step.tolerance = other_order_of(own);
  return step;
}

// TF32 has the range of FP32 and FP16's 11 significant bits. Tensors stay FP32; only the factors of a product
// are rounded on their way into the tensor cores, and sums are FP32's.
//
// When it does not matter: on GeForce cards and the A10G, whose tensor cores have FP32's rate in TF32 by
// their data sheets; on devices before Ampere, which have no TF32, and on the CPU, where the row is skipped.
// It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it. The slow form computes products and convolutions in full FP32,
// though LibTorch would let convolutions have TF32 by itself.
//
// Answer: The share of products and convolutions, shortened by the device's ratio of TF32 to FP32: 8 by the
// data sheet of an A100, 1 for GeForce cards. What lies between the products stays, so the step gains less
// than that.
constexpr harness::Step tf32_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("TensorFloat-32 (TF32) on Ampere (and later) devices"));
  step.tolerance = harness::Tolerance{.relative = 5e-2, .why = "TF32 keeps 11 bits of each factor"};
  return step;
}

// BF16 has the range of FP32 in half the bytes, with 8 significant bits. Units for products of 16 bits are
// several times as fast where a processor has them. Parameters and the moments of AdamW stay FP32; autocast
// casts each parameter in each step.
//
// What BF16 rounds away forces a wide tolerance on the answer. So both sides also train a few samples in
// FP64, without autocast, and must agree there: only the products' own rounding may differ.
//
// When it hurts: on processors that have no instructions for BF16, and where products are so small that casts
// outweigh them. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: Only on processors that have instructions for BF16, and with products large enough for the casts:
// each parameter is cast in each step. Without such instructions it hurts.
constexpr harness::Step bf16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "torch.autocast"});
  step.tolerance = own.tolerance;
  return step;
}

// FP16 has 11 significant bits but a small range: gradients below 3e-8 become zero. So the loss is multiplied
// by a factor before the backward pass, and gradients are divided by it after. Where one of them is not
// finite the update is left out and the factor halved; after many good steps it is doubled (in Python
// `scaler.update()`).
//
// What it costs: a pass over all gradients, and a wait for the device in each step, to know whether the
// update is to be left out. When it does not matter: on the CPU, which multiplies FP16 no faster; the row is
// skipped there. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: A pass over all gradients to look for what is not finite, and a wait for the device in each step
// to know the result. With BF16 both fall away, which is why it is preferred where the device has it.
constexpr harness::Step fp16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "Gradient Scaling"});
  step.tolerance = harness::Tolerance{.relative = 5e-2, .why = "FP16 keeps 11 bits of each factor"};
  return step;
}

// LibTorch's C++ AdamW goes from parameter to parameter with about ten operators for each, and each of them
// is a pass over memory. The fused operator reads value, gradient and moments once and writes what changed.
// In Python the default on a GPU is foreach, since PyTorch 2.0: as many passes, but few calls. `fused=True`
// has to be passed; CPUs have had it since 2.4.
//
// When it does not matter: where forward and backward take nearly all of the time, as with large batches: the
// optimizer's work does not grow with them.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it.
//
// Answer: About ten passes over values, gradients and moments become one, and about ten calls a parameter
// become one in all. How much of the step that is depends on parameters against batch: the optimizer's work
// does not grow with the batch.
constexpr harness::Step fused_optimizer_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, torch.optim.AdamW",
                              .url = "https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html",
                              .where = "fused"});
  step.tolerance = other_order_of(own);
  step.cuda_tolerance = other_order_of(own);
  return step;
}

// With benchmark mode on, the first call with a shape runs up to ten of the algorithms that fit it, and the
// fastest serves all later calls with that shape. A training run with batches of one size has few shapes, so
// the trial is paid for once.
//
// When it hurts: where sizes change from batch to batch, since each new one is tried out. When it does not
// matter: where the rule of thumb was right, and on the CPU, which has no cuDNN; the row is skipped there.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it, after a first pass that makes the trials. It is a branch: the
// algorithms found may round otherwise from run to run.
//
// Answer: From nothing, where the rule of thumb had picked the same algorithm, to a visible part of the
// convolutions for uncommon shapes. The trial is paid for once, since batches here have one size.
constexpr harness::Step cudnn_benchmark_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Enable cuDNN auto-tuner"));
  step.tolerance = harness::Tolerance{
      .relative = 1e-2, .why = "cuDNN's algorithms add in another order, some by Winograd's scheme"};
  return step;
}

// A graph of the whole step, forward, backward and update, is one launch. It repeats addresses and shapes, so
// each batch is copied into the same tensors first; batches here have one size, and one graph serves all.
//
// What it costs: memory that the graph keeps for itself, a capture, which is not timed, and a step that must
// never ask the device anything: no `.item()`, no loss scale that looks for overflow on the host.
//
// When it does not matter: where the device is the slower of the two anyway. On the host there is nothing to
// launch, and the row is skipped.
//
// The row times a training step (of what size, `--scale` says): all earlier changes without this one,
// against all earlier changes with it. It is a branch until a device has shown that it pays.
//
// Answer: The host's time: hundreds of operators become one launch. It saves nearly all of it where the
// device would have waited, as with a batch this small on a fast device, and nothing where the device is the
// slower of the two.
constexpr harness::Step cuda_graph_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("CUDA Graphs, whole-network capture"));
  step.tolerance = other_order_of(own);
  return step;
}

// The record of a compiled training step. Each model's file has its own lesson: what the compiler joins
// differs.
constexpr harness::Step compiled_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Fuse operations"));
  step.claim_ids = "fuse-compile";
  step.tolerance = other_order_of(own);
  step.package_seconds = 100;
  return step;
}

constexpr harness::Axis best_form_axes[] = {step_or_epoch};

/// The naive form against every kept rung.
inline Forms best_form(const harness::Point& point) {
  return {.naive = {}, .optimized = best(), .unit = TimedUnit{point["unit"]}};
}

// Each change saves passes over memory, calls or waits; none of them saves a product. What is left of a step
// when all are made is the products themselves, which only a shorter format makes shorter: that branch is a
// row of its own.
//
// When it does not matter: where products already took nearly all of the time. On a CPU nothing is copied to
// a device and nobody waits for one, which is what some of the rungs save. An epoch is timed on a quarter of
// the samples there.
//
// The row times a training step or an epoch: no change at all, against every change that was kept.
//
// Answer: What is left when calls, passes and waits are saved is the products, which no rung of this chain
// makes shorter. So the gain is large where the naive form is mostly overhead, as on a fast device with
// small batches, and small where products took nearly all of the time. The row says which one your machine
// is.
constexpr harness::Step best_form_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("all of it"));
  step.axes = best_form_axes;
  step.other_costs = epoch_costs;
  step.expectation = harness::Expectation{.outcome = harness::Outcome::helps, .published = "no figure"};
  step.tolerance = other_order_of(own);
  step.suite = harness::Suite::full;
  return step;
}

/// Who runs the step: LibTorch's operators one by one, or the function that torch's compiler has written.
enum class RunBy : std::int64_t { operators, compiler };

constexpr std::string_view run_by_labels[] = {"operators", "compiler"};
constexpr harness::Axis best_form_bf16_axes[] = {
    {.name = "by",
     .about = "who runs the fast form's step: LibTorch's operators one by one, or the function that torch's "
              "compiler has written for it",
     .labels = run_by_labels},
    step_or_epoch};

/// Every kept rung, BF16, and what the point says. The other form is the naive one.
inline Forms best_form_bf16(const harness::Point& point) {
  auto optimized = best({&Switches::bf16});
  optimized.compiled = RunBy{point["by"]} == RunBy::compiler;
  return {.naive = {}, .optimized = optimized, .unit = TimedUnit{point["unit"]}};
}

// BF16 makes the products themselves shorter, and torch's compiler joins what lies between them. Together
// with the kept rungs they are the fastest form here. They change the arithmetic, so whether the model learns
// the same is a row of its own: `accuracy`, with `form:bf16` and `form:bf16_compiled`.
//
// When it does not matter: on processors that have no instructions for BF16. What it costs: the compiler
// needs Python with torch and a C++ compiler, and a minute or two, once for each machine and each shape. On
// the CPU an epoch is timed on a quarter of the samples.
//
// The row times a training step or an epoch: no change at all, against every change that was kept, and
// BF16.
//
// Answer: More than the chain alone where the processor multiplies BF16, since the products themselves get
// shorter; less than nothing where it has no such instructions. The compiler joins what lies between the
// products, and so gains most in small models.
constexpr harness::Step best_form_bf16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "torch.autocast"});
  step.axes = best_form_bf16_axes;
  step.other_costs = epoch_costs;
  step.tolerance = own.tolerance;
  step.package_seconds = 100;
  step.packages_at = "by:compiler";
  return step;
}

// Rounding differs between forms, and training carries differences on, so two training runs never end at the
// same bits; nor do two seeds. What can be asked is whether they differ by more than chance and by more than
// matters: here by 5 %, of the loss and of the number of labels that are guessed right. Each round trains
// both sides with a seed of its own, with the same first parameters and the same batches. The learning rate
// falls in a straight line to 0: at a constant rate the last steps would change the loss more than any form
// does. The verdict rests on the ratio of the losses, or of the guesses for a right label. `same` means that
// the interval lies within the margin on both sides: two one-sided tests, so a lack of evidence does not
// pass. A form has kept its accuracy if each of its rows says so, and has lost it if one says `more`.
//
// `bf16_rate_x10` is a mistake made on purpose: the learning rate is ten times too high. A test of accuracy
// that cannot find it would prove nothing of the others.
//
// When it does not matter: where nobody trains to the end. What it cannot say: whether longer training runs,
// other data or larger models stay as close.
//
// Answer: On two cores of an EPYC every faster form of ResNet-50, the GPT and the U-Net kept its accuracy
// (commit 9f26788, workloads/training/README.md). The planted mistake, `bf16_rate_x10`, was found in the GPT
// and in the U-Net; ResNet-50 could not tell. Your own row decides for your machine.
constexpr harness::Step accuracy_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "Micikevicius et al., Mixed Precision Training, ICLR 2018",
                              .url = "https://arxiv.org/abs/1710.03740",
                              .where = "section 4, Results"});
  step.axes = loss_and_labels;
  step.expectation = harness::Expectation{.outcome = harness::Outcome::no_effect,
                                          .published = "the accuracy of FP32, within the runs' spread",
                                          .hurts_at = "form:bf16_rate_x10"};
  step.tolerance = same_begin;
  step.delta = accuracy_margin;
  step.package_seconds = 100;
  step.packages_at = "form:bf16_compiled";
  return step;
}

/// Of a model whose targets are no labels.
constexpr harness::Step accuracy_of_loss_step(const OwnRecord& own) {
  auto step = accuracy_step(own);
  step.axes = loss_alone;
  return step;
}

}  // namespace workloads::training
