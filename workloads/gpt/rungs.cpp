// The ladder of the GPT as a table: on each record stands what its lesson says of the GPT alone.
#include "workloads/training/rungs.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/ranks_rungs.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::gpt {
namespace {

using namespace harness;
using namespace training;

Trial accuracy(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 128;
  return accuracy_trial(setup, point, small_job(setup), steps);
}

constexpr Step table[] = {
    // Show the loss every 50 steps, not in each step.
    //
    // Question: A step of this GPT is short. What does one line of output a step cost beside it?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(log_every_n_step(
        {.id = "gpt/log_every_n",
         .claim =
             "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the GPT.",
         .prepare = rung<job, &Switches::log_every_n>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Drop gradients instead of filling them with zeros.
    //
    // Question: The GPT has 52 parameters with 0.8 million numbers, at a GPU's size 148 with 124 million.
    // What does a step pay for zeros to which gradients are added?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(gradients_to_none_step(
        {.id = "gpt/gradients_to_none",
         .claim = "Gradients that are dropped instead of zeroed shorten a training step of the GPT.",
         .prepare = rung<job, &Switches::gradients_to_none>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Copy the next batch to the device from pinned memory while this one is trained.
    //
    // Question: A step waits for a batch of pieces of text. How much of that wait does a copy ahead hide?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(prefetch_step({.id = "gpt/prefetch",
                           .claim = "Pinned memory and copies one batch ahead shorten an epoch of the GPT.",
                           .prepare = rung<job, &Switches::prefetch, TimedUnit::epoch>,
                           .row_seconds = 60,
                           .tolerance = other_order})),

