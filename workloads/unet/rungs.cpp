// The ladder of the U-Net as a table: on each record stands what its lesson says of the U-Net alone.
#include "workloads/training/rungs.hpp"

#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/ranks_rungs.hpp"
#include "workloads/training/rung_step.hpp"
#include "workloads/unet/unet_rung.hpp"

namespace workloads::unet {
namespace {

using namespace harness;
using namespace training;

Trial accuracy(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 160;
  constexpr Split split{.training = 640, .validation = 64};
  return accuracy_trial(setup, point, job(setup, split), steps);
}

constexpr Step table[] = {
    // Show the loss every 50 steps, not in each step.
    //
    // Question: What is one number, read once a step, beside 31 million parameters?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(log_every_n_step(
        {.id = "unet/log_every_n",
         .claim =
             "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the U-Net.",
         .prepare = rung<job, &Switches::log_every_n>,
         .row_seconds = 90,
         .tolerance = other_order})),

    // Drop gradients instead of filling them with zeros.
    //
    // Question: The U-Net has 64 parameters with 31 million numbers. What does a step pay for zeros to which
    // gradients are added?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(gradients_to_none_step(
        {.id = "unet/gradients_to_none",
         .claim = "Gradients that are dropped instead of zeroed shorten a training step of the U-Net.",
         .prepare = rung<job, &Switches::gradients_to_none>,
         .row_seconds = 90,
         .tolerance = other_order})),

    // Copy the next batch to the device from pinned memory while this one is trained.
    //
    // Question: A step waits for a batch of 4 images with noise. How much of that wait does a copy ahead
    // hide?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(prefetch_step({.id = "unet/prefetch",
                           .claim = "Pinned memory and copies one batch ahead shorten an epoch of the U-Net.",
                           .prepare = rung<job, &Switches::prefetch, TimedUnit::epoch>,
                           .row_seconds = 60,
                           .tolerance = other_order})),

    // Let worker threads make the batches.
    //
    // Question: A batch of 4 images with noise is made between two steps. Two threads could make it during a
    // step: what do they save, and what do they take from the network?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(workers_step({.id = "unet/workers",
                          .claim = "Two loader workers shorten an epoch of the U-Net.",
                          .prepare = rung<job, &Switches::workers, TimedUnit::epoch>,
                          .row_seconds = 150,
                          .tolerance = other_order})),

    // Transform samples once, before training, not each time one is fetched.
    //
    // Question: Four images are drawn, with noise, for each batch. Can that be seen beside the step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(transform_ahead_step(
        {.id = "unet/transform_ahead",
         .claim = "Samples that are transformed before training shorten a training step of the U-Net.",
         .prepare = rung<job, &Switches::transform_ahead>,
         .row_seconds = 90,
         .tolerance = other_order})),

    // Lay out images and kernels channels last.
    //
    // Question: The U-Net's images are 32 x 32, with up to 1,024 channels. Which layout do your processor's
    // kernels want?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(
        channels_last_step({.id = "unet/channels_last",
                            .claim = "The memory format channels_last shortens a training step of the U-Net.",
                            .prepare = rung<job, &Switches::channels_last>,
                            .row_seconds = 90,
                            .tolerance = other_order})),

    // Let FP32 products and convolutions run in TF32.
    //
    // Question: Tensor cores multiply TF32 several times as fast as other cores multiply FP32. How much of a
    // step of the U-Net is that?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(tf32_step({.id = "unet/tf32",
                       .claim = "TF32 products and convolutions shorten a training step of the U-Net.",
                       .prepare = rung<job, &Switches::tf32>,
                       .row_seconds = 90})),

    // Multiply in BF16 by autocast.
    //
    // Question: Nearly all of the U-Net's time is in convolutions. What part of it does BF16 save on your
    // processor?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(bf16_step({.id = "unet/bf16",
                       .claim = "Autocast to BF16 shortens a training step of the U-Net.",
                       .prepare = rung<job, &Switches::bf16>,
                       .row_seconds = 90,
                       .tolerance = half_precision})),

    // Multiply in FP16 by autocast, with a scaled loss.
    //
    // Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of the
    // U-Net?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fp16_step({.id = "unet/fp16",
                       .claim = "Autocast to FP16 with a scaled loss shortens a training step of the U-Net.",
                       .prepare = rung<job, &Switches::fp16>,
                       .row_seconds = 90})),

    // Take AdamW's step in one operator.
    //
    // Question: AdamW goes over 64 parameters with 31 million numbers. What does it save to do so once?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fused_optimizer_step({.id = "unet/fused_optimizer",
                                  .claim = "A fused AdamW shortens a training step of the U-Net.",
                                  .prepare = rung<job, &Switches::fused_optimizer>,
                                  .row_seconds = 90,
                                  .tolerance = other_order})),

    // Let cuDNN try its algorithms out.
    //
    // Question: cuDNN chooses a convolution's algorithm by rule of thumb, or by trying up to ten of them. How
    // much better is the tried one for the shapes of the U-Net?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(cudnn_benchmark_step({.id = "unet/cudnn_benchmark",
                                  .claim = "cuDNN's benchmark mode shortens a training step of the U-Net.",
                                  .prepare = rung<job, &Switches::cudnn_benchmark>,
                                  .row_seconds = 90})),

    // Record the whole training step as a CUDA graph.
    //
    // Question: One launch instead of hundreds of operators: what does that save the U-Net on your device?
    //
    // A step of the U-Net queues a few hundred operators, and images of 32 x 32 leave a device little to do
    // in most of them.
    //
    // Lesson: workloads/training/rungs.hpp
    checked(cuda_graph_step(
        {.id = "unet/cuda_graph",
         .claim = "Replaying the whole training step as a CUDA graph shortens it for the U-Net.",
         .prepare = rung<job, &Switches::cuda_graph>,
         .row_seconds = 90,
         .tolerance = other_order})),

    // Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
    //
    // Question: The form below has every kept change of the checklists. What can a compiler still save that
    // sees the whole step of the U-Net?
    //
    // Behind each convolution lie a batch norm and a ReLU, which read and write all channels again, forward
    // and backward. The compiler joins them. It calls the library for the convolutions themselves, which may
    // choose another layout for them than the form below has.
    //
    // What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
    // does not matter: where convolutions take nearly all of the time, as in this network.
    //
    // The row times a training step on batches of 4 images of 32 x 32 (a GPU: 8 of 256 x 256): the step
    // with all earlier changes, against the compiled step. `explain --assembly unet/compiled` shows what
    // the compiler wrote. It is a branch: it needs Python with torch and a C++ compiler, without which
    // the row is skipped.
    //
    // The function in Python: workloads/unet/unet_model.cpp, workloads/training/compiled_step.cpp
    //
    // Answer: Batch norms and ReLUs between the convolutions. In this network convolutions take nearly all
    // of the time, so little; and the library may choose another layout for them, in either direction.
    checked(
        compiled_step({.id = "unet/compiled",
                       .claim = "A training step of the U-Net that torch's compiler has compiled is shorter.",
                       .prepare = rung<job, &Switches::compiled>,
                       .row_seconds = 90,
                       .tolerance = other_order})),

    // What a beginner writes against the whole ladder of the U-Net.
    //
    // Question: How much faster does every change of the checklists together make the U-Net on your machine,
    // in FP32?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_step({.id = "unet/best_form",
                            .claim = "The kept changes together shorten a training step of the U-Net.",
                            .prepare = two_forms<job, best_form>,
                            .row_seconds = 90,
                            .tolerance = other_order})),

    // What a beginner writes against the whole ladder of the U-Net, in BF16.
    //
    // Question: How much faster does every change of the checklists make the U-Net on your machine with
    // products of 16 bits, and what if torch's compiler writes the step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_bf16_step(
        {.id = "unet/best_form_bf16",
         .claim = "The kept changes and BF16 together shorten a training step of the U-Net.",
         .prepare = two_forms<job, best_form_bf16>,
         .row_seconds = 90,
         .tolerance = half_precision})),

    // What each kept change gains at the two ends of the ladder of the U-Net: taken from the best form, and
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
    // `tuneproof run 'unet/*' --leave-one-out` measures the ladder and these rows, and prints them side
    // by side. A row times a training step on batches of 4 images of 32 x 32 (a GPU: 8 of 256 x 256).
    //
    // Answer: Not always: after `channels_last` every layer meets another layout, and what paid in one may
    // not pay in the other. Compare `from:naive` with `from:best`.
    checked(leave_one_out_step<Input::images>(
        {.id = "unet/leave_one_out",
         .claim = "A change to the U-Net brings something in the best form, and something alone.",
         .prepare = two_forms<job, one_left_out<Input::images>>,
         .row_seconds = 90,
         .tolerance = other_order})),

    // Train both sides to the end and compare what they have learned.
    //
    // Question: A form that is faster and learns less is not a gain. Does the U-Net end at the same loss in
    // its best form, and in BF16?
    //
    // Lesson: workloads/training/rungs.hpp
    //
    // The row trains 160 steps on batches of 4 images of 32 x 32, which see each image once, a naive form and
    // the point's, and judges the loss on 64 images that neither has seen. The U-Net has no labels to guess:
    // its loss is how far it misses the noise. The seconds of all steps, and those to the same loss, stand
    // beside it for the first seed.
    checked(accuracy_of_loss_step(
        {.id = "unet/accuracy",
         .claim = "The faster forms of the U-Net end training with the loss of the naive one.",
         .prepare = accuracy,
         .row_seconds = 690})),

    // Train each batch on several ranks, a shard on each, instead of on one rank alone.
    //
    // Question: Two ranks share a batch of images and exchange 118 MiB of gradients. What part of a
    // twofold speedup is left of a training step of the U-Net?
    //
    // Most of the parameters lie in the middle of the U, where images of 32 x 32 have shrunk to 2 x 2, so
    // that there is little arithmetic for each byte that is sent.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_step(
        {.id = "unet/ddp",
         .claim = "Ranks that share each batch take a training step of the U-Net sooner than one rank alone.",
         .prepare = in_ranks<job, ddp, other_order>,
         .row_seconds = 120,
         .tolerance = other_order})),

    // Exchange gradients once for a batch that is trained in parts, instead of after each part.
    //
    // Question: The U-Net trains a batch in two parts, since the whole does not fit. How much of the step
    // does the first part's exchange take?
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_no_sync_step({.id = "unet/ddp_no_sync",
                              .claim = "Gradients that are exchanged once for two parts of a batch shorten a "
                                       "training step of the U-Net.",
                              .prepare = in_ranks<job, ddp_no_sync, other_order>,
                              .row_seconds = 300,
                              .tolerance = other_order})),

    // Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
    //
    // Question: The U-Net has 64 gradients, 118 MiB together. What do 64 exchanges cost that a few would not?
    //
    // 41 of the gradients belong to norms and biases and have at most 1024 values: such a message takes
    // hardly longer than an empty one. The largest kernel of a convolution has 36 MiB and is a bucket by
    // itself; the small gradients share a bucket with their neighbors.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_buckets_step(
        {.id = "unet/ddp_buckets",
         .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the U-Net.",
         .prepare = in_ranks<job, ddp_buckets, other_order>,
         .row_seconds = 180,
         .tolerance = other_order})),
};

}  // namespace

extern constexpr std::span<const Step> rungs = table;

}  // namespace workloads::unet
