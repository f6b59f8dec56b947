// The ladder of ResNet-50 as a table: on each record stands what its lesson says of ResNet-50 alone.
#include "workloads/training/rungs.hpp"

#include "workloads/resnet50/resnet50_rung.hpp"
#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/ranks_rungs.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::resnet50 {
namespace {

using namespace harness;
using namespace training;

Trial accuracy(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 48;
  constexpr Split split{.training = 384, .validation = 128};
  return accuracy_trial(setup, point, job(setup, split), steps);
}

constexpr Step table[] = {
    // Show the loss every 50 steps, not in each step.
    //
    // Question: A step of ResNet-50 starts several hundred kernels. What does it cost to wait for all of them
    // once a step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(log_every_n_step(
        {.id = "resnet50/log_every_n",
         .claim =
             "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "ResNet-50.",
         .prepare = rung<job, &Switches::log_every_n>,
         .row_seconds = 90})),

    // Drop gradients instead of filling them with zeros.
    //
    // Question: ResNet-50 has 161 parameters with 23.5 million numbers. What does a step pay for zeros to
    // which gradients are added?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(gradients_to_none_step(
        {.id = "resnet50/gradients_to_none",
         .claim = "Gradients that are dropped instead of zeroed shorten a training step of ResNet-50.",
         .prepare = rung<job, &Switches::gradients_to_none>,
         .row_seconds = 90})),

    // Copy the next batch to the device from pinned memory while this one is trained.
    //
    // Question: A step waits for a batch of 8 images whose bytes become numbers from -1 to 1. How much of
    // that wait does a copy ahead hide?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(prefetch_step({.id = "resnet50/prefetch",
                           .claim = "Pinned memory and copies one batch ahead shorten an epoch of ResNet-50.",
                           .prepare = rung<job, &Switches::prefetch, TimedUnit::epoch>,
                           .row_seconds = 60})),

    // Let worker threads make the batches.
    //
    // Question: A batch of 8 images whose bytes become numbers from -1 to 1 is made between two steps. Two
    // threads could make it during a step: what do they save, and what do they take from the network?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(workers_step({.id = "resnet50/workers",
                          .claim = "Two loader workers shorten an epoch of ResNet-50.",
                          .prepare = rung<job, &Switches::workers, TimedUnit::epoch>,
                          .row_seconds = 250})),

    // Transform samples once, before training, not each time one is fetched.
    //
    // Question: A batch is 8 images whose bytes become numbers from -1 to 1. How does that compare with the
    // network's step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(transform_ahead_step(
        {.id = "resnet50/transform_ahead",
         .claim = "Samples that are transformed before training shorten a training step of ResNet-50.",
         .prepare = rung<job, &Switches::transform_ahead>,
         .row_seconds = 90})),

    // Lay out images and kernels channels last.
    //
    // Question: The convolutions of ResNet-50 are small at 64 x 64, larger on a GPU. Which layout do your
    // processor's kernels want?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(
        channels_last_step({.id = "resnet50/channels_last",
                            .claim = "The memory format channels_last shortens a training step of ResNet-50.",
                            .prepare = rung<job, &Switches::channels_last>,
                            .row_seconds = 90})),

    // Let FP32 products and convolutions run in TF32.
    //
    // Question: Tensor cores multiply TF32 several times as fast as other cores multiply FP32. How much of a
    // step of ResNet-50 is that?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(tf32_step({.id = "resnet50/tf32",
                       .claim = "TF32 products and convolutions shorten a training step of ResNet-50.",
                       .prepare = rung<job, &Switches::tf32>,
                       .row_seconds = 90})),

    // Multiply in BF16 by autocast.
    //
    // Question: Convolutions of 16 bits may take half the time. Do yours, after what casting costs?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(bf16_step({.id = "resnet50/bf16",
                       .claim = "Autocast to BF16 shortens a training step of ResNet-50.",
                       .prepare = rung<job, &Switches::bf16>,
                       .row_seconds = 90,
                       .tolerance = half_precision})),

    // Multiply in FP16 by autocast, with a scaled loss.
    //
    // Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of
    // ResNet-50?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fp16_step({.id = "resnet50/fp16",
                       .claim = "Autocast to FP16 with a scaled loss shortens a training step of ResNet-50.",
                       .prepare = rung<job, &Switches::fp16>,
                       .row_seconds = 90})),

    // Take AdamW's step in one operator.
    //
    // Question: AdamW goes over 161 parameters with 23.5 million numbers. What does a single pass save?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fused_optimizer_step({.id = "resnet50/fused_optimizer",
                                  .claim = "A fused AdamW shortens a training step of ResNet-50.",
                                  .prepare = rung<job, &Switches::fused_optimizer>,
                                  .row_seconds = 90})),

    // Let cuDNN try its algorithms out.
    //
    // Question: cuDNN chooses a convolution's algorithm by rule of thumb, or by trying up to ten of them. How
    // much better is the tried one for the shapes of ResNet-50?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(cudnn_benchmark_step({.id = "resnet50/cudnn_benchmark",
                                  .claim = "cuDNN's benchmark mode shortens a training step of ResNet-50.",
                                  .prepare = rung<job, &Switches::cudnn_benchmark>,
                                  .row_seconds = 90})),

    // Record the whole training step as a CUDA graph.
    //
    // Question: One launch instead of hundreds of operators: what does that save ResNet-50 on your device?
    //
    // A step of ResNet-50 queues about a thousand operators, and small images leave a device little to do in
    // each of them.
    //
    // Lesson: workloads/training/rungs.hpp
    checked(cuda_graph_step(
        {.id = "resnet50/cuda_graph",
         .claim = "Replaying the whole training step as a CUDA graph shortens it for ResNet-50.",
         .prepare = rung<job, &Switches::cuda_graph>,
         .row_seconds = 90})),

    // Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
    //
    // Question: The form below has every kept change of the checklists. What can a compiler still save that
    // sees the whole step of ResNet-50?
    //
    // Behind each of the 53 convolutions lie a batch norm, a ReLU and sometimes a sum, which read and write
    // all channels again, forward and backward. The compiler joins them. It calls the library for the
    // convolutions themselves.
    //
    // What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
    // does not matter: where convolutions take nearly all of the time.
    //
    // The row times a training step on batches of 8 images of 64 x 64 (a GPU: 64 of 224 x 224): the step
    // with all earlier changes, against the compiled step. `explain --assembly resnet50/compiled` shows
    // what the compiler wrote. It is a branch: it needs Python with torch and a C++ compiler, without
    // which the row is skipped.
    //
    // The function in Python: workloads/resnet50/resnet50_model.cpp, workloads/training/compiled_step.cpp
    //
    // Answer: The passes behind each convolution: batch norm, ReLU and sum, forward and backward, become one
    // loop each. The convolutions stay the library's, so on a CPU, where they take nearly all of the time,
    // little is left to save.
    checked(
        compiled_step({.id = "resnet50/compiled",
                       .claim = "A training step of ResNet-50 that torch's compiler has compiled is shorter.",
                       .prepare = rung<job, &Switches::compiled>,
                       .row_seconds = 90})),

    // What a beginner writes against the whole ladder of ResNet-50.
    //
    // Question: How much faster does every change of the checklists together make ResNet-50 on your machine,
    // in FP32?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_step({.id = "resnet50/best_form",
                            .claim = "The kept changes together shorten a training step of ResNet-50.",
                            .prepare = two_forms<job, best_form>,
                            .row_seconds = 90})),

    // What a beginner writes against the whole ladder of ResNet-50, in BF16.
    //
    // Question: How much faster does every change of the checklists make ResNet-50 on your machine with
    // products of 16 bits, and what if torch's compiler writes the step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_bf16_step(
        {.id = "resnet50/best_form_bf16",
         .claim = "The kept changes and BF16 together shorten a training step of ResNet-50.",
         .prepare = two_forms<job, best_form_bf16>,
         .row_seconds = 90,
         .tolerance = half_precision})),

    // What each kept change gains at the two ends of the ladder of ResNet-50: taken from the best form, and
    // alone in naive.
    //
    // Question: Does a change that gains something low on the ladder still gain it in the best form?
    //
    // A rung is measured against the rungs below it, so its row depends on the order of the rungs.
    // `channels_last` changes the layout that every layer meets: what pays in one layout may not pay in the
    // other. `from:best` compares the best form without the change to the best form; `from:naive` compares
    // the naive form to the naive form with it.
    //
    // When it does not matter: where changes have nothing in common. Then all three figures of a change agree
    // in seconds, though not in percent.
    //
    // `tuneproof run 'resnet50/*' --leave-one-out` measures the ladder and these rows, and prints them
    // side by side. A row times a training step on batches of 8 images of 64 x 64 (a GPU: 64 of 224 x
    // 224).
    //
    // Answer: Not always: after `channels_last` every layer meets another layout, and what paid in one may
    // not pay in the other. Compare `from:naive` with `from:best`.
    checked(leave_one_out_step<Input::images>(
        {.id = "resnet50/leave_one_out",
         .claim = "A change to ResNet-50 brings something in the best form, and something alone.",
         .prepare = two_forms<job, one_left_out<Input::images>>,
         .row_seconds = 90})),

    // Train both sides to the end and compare what they have learned.
    //
    // Question: A form that is faster and learns less is not a gain. Does ResNet-50 end at the same loss in
    // its best form, and in BF16, and does it guess as many labels right?
    //
    // Lesson: workloads/training/rungs.hpp
    //
    // The row trains 48 steps on batches of 8 images of 64 x 64, which see each image once, a naive form and
    // the point's, and judges the loss, or the labels, of 128 images that neither has seen. What is not
    // judged, the seconds of all steps, and those to the same loss stand beside it for the first seed.
    checked(accuracy_step(
        {.id = "resnet50/accuracy",
         .claim = "The faster forms of ResNet-50 end training with the loss and the right labels of the "
                  "naive one.",
         .prepare = accuracy,
         .row_seconds = 250})),

    // Train each batch on several ranks, a shard on each, instead of on one rank alone.
    //
    // Question: Two ranks share a batch of images and exchange 90 MiB of gradients. What part of a twofold
    // speedup is left of a training step of ResNet-50?
    //
    // Images of 64 x 64 give little arithmetic for so many bytes. On images of 224 x 224, as a GPU trains
    // them, a convolution uses each parameter about twelve times as often, and more of the exchange runs
    // beside the backward pass.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_step(
        {.id = "resnet50/ddp",
         .claim = "Ranks that share each batch take a training step of ResNet-50 sooner than one rank alone.",
         .prepare = in_ranks<job, ddp>,
         .row_seconds = 120})),

    // Exchange gradients once for a batch that is trained in parts, instead of after each part.
    //
    // Question: ResNet-50 trains a batch in two parts, since the whole does not fit. How much of the step
    // does the first part's exchange take?
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_no_sync_step({.id = "resnet50/ddp_no_sync",
                              .claim = "Gradients that are exchanged once for two parts of a batch shorten a "
                                       "training step of ResNet-50.",
                              .prepare = in_ranks<job, ddp_no_sync>,
                              .row_seconds = 300})),

    // Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
    //
    // Question: ResNet-50 has 161 gradients, 90 MiB together. What do 161 exchanges cost that a few would
    // not?
    //
    // 106 of the gradients belong to batch norms and have 64 to 2048 values. A message of 8 KiB takes hardly
    // longer than an empty one, so that only the number of these messages counts. Buckets of 25 MiB make it a
    // handful.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_buckets_step(
        {.id = "resnet50/ddp_buckets",
         .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of ResNet-50.",
         .prepare = in_ranks<job, ddp_buckets>,
         .row_seconds = 180})),
};

}  // namespace

extern constexpr std::span<const Step> rungs = table;

}  // namespace workloads::resnet50