    // Let worker threads make the batches.
    //
    // Question: A batch of pieces of text is made between two steps. Two threads could make it during a
    // step: what do they save, and what do they take from the network?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(workers_step({.id = "gpt/workers",
                          .claim = "Two loader workers shorten an epoch of the GPT.",
                          .prepare = rung<job, &Switches::workers, TimedUnit::epoch>,
                          .row_seconds = 120,
                          .tolerance = other_order})),

    // Transform samples once, before training, not each time one is fetched.
    //
    // Question: Pieces of text become numbers for each batch. Can that be seen beside the step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(transform_ahead_step(
        {.id = "gpt/transform_ahead",
         .claim = "Samples that are transformed before training shorten a training step of the GPT.",
         .prepare = rung<job, &Switches::transform_ahead>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Compute attention with one operator.
    //
    // Question: Attention over 64 characters is a matrix of 64 x 64 for each head; a GPU trains 1,024. Which
    // is enough for a fused operator to save anything?
    //
    // Written out, attention multiplies, scales, masks, takes a softmax and multiplies again. Each keeps a
    // tensor of the size of block squared for each head, most of which the backward pass reads again. The
    // fused operator goes through it in tiles and keeps one number a row.
    //
    // When it does not matter: in short sequences, whose matrices fit into a cache. The saving grows with the
    // square of the length.
    //
    // The row times a training step on batches of 16 pieces of 64 characters (a GPU: 8 of 1,024): all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: On a CPU not much: matrices of 64 x 64 fit into a cache, so there is little traffic to save,
    // only calls. The saving grows with the square of the length.
    checked({.id = "gpt/fused_attention",
             .claim = "Fused attention shortens a training step of the GPT.",
             .source = {.title = "PyTorch, scaled_dot_product_attention",
                        .url = "https://docs.pytorch.org/docs/stable/generated/"
                               "torch.nn.functional.scaled_dot_product_attention.html",
                        .where = "is_causal"},
             .runs = Runs::session,
             .axes = step_axes,
             .prepare = rung<job, &Switches::fused_attention>,
             .expectation = {.outcome = Outcome::depends, .published = "no figure"},
             .tolerance = other_order,
             .row_seconds = 30,
             .suite = Suite::named}),

    // Let FP32 products and convolutions run in TF32.
    //
    // Question: Tensor cores multiply TF32 several times as fast as other cores multiply FP32. How much of a
    // step of the GPT is that?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(tf32_step({.id = "gpt/tf32",
                       .claim = "TF32 products and convolutions shorten a training step of the GPT.",
                       .prepare = rung<job, &Switches::tf32>,
                       .row_seconds = 30})),

    // Multiply in BF16 by autocast.
    //
    // Question: This GPT multiplies matrices of 128 columns. Do products of 16 bits save more there than the
    // casts cost?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(bf16_step({.id = "gpt/bf16",
                       .claim = "Autocast to BF16 shortens a training step of the GPT.",
                       .prepare = rung<job, &Switches::bf16>,
                       .row_seconds = 30,
                       .tolerance = half_precision})),

    // Multiply in FP16 by autocast, with a scaled loss.
    //
    // Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of the
    // GPT?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fp16_step({.id = "gpt/fp16",
                       .claim = "Autocast to FP16 with a scaled loss shortens a training step of the GPT.",
                       .prepare = rung<job, &Switches::fp16>,
                       .row_seconds = 30})),

    // Take AdamW's step in one operator.
    //
    // Question: AdamW goes over 52 parameters with 0.8 million numbers, at a GPU's size over 148 with 124
    // million. What does a single pass save?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(fused_optimizer_step({.id = "gpt/fused_optimizer",
                                  .claim = "A fused AdamW shortens a training step of the GPT.",
                                  .prepare = rung<job, &Switches::fused_optimizer>,
                                  .row_seconds = 30,
                                  .tolerance = fused_update})),

    // Measure and scale all gradients together when you clip them.
    //
    // Question: Clipping takes a norm of each of 52 gradients (a GPU: 148) and scales each of them. What do
    // 104 operators (296) cost beside the step?
    //
    // An operator over a list of tensors is called once; on a device it also needs few kernels. The
    // arithmetic is the same. In Python clip_grad_norm_ has done it by itself since PyTorch 2.0; in C++ it
    // goes from gradient to gradient.
    //
    // When it does not matter: on a CPU, where the operator over a list goes through it tensor by tensor and
    // saves only the calls.
    //
    // The row times a training step on batches of 16 pieces of 64 characters (a GPU: 8 of 1,024): all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: On a CPU only 104 calls, about a microsecond each, become a few: hardly a share of the step.
    // On a device also their launches, which count where the host is the slower side.
    checked(
        {.id = "gpt/foreach_clip",
         .claim = "Clipping with operators over all gradients shortens a training step of the GPT.",
         .source = {.title = "PyTorch, torch.nn.utils.clip_grad_norm_",
                    .url =
                        "https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html",
                    .where = "foreach"},
         .runs = Runs::session,
         .axes = step_axes,
         .prepare = rung<job, &Switches::foreach_clip>,
         .expectation = {.outcome = Outcome::depends, .published = "no figure"},
         .tolerance = other_order,
         .row_seconds = 30,
         .suite = Suite::named}),

    // Record the whole training step as a CUDA graph.
    //
    // Question: One launch instead of hundreds of operators: what does that save the GPT on your device?
    //
    // A step of this GPT queues some three hundred operators on matrices of 128 columns, most of which take a
    // device a few microseconds: less than the host needs to launch them.
    //
    // Lesson: workloads/training/rungs.hpp
    checked(cuda_graph_step(
        {.id = "gpt/cuda_graph",
         .claim = "Replaying the whole training step as a CUDA graph shortens it for the GPT.",
         .prepare = rung<job, &Switches::cuda_graph>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
    //
    // Question: The form below has every kept change of the checklists. What can a compiler still save that
    // sees the whole step of the GPT?
    //
    // Between the products of this GPT lie softmaxes, norms, GELUs and sums that each read and write
    // everything once more. The compiler joins them to a few loops, forward and backward, and AdamW's step
    // over all parameters as well.
    //
    // What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
    // does not matter: where products take nearly all of the time: the compiler calls the same library for
    // them.
    //
    // The row times a training step on batches of 16 pieces of 64 characters (a GPU: 8 of 1,024): the
    // step with all earlier changes, against the compiled step. `explain --assembly gpt/compiled` shows
    // what the compiler wrote. It is a branch: it needs Python with torch and a C++ compiler, without
    // which the row is skipped.
    //
    // The function in Python: workloads/gpt/gpt_model.cpp, workloads/training/compiled_step.cpp
    //
    // Answer: The passes between the products: softmaxes, norms, GELUs, sums and AdamW over all parameters,
    // which the kept rungs still call one by one. The products stay the library's, so the gain ends at what
    // lies between them.
    checked(
        compiled_step({.id = "gpt/compiled",
                       .claim = "A training step of the GPT that torch's compiler has compiled is shorter.",
                       .prepare = rung<job, &Switches::compiled>,
                       .row_seconds = 30,
                       .tolerance = other_order})),

    // What a beginner writes against the whole ladder of the GPT.
    //
    // Question: How much faster does every change of the checklists together make the GPT on your machine,
    // in FP32?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_step({.id = "gpt/best_form",
                            .claim = "The kept changes together shorten a training step of the GPT.",
                            .prepare = two_forms<job, best_form>,
                            .row_seconds = 30,
                            .tolerance = other_order})),

    // What a beginner writes against the whole ladder of the GPT, in BF16.
    //
    // Question: How much faster does every change of the checklists make the GPT on your machine with
    // products of 16 bits, and what if torch's compiler writes the step?
    //
    // Lesson: workloads/training/rungs.hpp
    checked(best_form_bf16_step(
        {.id = "gpt/best_form_bf16",
         .claim = "The kept changes and BF16 together shorten a training step of the GPT.",
         .prepare = two_forms<job, best_form_bf16>,
         .row_seconds = 30,
         .tolerance = half_precision})),

    // What each kept change gains at the two ends of the ladder of the GPT: taken from the best form, and
    // alone in naive.
    //
    // Question: Does a change that gains something low on the ladder still gain it in the best form?
    //
    // A rung is measured against the rungs below it, so its row depends on the order of the rungs.
    // `fused_optimizer` and `foreach_clip` both save passes over the same parameters: the second of them
    // finds them in the cache. `from:best` compares the best form without the change to the best form;
    // `from:naive` compares the naive form to the naive form with it.
    //
    // When it does not matter: where changes have nothing in common. Then all three figures of a change agree
    // in seconds, though not in percent.
    //
    // `tuneproof run 'gpt/*' --leave-one-out` measures the ladder and these rows, and prints them side by
    // side. A row times a training step on batches of 16 pieces of 64 characters (a GPU: 8 of 1,024).
    //
    // Answer: Not always: `fused_optimizer` and `foreach_clip` save passes over the same parameters, so the
    // second of them finds less to save. Compare `from:naive` with `from:best`.
    checked(leave_one_out_step<Input::text>(
        {.id = "gpt/leave_one_out",
         .claim = "A change to the GPT brings something in the best form, and something alone.",
         .prepare = two_forms<job, one_left_out<Input::text>>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Train both sides to the end and compare what they have learned.
    //
    // Question: A form that is faster and learns less is not a gain. Does the GPT end at the same loss in its
    // best form, and in BF16, and does it guess as many labels right?
    //
    // Lesson: workloads/training/rungs.hpp
    //
    // The row trains 128 steps on batches of 16 pieces of 64 characters, a naive form and the point's, and
    // judges the loss, or the labels, of samples that neither has seen. What is not judged, the seconds of
    // all steps, and those to the same loss stand beside it for the first seed.
    checked(accuracy_step({.id = "gpt/accuracy",
                           .claim = "The faster forms of the GPT end training with the loss and the right "
                                    "labels of the naive one.",
                           .prepare = accuracy,
                           .row_seconds = 140})),

    // Train each batch on several ranks, a shard on each, instead of on one rank alone.
    //
    // Question: Two ranks share a batch of pieces of text and exchange 3 MiB of gradients, at a GPU's size
    // 475 MiB. What part of a twofold speedup is left of a training step of the GPT?
    //
    // Of two ranks each sends as many bytes as the gradients have, in each step. More or longer pieces of
    // text make a step longer and send no more bytes.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_step(
        {.id = "gpt/ddp",
         .claim = "Ranks that share each batch take a training step of the GPT sooner than one rank alone.",
         .prepare = in_ranks<job, ddp, other_order>,
         .row_seconds = 30,
         .tolerance = other_order})),

    // Exchange gradients once for a batch that is trained in parts, instead of after each part.
    //
    // Question: The GPT trains a batch in two parts, since the whole does not fit. How much of the step does
    // the first part's exchange take?
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_no_sync_step(
        {.id = "gpt/ddp_no_sync",
         .claim =
             "Gradients that are exchanged once for two parts of a batch shorten a training step of the GPT.",
         .prepare = in_ranks<job, ddp_no_sync, other_order>,
         .row_seconds = 60,
         .tolerance = other_order})),

    // Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
    //
    // Question: At a CPU's size the GPT has 52 gradients, 3 MiB together. What do 52 exchanges cost that a
    // few would not?
    //
    // At a CPU's size all gradients fit into one bucket of 25 MiB. One message takes the place of 52, but
    // it can start only when the backward pass is over, so that nothing hides it. The 475 MiB of a GPU's
    // size take many buckets.
    //
    // Lesson: workloads/training/ranks_rungs.hpp
    checked(ddp_buckets_step(
        {.id = "gpt/ddp_buckets",
         .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the GPT.",
         .prepare = in_ranks<job, ddp_buckets, other_order>,
         .row_seconds = 30,
         .tolerance = other_order})),
};

}  // namespace

extern constexpr std::span<const Step> rungs = table;

}  // namespace workloads::gpt
