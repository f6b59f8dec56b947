// The ladder of the sampled GraphSAGE as a table: on each record stands its lesson.
#include "workloads/sage/sage_trial.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::sage {
namespace {

using namespace harness;

/// A rung, with what the records of all of them say.
constexpr Step our_step(Step step) {
  step.suite = Suite::named;
  step.runs = Runs::session;
  if (step.axes.empty()) step.axes = step_axes;
  step.cuda_tolerance = step.tolerance.relative > 0 ? step.tolerance : other_order;
  step.row_seconds = 90;
  return step;
}

/// In the quick suite with its quick row, in the full one with all.
constexpr Step step_of_suites(Step step) {
  step = our_step(step);
  step.suite = Suite::quick;
  return step;
}

constexpr Expectation depends{.outcome = Outcome::depends, .published = "no figure"};
constexpr Expectation helps{.outcome = Outcome::helps, .published = "no figure"};

constexpr Source tuning_guide(std::string_view where) {
  return {"PyTorch Performance Tuning Guide",
          "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html", where};
}

constexpr Source pinned_buffers{"PyTorch, CUDA semantics",
                                "https://docs.pytorch.org/docs/stable/notes/cuda.html",
                                "Use pinned memory buffers"};

/// Of a rung that a CPU skips.
constexpr RowCost skipped_on_cpu[] = {{"device:cpu", 1}};
constexpr std::int64_t without_small_steps[] = {0, 1, 2};
constexpr Axis best_form_axes[] = {unit_axis(without_small_steps)};
constexpr RowCost small_row[] = {{"unit:small", 5}};
constexpr RowCost small_steps_row[] = {{"unit:small_steps", 5}};

constexpr Step table[] = {
    // Show the loss every 50 steps, not in each step.
    //
    // Question: A step on a sampled graph begins on the host, with its sample. What does it cost to wait for
    // the device before the next sample is drawn?
    //
    // To print the loss the host needs its value. On a device it waits until all queued work is done, and
    // only then draws the next sample and gathers its features, while the device idles. Without that wait the
    // host samples while the device still trains the batch before.
    //
    // When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
    //
    // The row times a training step of three layers on sampled neighbors (15, 10, 5), without workers: no
    // change at all, against this one.
    //
    // Answer: On a device the time that the host takes for the next batch, as far as the device is still busy
    // then. On a CPU only the line, which a step does not notice.
    checked(our_step(
        {.id = "sage/log_every_n",
         .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step "
                  "on sampled neighbors.",
         .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
         .prepare = rung<&Switches::log_every_n>,
         .expectation = depends})),

    // Let each layer compute only the nodes that the next layer reads.
    //
    // Question: Of the nodes of a sample three quarters were found in the last hop. How many rows does a step
    // compute that nobody reads?
    //
    // A sample of three hops is a graph, and a network for graphs gives each node of it a row in each layer.
    // But the last layer has to give the seeds alone, and the layer before it the seeds and their neighbors:
    // the nodes of the last hop only lend their features to the first layer. Each hop is several times as
    // large as the one before, so that nearly all rows of the second and third layer are computed for
    // nothing, forward and backward. Nodes stand in the order in which they were found and edges in the order
    // of their targets, so that trimming is a view on the first rows and the first edges.
    //
    // When it does not matter: with one layer, or where a sample soon has every node of a small graph. It
    // works only if the sampler tells how many nodes and edges each hop has added.
    //
    // The row times a training step of three layers on sampled neighbors (15, 10, 5), without workers: all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: Eleven of twelve. With fan-outs of 15, 10 and 5, 128 seeds of the drawn graph at 1/8 have a
    // sample of 88,000 nodes. Trimmed, the first layer computes 20,000 of them, the second 2,000 and the
    // third 128.
    checked(our_step(
        {.id = "sage/trim",
         .claim = "Layers that compute only the nodes which the next layer reads shorten a training step on "
                  "sampled neighbors.",
         .source = {"PyTorch Geometric, Hierarchical Neighborhood Sampling",
                    "https://pytorch-geometric.readthedocs.io/en/latest/advanced/hgam.html", "trim_to_layer"},
         .prepare = rung<&Switches::trim>,
         .expectation = helps,
         .tolerance = other_order})),

    // Add up neighbors row by row, not by gathering and scattering a row for each edge.
    //
    // Question: A mean of neighbors can be written as a gather, a scatter and a division. What does a single
    // operator save that knows where each node's edges begin?
    //
    // Message passing is mostly written with a row for each edge: `index_select` copies the neighbors' rows,
    // `scatter_add` reads these copies and adds each to its target's row, wherever that lies, and the
    // backward pass does both again. There are more edges than nodes, so the copies are the largest tensors
    // of the step. A sampler finds a node's neighbors one after the other: its edges are sorted by target
    // anyway. With the places where each target's edges begin (compressed sparse rows), one operator reads
    // the neighbors' rows, adds them up in registers and writes one row; no copies, no atomics.
    //
    // When it does not matter: where the rows are short beside the products. It hurts where edges are in no
    // order and have to be sorted for it in each step.
    //
    // The row times a training step of three layers on sampled neighbors (15, 10, 5), without workers: all
    // earlier changes without this one, against all earlier changes with it. The operator is the one that
    // averages rows of an embedding table, `embedding_bag`.
    //
    // Answer: The copies of all edges' rows, which are written and read once forward and once backward, and
    // on a GPU the scatter's atomics. The products are the same, so the gain is the part of the step that
    // moved rows.
    checked(our_step(
        {.id = "sage/csr_aggregate",
         .claim = "Adding up neighbors by compressed rows instead of a scatter shortens a training step on "
                  "sampled neighbors.",
         .sides = {"scatter", "rows"},
         .source = {"deepmd-kit", "https://github.com/deepmodeling/deepmd-kit/pull/4813",
                    "pull request 4813"},
         .prepare = rung<&Switches::csr_aggregate>,
         .expectation = {.outcome = Outcome::helps, .published = "0.76 -> 0.56 s in deepmd-kit"},
         .tolerance = other_order})),

    // Take Adam's step in one operator.
    //
    // Question: GraphSAGE of three layers has nine parameters with 207,000 numbers. What does a single pass
    // of Adam save beside a sample of tens of thousands of nodes?
    //
    // LibTorch's C++ Adam goes from parameter to parameter with about ten operators for each, and each of
    // them is a pass over memory. The fused operator reads value, gradient and moments once and writes what
    // changed. In Python the default on a GPU is foreach: as many passes, but few calls.
    //
    // When it does not matter: where a batch brings far more numbers than the network has parameters, as
    // sampled graphs do.
    //
    // The row times a training step of three layers on sampled neighbors (15, 10, 5), without workers: all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: Ninety small operators become one. On a GPU that is the time to launch them; on a CPU hardly
    // anything beside the features of a batch, which are millions of numbers.
    checked(
        our_step({.id = "sage/fused_optimizer",
                  .claim = "A fused Adam shortens a training step on sampled neighbors.",
                  .source = {"PyTorch, torch.optim.Adam",
                             "https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html", "fused"},
                  .prepare = rung<&Switches::fused_optimizer>,
                  .expectation = depends,
                  .tolerance = other_order})),

    // Keep and move the features in BF16.
    //
    // Question: Features are gathered, copied and read once a step, and never learned. What do half as many
    // bytes save on their way?
    //
    // A gather reads rows from all over a table that no cache holds, and a link carries them to the device:
    // both take time by the byte. In BF16 a row has half the bytes, and the table half the memory. On the
    // device the rows become FP32 again before the first layer, so that all arithmetic stays as it was; what
    // is lost are the last 16 bits of each feature.
    //
    // When it does not matter: where a step hardly waits for its features. On a CPU the conversion back is a
    // pass of its own, which may cost what the gather has gained. It changes the features, so it is a branch
    // that no other rung stands on.
    //
    // The row times a training step of three layers on sampled neighbors (15, 10, 5), without workers: all
    // earlier changes without this one, against all earlier changes with it. The table is converted before
    // training, once.
    //
    // Answer: Half the bytes of the gather and of the link, so up to half of what a step waits for them. On a
    // CPU nothing moves over a link, and the pass that converts the rows takes back what the gather gained.
    checked(
        our_step({.id = "sage/half_features",
                  .claim = "Features that lie and move in BF16 shorten a training step on sampled neighbors.",
                  .sides = {"FP32", "BF16"},
                  .source = {"CUDA C++ Best Practices Guide",
                             "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html",
                             "Data Transfer Between Host and Device"},
                  .prepare = rung<&Switches::half_features>,
                  .expectation = depends,
                  .tolerance = half_precision})),

    // Gather into pinned memory, and queue the copies.
    //
    // Question: A sample of 88,000 nodes with 400 bytes each is 35 MB, and eight times as much at full size.
    // What does it cost to copy it from memory that the driver has to copy first?
    //
    // From pageable memory the driver copies a batch piece by piece into a pinned buffer of its own, and the
    // host waits. A gather writes its rows somewhere anyway: into pinned memory they need no second copy, the
    // device reads them by itself, and the call returns at once.
    //
    // What it costs: pinned memory is kept from everybody else, and getting it is slow, unless it is reused
    // as LibTorch's allocator does. When it does not matter: on the CPU, which has nothing to copy to: the
    // row is skipped there.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: The driver's own copy, and the host's wait for it: the host queues the layers meanwhile.
    checked(
        our_step({.id = "sage/pinned",
                  .claim = "Features that are gathered into pinned memory and copied without waiting shorten "
                           "training on sampled neighbors.",
                  .sides = {"pageable", "pinned"},
                  .source = pinned_buffers,
                  .axes = steps_axes,
                  .prepare = rung<&Switches::pinned>,
                  .expectation = helps,
                  .other_costs = skipped_on_cpu})),

    // Sample the next batches on worker threads.
    //
    // Question: The network waits while its sample is drawn. What do two threads save that draw the next
    // samples meanwhile, and what do they take from the layers?
    //
    // Drawing a sample is a walk through memory: an edge read, a number drawn, a node looked up, a hundred
    // thousand times, and none of it can be done in one large operator. A worker does that for the next batch
    // while the layers compute this one. On a device the host's cores are free for it. In Python workers are
    // processes, since threads would take turns in the interpreter; a sample then comes back through shared
    // memory.
    //
    // When it hurts: on a CPU the workers take cores that the layers would use, and for a tiny graph a sample
    // takes less time than a thread's start. What it costs: batches that wait in memory.
    //
    // A row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): all
    // earlier changes without this one, against all earlier changes with it. On the CPU there are two
    // workers, beside a device half as many as the host has threads; each has one OpenMP thread. Their start,
    // and the first sample, for which nothing can be computed yet, are in it. Each batch has a seed of its
    // own, so that workers draw the same samples. `unit:small_steps` are four steps of four seeds on a graph
    // of 1/256.
    //
    // Answer: On a device the time of sampling, if the workers draw samples as fast as the device trains
    // them. On a CPU with few cores little: what the layers leave idle.
    checked(our_step({.id = "sage/workers",
                      .claim = "Workers that sample the next batches shorten training on sampled neighbors.",
                      .sides = {"in the loop", "in workers"},
                      .source = tuning_guide("Enable asynchronous data loading and augmentation"),
                      .axes = workers_axes,
                      .prepare = rung<&Switches::workers>,
                      .expectation = depends,
                      .other_costs = small_steps_row})),

    // Let the workers gather the features too.
    //
    // Question: Workers draw the samples, and the loop gathers their features. What is left to save if the
    // workers do both?
    //
    // A sample is a list of node numbers; the bytes are in their features. The gather reads a row from
    // anywhere in the table for each node, and the loop's thread waits for it before each step, however many
    // workers there are. Done by the worker, it runs beside the step before.
    //
    // When it hurts: with worker processes the gathered rows go through shared memory, one more copy of the
    // batch; threads have none. On a CPU the loop's gather has all cores, the worker's has one. Into pageable
    // memory a worker's batch of more than 64 MB comes page by page, anew each time, since a thread's heap in
    // the C library holds no more: so this rung stands on pinned memory, which LibTorch hands out again.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): workers
    // that sample, against workers that sample and gather.
    //
    // Answer: The time of the gather, where cores are free. On a CPU with few cores it moves from all cores
    // to one, and little is gained.
    checked(
        our_step({.id = "sage/gather_in_workers",
                  .claim = "Workers that gather the features too shorten training on sampled neighbors.",
                  .sides = {"in the loop", "in the workers"},
                  .source = {"PyTorch Geometric", "https://github.com/pyg-team/pytorch_geometric/pull/6920",
                             "pull request 6920, filter_per_worker"},
                  .axes = steps_axes,
                  .prepare = rung<&Switches::gather_in_workers>,
                  .expectation = helps})),

    // Sample and gather in worker processes.
    //
    // Question: Threads hand over a batch by a pointer. What does the way through shared memory cost where
    // the workers are processes, as in Python they mostly are?
    //
    // A worker process has an interpreter and a memory of its own. What it makes must be written where the
    // other process sees it: a batch is copied into a slot of shared memory, and on its way to a device once
    // more into pinned memory. Both are passes over all features of a batch. The graph has to be in each
    // process too, or in memory that all of them map, as here.
    //
    // When it helps: where the sampler is Python code, in which threads take turns. What it costs: the
    // copies, the processes' start, and memory for the slots.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): threads
    // that sample and gather, against as many processes that do. The processes stay from one run to the next,
    // so that their start is not in it; the threads' start is.
    //
    // Answer: The copies, as far as no step hides them. On a CPU they take the time of the cores that train,
    // too. In the source loaders with data in memory were equally fast, and threads took a half to a third of
    // the memory.
    checked(our_step(
        {.id = "sage/worker_processes",
         .claim = "Workers that are processes instead of threads shorten training on sampled neighbors.",
         .sides = {"threads", "processes"},
         .source = {"PyTorch", "https://github.com/pytorch/pytorch/pull/161044",
                    "pull request 161044, Insights"},
         .axes = steps_axes,
         .prepare = rung<&Switches::worker_processes>,
         .expectation = depends})),

    // Copy the next batch on a stream of its own.
    //
    // Question: The copies of a batch are queued behind the step before. What is saved if they run beside it?
    //
    // A stream does one thing after the other. A device has engines for copies beside its multiprocessors, so
    // that copies on a second stream run while the first one computes. The step's stream waits for an event
    // behind the copies. The allocator learns that the step still reads the batch, and keeps its memory.
    //
    // What it costs: a batch more on the device. When it does not matter: where copies are short beside the
    // layers; on the CPU, which has nothing to copy to: the row is skipped there.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: The copies, as long as they take less time than a step: 280 MB of features, as at full size,
    // are 11 ms of a link of 25 GB/s. Sampled graphs move much for little arithmetic, so often the step is
    // the shorter of the two and the link is what remains.
    checked(our_step({.id = "sage/prefetch",
                      .claim = "Copies on a stream of their own shorten training on sampled neighbors.",
                      .source = pinned_buffers,
                      .axes = steps_axes,
                      .prepare = rung<&Switches::prefetch>,
                      .expectation = depends,
                      .other_costs = skipped_on_cpu})),

    // Keep all features on the device.
    //
    // Question: The features of all nodes take 980 MB at full size. What is left of the way of a batch if
    // they lie on the device?
    //
    // Then only node numbers go over the link, 8 bytes a node instead of 400, and the device gathers the rows
    // from its own memory, which is tens of times as fast as the link. The host still draws the sample.
    //
    // What it costs: the memory of all features, which large graphs do not leave. When it does not matter: on
    // the CPU, whose memory they are in already: the row is skipped there. It is a branch, since the ladder
    // is about features that do not fit.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): copies
    // of gathered features one batch ahead, against this.
    //
    // Answer: The host's gather and 98 % of the bytes on the link. What remains is the sampling, which
    // workers or the device can take over.
    checked(our_step({.id = "sage/features_on_device",
                      .claim = "Features that lie on the device shorten training on sampled neighbors.",
                      .sides = {"on the host", "on the device"},
                      .source = {"Deep Graph Library, user guide",
                                 "https://www.dgl.ai/dgl_docs/guide/minibatch-gpu-sampling.html",
                                 "6.8 Using GPU for Neighborhood Sampling"},
                      .axes = steps_axes,
                      .prepare = rung<&Switches::features_on_device>,
                      .expectation = helps,
                      .other_costs = skipped_on_cpu})),

    // Let a kernel read the features out of the host's memory.
    //
    // Question: Workers gather a batch's rows into pinned memory and a copy sends them. What is left of the
    // host's work if a kernel reads just these rows over the link?
    //
    // Pinned memory has one address for host and device. A kernel that is given the numbers of the nodes
    // reads their rows where they lie, and writes them to the device's memory: the host reads nothing and
    // writes nothing, and each byte crosses its memory once instead of three times. Libraries call it
    // zero-copy, UVA or a unified tensor.
    //
    // What it costs: all features must be pinned, and multiprocessors wait for the link. When it hurts: where
    // rows are short, since the link carries small requests worse than one large copy; and where workers have
    // free cores to gather on, so that the copy is all that is left anyway.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): workers
    // that gather and copies one batch ahead, against workers that sample and a kernel that reads the rows
    // one batch ahead. A row has 400 bytes.
    //
    // Answer: The gather, and the cores that did it. The bytes on the link are the same. In the source epochs
    // took 39.6 s instead of 44.1 with six workers, and 29.7 s instead of 50.8 without any.
    checked(our_step({.id = "sage/zero_copy",
                      .claim = "Features that a kernel reads out of pinned memory shorten training on "
                               "sampled neighbors.",
                      .sides = {"gathered and sent", "read over the link"},
                      .source = {"Deep Graph Library", "https://github.com/dmlc/dgl/pull/3674",
                                 "pull request 3674, comment of February 7, 2022"},
                      .axes = steps_axes,
                      .prepare = rung<&Switches::zero_copy>,
                      .expectation = {.outcome = Outcome::depends,
                                      .published = "44.1 -> 39.6 s an epoch (4 A100, ogbn-papers100M)"},
                      .other_costs = skipped_on_cpu})),

    // Keep the features of the nodes with most neighbors on the device.
    //
    // Question: Few nodes have most of the neighbors, so samples meet them again and again. What part of the
    // link's work does a tenth of all features save, kept on the device?
    //
    // In a graph whose degrees follow a power law a node is met about as often as it has neighbors. A cache
    // of those with most needs no replacement: it is filled before training and never changes. The kernel
    // that reads rows looks up where a node's row lies, on the device or in the host's pinned memory.
    //
    // What it costs: the cache's memory, and 4 bytes for each node of the graph. When it does not matter:
    // where degrees are alike, or where the link is not what a step waits for. A sample has each node once,
    // so that a hot node saves one row a batch, however often it is met there.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): rows
    // that a kernel reads over the link (sage/zero_copy), against the same with a tenth of the nodes on the
    // device. The floor leaves out the link, since it is not known how many rows come over it.
    //
    // Answer: As much of the link's time as the batch has hot nodes, more than the tenth that they are of the
    // graph. In the source a cache of a million of ogbn-papers100M's nodes, under a hundredth, served 26 % of
    // all reads.
    checked(our_step({.id = "sage/hot_rows",
                      .claim = "A cache of the features that are read most, on the device, shortens "
                               "training on sampled neighbors.",
                      .sides = {"all over the link", "hot ones cached"},
                      .source = {"Deep Graph Library", "https://github.com/dmlc/dgl/pull/7541",
                                 "pull request 7541, gpu_cache_miss"},
                      .axes = steps_axes,
                      .prepare = rung<&Switches::hot_rows>,
                      .expectation = helps,
                      .other_costs = skipped_on_cpu})),

    // Sample on the device.
    //
    // Question: With all features on the device, the host's part is the sample alone. What is saved if the
    // device draws it as well?
    //
    // A sample is many short walks through memory, one for each node, and a device has thousands of threads
    // that can wait for memory at a time. A kernel draws a node's neighbors in each of them. New nodes are
    // numbered by operators: the first place where each node stands, a running sum, a lookup. Seeds are all
    // that crosses the link.
    //
    // What it costs: the graph on the device, 500 MB at full size; two waits of the host for each hop, since
    // the number of new nodes says how large the next tensors are; and time of the device that trains. When
    // it does not matter: where workers draw samples as fast as the device trains them.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5), with
    // all features on the device (sage/features_on_device): samples of workers, against samples of the
    // device. A node's draws depend on the batch's seed and the node alone, so both are the same samples.
    //
    // Answer: What the device waits for its samples. In the source an epoch on ogbn-products took 1.69 s
    // instead of 5.75 with four worker processes.
    checked(our_step(
        {.id = "sage/sample_on_device",
         .claim = "Samples that the device draws shorten training on sampled neighbors.",
         .sides = {"workers sample", "the device samples"},
         .source = {"Deep Graph Library", "https://github.com/dmlc/dgl/pull/2716", "pull request 2716"},
         .axes = steps_axes,
         .prepare = rung<&Switches::sample_on_device>,
         .expectation = {.outcome = Outcome::helps,
                         .published = "5.75 -> 1.69 s an epoch (V100, ogbn-products)"},
         .other_costs = skipped_on_cpu})),

    // Pad all samples to one size, and replay the step as a CUDA graph.
    //
    // Question: Samples differ in size, and a CUDA graph repeats sizes. What does a step gain from a single
    // launch if each sample gets a sixteenth more nodes than the largest needs?
    //
    // A step of three layers queues about a hundred operators, and the host needs microseconds for each.
    // Sizes of samples differ by a few percent only, since each hop adds up thousands of draws. So a few
    // batches say how much room each hop needs; the worker adds padding to each hop's nodes and edges. Edges
    // of padding lead from padding to padding, its labels are left out of the loss, and no number of the
    // sample changes. All batches then have one size: forward, backward and optimizer are recorded once, and
    // replayed on memory into which each batch is copied. A batch that does not fit takes the step without a
    // graph.
    //
    // What it costs: the padding, which is sampled, gathered, sent and computed; a copy of each batch on the
    // device. When it hurts: where the device is the slower of the two, as at full size. The capture is not
    // in the row, since training does it once.
    //
    // The row times four consecutive training steps of three layers on sampled neighbors (15, 10, 5): all
    // earlier changes without this one, against all earlier changes with it.
    //
    // Answer: The launches, where the host is the slower of the two: small batches and short layers. Else the
    // padding is a loss of a few percent.
    checked(our_step(
        {.id = "sage/captured",
         .claim = "Replaying the step as a CUDA graph on padded samples shortens training on "
                  "sampled neighbors.",
         .source = {"PyTorch, CUDA semantics", "https://docs.pytorch.org/docs/stable/notes/cuda.html",
                    "CUDA Graphs, Whole-network capture"},
         .axes = steps_axes,
         .prepare = rung<&Switches::captured>,
         .expectation = depends,
         .tolerance = other_order,
         .other_costs = skipped_on_cpu})),

    // Train each batch on several ranks, each with its seeds and a part of the features.
    //
    // Question: Two ranks share a batch of 128 seeds, and each has half of the graph's features. What do they
    // have to send each other in a step, beside the gradients?
    //
    // A graph whose features do not fit one machine is partitioned: each rank has the rows of some nodes. It
    // samples for its own seeds, sorts the nodes of the sample by rank, tells each rank which rows it wants,
    // and gets them: three exchanges of all with all. Then it computes its part, and the gradients' mean
    // over the ranks is exchanged as in every training with DistributedDataParallel. Frameworks choose the
    // parts so that few edges lead from one to another (METIS); here they are ranges of node numbers, so
    // that of two ranks each asks for half of its rows.
    //
    // When it hurts: if the rows that others have take longer to get than the layers take. Over Gloo on one
    // machine all of it is work of the same processors, and the features would have fitted. What it costs:
    // nodes that several parts meet are sampled, sent and computed in each of them.
    //
    // On the first side rank 0 trains the parts one after the other, with all features; on the second each
    // rank trains one. All ranks have the edges. A part has a sample of its own, so both compute the same.
    //
    // The row is a training step with the kept rungs, without workers.
    //
    // Answer: Half of the features of each part, 400 bytes a node, against 0.8 MB of gradients: the rows are
    // tens of times as many bytes.
    checked(training::ranks_step(
        {.id = "sage/ddp",
         .claim = "Ranks that share each batch and the features take a training step on sampled neighbors "
                  "sooner than one rank alone.",
         .prepare = ddp,
         .row_seconds = 90,
         .tolerance = other_order},
        {"PyTorch Geometric, Distributed Training in PyG",
         "https://pytorch-geometric.readthedocs.io/en/latest/tutorial/distributed_pyg.html",
         "Key Advantages"})),

    // What a beginner writes against the whole ladder of the sampled GraphSAGE.
    //
    // Question: A sampler in the loop, scattered rows, all layers on all nodes, a loss printed in each step:
    // how much faster is the same training with every change that was kept?
    //
    // Training on a large graph has three parts that take turns: a sample is drawn, its features are gathered
    // and sent, and layers are computed. The ladder first takes out work that nobody needs (nodes that no
    // layer reads, rows for edges), then puts the three parts side by side.
    //
    // When it does not matter: where the whole graph fits on the device and trains at once; `stgym/` is such
    // a workload.
    //
    // `unit:step` is one batch, without workers: what the saved work is worth. `unit:steps` is four
    // consecutive batches with the workers' start: both together. Beside the times stand the parts of a step
    // and the floor, which is what the batch must move and compute. `unit:small` is a step of four seeds on a
    // graph of 1/256, for the quick suite: there calls weigh more than at full size.
    //
    // Answer: Most is saved by the nodes that no layer reads. What side by side adds depends on who else
    // wants the cores: much on a GPU, little on a CPU with two cores.
    checked(step_of_suites(
        {.id = "sage/best_form",
         .claim = "The kept changes together shorten training on sampled neighbors.",
         .sides = {"naive", "all changes"},
         .source = {"PyTorch Geometric, Hierarchical Neighborhood Sampling",
                    "https://pytorch-geometric.readthedocs.io/en/latest/advanced/hgam.html", "trim_to_layer"},
         .axes = best_form_axes,
         .prepare = best_form,
         .expectation = helps,
         .tolerance = other_order,
         .other_costs = small_row})),
};

}  // namespace

extern constexpr std::span<const Step> rungs = table;

}  // namespace workloads::sage
