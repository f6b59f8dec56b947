// STGym's ladder beyond its published end as a table: on each record stands its lesson.
#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym {
namespace {

using namespace harness;

constexpr Step table[] = {
    // Build the neighbor graph once, not on every access.
    //
    // Question: The neighbors are searched on every access. What share of a step is the search, with almost
    // no edges to find?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // Whatever a data set does when a graph is taken from it (PyTorch Geometric's transform) is done again
    // for each batch of each epoch; what it does once, when it is made (the pre-transform), is done once.
    // Searching neighbors gives the same edges each time, so it belongs there. The published ladder searches
    // them, and sorts them into a sparse matrix, on every access.
    //
    // The search runs where the data lie: on a device every pair of a graph's nodes is looked at, as
    // torch_cluster does there, and the host waits to learn how many edges there are; on the host a k-d tree
    // is searched.
    //
    // The price is paid before the first batch: each graph once, about what one epoch with its validation and
    // test passes paid before. The edges are kept, 16 bytes each and 20 for the sparse matrix. From the
    // second epoch on it is a gain. That first search is not in the timed unit.
    //
    // When it does not matter: where the search is short beside the step, as with the benchmark's radius of
    // almost no edges and 2,000 features to multiply; and where the edges are drawn at random each time.
    //
    // Promise: the same bits.
    //
    // Answer: Little with almost no edges to find and 2,000 features to multiply. With k nearest neighbors
    // it was 99.4 % of an epoch in the published case: then it is everything.
    checked(our_step(
        {.id = "stgym/graph_once",
         .claim = "Building the neighbor graph once instead of on every access shortens a training step.",
         .source = {.title = "STGym",
                    .url = "https://github.com/xiaohan2012/stgym",
                    .where = "commit 5539324 (pull request 113)"},
         .prepare = rung<&Switches::graph_once>,
         .expectation = {.outcome = Outcome::helps,
                         .published = "neighbor search on access was 99.4 % of an epoch (kNN)"}})),

    // Tell operators the sizes that the host knows anyway.
    //
    // Question: The host knows the sizes that operators look for. What is saved on a CPU, which waits for no
    // device?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // A sparse constructor without a size looks for the largest index, coalesce() sorts the entries and
    // counts them, repeat_interleave adds up its repeats, bincount looks for the largest number: on a GPU
    // each of them copies a number to the host, which waits until the device has got there. The number of
    // nodes of each graph is known where a batch is put together. With it come the shape of the sparse
    // matrix, the length of the repeats and, since entries are written row by row, their order: the operators
    // ask nothing and sort nothing.
    //
    // What still asks the device: products of two sparse matrices, which must find out how many entries they
    // have, the coalescing of C', and nonzero() for the pooled graph's edges. So the synchronizations get
    // fewer, not none.
    //
    // When it does not matter: on a CPU there is no device to wait for; there the sorting is what is saved.
    //
    // Promise: the same bits.
    //
    // Answer: The sorting in coalesce() and the searches for sizes, which are work on a CPU as well; the
    // waits, the larger part on a device, do not exist there.
    checked(our_step(
        {.id = "stgym/explicit_sizes",
         .claim = "Telling sparse constructors, repeat_interleave and coalesce what the host knows shortens "
                  "a training "
                  "step.",
         .claim_ids = "sync-pool-size-arg sync-sparse-hidden",
         .source = {.title = "PyTorch Geometric, compiled graph neural networks",
                    .url = "https://pytorch-geometric.readthedocs.io/en/latest/advanced/compile.html",
                    .where = "Advanced Usage: pooling synchronizes where the batch size is not passed"},
         .prepare = rung<&Switches::explicit_sizes>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure"}})),

    // Check on the host what the host knows, instead of reading the device.
    //
    // Question: Two numbers are read back for a check. Does it show, while other operators of the layer wait
    // as well?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // The layer checks that the first graph begins at node 0 and the last one ends at the last node, each
    // time it builds a block-diagonal matrix. It takes both numbers from a tensor: two copies to the host,
    // and two waits for everything queued before them. The same can be checked with what needs no device: the
    // shapes of the tensors and the sizes that the batch was put together from. No check is dropped.
    //
    // When it does not matter: while other operators of the layer wait for the device anyway (compare
    // no_item), and on a CPU, where reading a value is reading memory.
    //
    // Promise: the same bits.
    //
    // Answer: No, as long as others wait just before and after: then these waits find the device already
    // caught up with. It shows once they are the last ones.
    checked(our_step(
        {.id = "stgym/no_host_checks",
         .claim =
             "Range checks of what the host knows, instead of values read back from the device, shorten a "
             "training step.",
         .source = {.title = "PyTorch, performance tuning guide",
                    .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
                    .where = "Avoid unnecessary CPU-GPU synchronization"},
         .prepare = rung<&Switches::no_host_checks>,
         .expectation = {.outcome = Outcome::depends, .published = "no figure"}})),

    // Use that the assignment is block-diagonal instead of writing it down as a sparse matrix.
    //
    // Question: Sixteen small dense products instead of block-diagonal sparse ones: by what factor does the
    // whole step get shorter?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // C holds the assignment S of each graph in separate columns, so C' A C, C' C and C' h have nothing
    // outside of B small blocks: S_b' (A S)_b, S_b' S_b and S_b' h_b. Multiplying sparse matrices finds that
    // out entry by entry, with an index of 16 bytes beside each value of 4. Here A S is a sum over the edges,
    // each block is a dense product of the graph's rows, and the two traces need no product at all: trace(S'
    // A S) is the sum of S * A S, trace(S' D S) that of the degrees times S * S.
    //
    // When it does not matter: where the products with x take nearly all of a step. When it hurts: with very
    // many tiny graphs, where one product for each of them is mostly overhead.
    //
    // Promise: the same numbers to a tolerance, since sums are added up in another order; every output of the
    // layer, the pooled graph's edges and weights among them.
    //
    // Answer: By what sparse products of the layer took beside the products with x: they handle 20 bytes for
    // each value of 4 and look for entries one by one. The row gives the factor; with very many tiny graphs
    // it turns around.
    checked(our_step(
        {.id = "stgym/segment_pooling",
         .claim = "Small dense products, graph by graph, instead of products of block-diagonal sparse "
                  "matrices shorten "
                  "a training step.",
         .source = {.title = "STGym",
                    .url = "https://github.com/xiaohan2012/stgym",
                    .where = "the pooling layer's sparse products; the change is ours"},
         .prepare = rung<&Switches::segment_pooling>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
         .tolerance = {.relative = 1e-4,
                       .why = "sums over nodes and edges are added up in another order, and training carries "
                              "the difference on"}})),

    // Multiply before you aggregate, where the matrix makes rows shorter.
    //
    // Question: Rows have 2,000 numbers before the product and 128 after it. What share of a step is moving
    // the longer ones?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // GIN's first layer is linear in the sum over the neighbors: (x + A x) W' = y + A y with y = x W'. The
    // published order moves rows of 2,000 numbers along the edges, adds them to a copy of x and keeps that
    // copy for the backward pass. Multiplied first, rows have 128 numbers; what is kept for the backward
    // pass is x, which is there anyway. The bias is added last: it must count once, not once for each
    // neighbor.
    //
    // Two smaller changes come with it, so that the row is of all three: rows are added by index_add instead
    // of a scatter over an index for each number, which gnn/aggregate measures alone, and the pass that
    // multiplies x by 1 + eps, which is 1, is gone.
    //
    // When it does not matter: where the layer's output is as wide as its input. Where it is wider, it hurts.
    //
    // Promise: the same numbers to a tolerance, since the sum is taken in another order.
    //
    // Answer: The sums over neighbors move 2,000 numbers for each edge and node instead of 128, sixteen
    // times as much: a large share where there are many edges, a smaller one with almost none, where the
    // copy of x that is added to remains.
    checked(our_step(
        {.id = "stgym/project_first",
         .claim =
             "Multiplying 2,000 features down to 128 before they are aggregated shortens a training step.",
         .source = {.title = "PyTorch Geometric, GCNConv",
                    .url = "https://pytorch-geometric.readthedocs.io/en/latest/generated/"
                           "torch_geometric.nn.conv.GCNConv.html",
                    .where = "whose linear map comes before the propagation; for GIN the change is ours"},
         .prepare = rung<&Switches::project_first>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
         .tolerance =
             {.relative = 1e-4,
              .why =
                  "a sum over neighbors and features is added up in another order, and training carries the "
                  "difference on"}})),

    // Take Adam's step in one operator.
    //
    // Question: Adam with 120 operators, or one. What share of a step with 2,000 features is Adam?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // LibTorch's C++ Adam goes through the parameters one by one, with about ten operators each: 12
    // parameters, 120 operators and passes over memory. The fused operator takes all of them at once and goes
    // over each value once: it reads value, gradient and the two moments, and writes value and moments.
    //
    // When it does not matter: where the rest of the step is long. The model has 280,000 parameters, 1 MB
    // each for values, gradients and moments; the features of a batch have hundreds.
    //
    // Promise: the same numbers to a tolerance; the formula is Adam's, rounded in other places.
    //
    // Answer: A small one: the model has 280,000 parameters, 1 MB for each of value, gradient and moments,
    // beside features of hundreds of megabytes. Its 120 calls count where the host is the slower side.
    checked(our_step(
        {.id = "stgym/fused_optimizer",
         .claim = "A fused Adam shortens a training step.",
         .source = {.title = "PyTorch, torch.optim.Adam",
                    .url = "https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html",
                    .where = "fused"},
         .prepare = rung<&Switches::fused_optimizer>,
         .expectation = {.outcome = Outcome::depends, .published = "no figure"},
         .tolerance =
             {.relative = 1e-4,
              .why = "the fused operator rounds in other places, and training carries the difference on"}})),

    // On the host, multiply FP32 matrices through oneDNN instead of the BLAS library that LibTorch was linked
    // to.
    //
    // Question: Is your processor of the maker that the BLAS library favors, and what does another library
    // then gain?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // at::linear and at::mm give FP32 to the BLAS library, in the published wheels MKL. MKL chooses its
    // kernels by the maker of the processor as well as by what it can do: on others' it may leave the widest
    // instructions alone. oneDNN, which LibTorch brings along for convolutions, 16 bits and compiled models,
    // needs only the instructions. The largest work of a step is two products with x: [N, 2000] by [2000,
    // 128], and back for the gradient.
    //
    // When it does not matter: where the BLAS library takes the widest instructions itself, and on a device,
    // whose products are cuBLAS's either way: the row is skipped there.
    //
    // Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.
    //
    // Answer: `lscpu` names the maker. On a processor that is not Intel's, MKL may leave the widest
    // instructions alone, and oneDNN then gains on the two products with x, the largest work of a step. On
    // Intel's own, little or nothing.
    checked(
        {.id = "stgym/onednn_products",
         .claim =
             "FP32 products through oneDNN instead of the BLAS library shorten a training step on the host.",
         .source = {.title = "oneDNN, inner product",
                    .url = "https://uxlfoundation.github.io/oneDNN/dev_guide_inner_product.html",
                    .where = "the primitive; the change is ours"},
         .runs = Runs::session,
         .axes = our_axes,
         .prepare = rung<&Switches::onednn_products>,
         .expectation = {.outcome = Outcome::depends, .published = "no figure"},
         .tolerance = {.relative = 1e-4,
                       .why =
                           "products are added up in another order, and training carries the difference on"},
         .row_seconds = 11,
         .other_costs = epoch_costs,
         .suite = Suite::named}),

    // Let a short probe choose the library of each product, instead of the maker of the processor.
    //
    // Question: Two libraries, and three products in a layer: forward, the gradient by the weight, the
    // gradient by the input. Is one library the faster one for all of them on your processor?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // Which library is faster depends on more than the processor's maker. The gradient by a weight sums over
    // all nodes: its factors lie the other way round in memory, and oneDNN's inner product, which wants its
    // weights in an order of its own, first copies x into it. MKL packs its factors piece by piece as it
    // multiplies. So the faster library for the forward product may be the slower one for the gradient.
    // Before training, each product of a layer of 8,192 weights or more is timed a few times in both
    // libraries on 1,024 rows, and the shortest run decides. The choice is made in the rehearsal and kept for
    // all rounds; the results have it in `calibrations`.
    //
    // When it does not matter: where one library is the faster one throughout, as oneDNN may be on processors
    // that are not Intel's. Smaller layers take too little time to choose by. On a device the row is skipped.
    //
    // Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.
    //
    // Answer: The row says it, and `calibrations` says which products went to which library. On an Intel Xeon
    // MKL's two products took less than oneDNN's; on other makers' processors it was the other way.
    checked(
        {.id = "stgym/probed_products",
         .claim = "Choosing each product's library by a probe shortens a training step on the host.",
         .source = {.title = "oneDNN, inner product",
                    .url = "https://uxlfoundation.github.io/oneDNN/dev_guide_inner_product.html",
                    .where = "the order of its weights in memory; the change is ours"},
         .runs = Runs::session,
         .axes = our_axes,
         .prepare = rung<&Switches::probed_products>,
         .expectation = {.outcome = Outcome::depends, .published = "no figure"},
         .tolerance = {.relative = 1e-4,
                       .why =
                           "products are added up in another order, and training carries the difference on"},
         .row_seconds = 11,
         .other_costs = epoch_costs,
         .suite = Suite::named}),

    // Do not compute what nothing reads.
    //
    // Question: The pooled graph is made in every pass, and nothing reads it. What share of a step is that?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // The pooling layer ends with a pooled graph: S' A S normalized, made undirected, written as a list of
    // edges. A second layer would work on it; the node classifier has none, and its loss does not depend on
    // it. Python and C++ run what is written, so the list is still made in every forward pass. On a device
    // it costs more than its kernels: how many entries are not zero is known on the device only, so
    // nonzero() makes the host wait for everything queued before, and no CUDA graph can hold it. The features
    // of the pooled nodes, S' h, go with it: a classifier of graphs reads them, one of nodes does not.
    //
    // When it does not matter: with a layer on top of the pooled graph. A compiler that sees the whole step
    // drops unread results itself, if no such question to the device splits the step before.
    //
    // Promise: the same bits in losses and parameters.
    //
    // Answer: The pooled graph's two products, its normalization and the list of its edges, and on a device
    // the wait of nonzero(): as large a share as the pooling layer has beside the products with x. Nothing
    // else changes, so it is free.
    checked(our_step(
        {.id = "stgym/no_unread_graph",
         .claim = "Leaving out the pooled graph, which nothing reads, shortens a training step.",
         .source = {.title = "STGym",
                    .url = "https://github.com/xiaohan2012/stgym",
                    .where = "the pooling layer's last lines; the change is ours"},
         .prepare = rung<&Switches::no_unread_graph>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps}})),

    // The pooling layer's softmaxes and sums in one kernel of our own, one pass over the nodes.
    //
    // Question: All of the pooling layer in one pass over the nodes: how much shorter does a whole step get,
    // on a CPU where nothing is launched?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // As operators, the layer reads and writes its [N, K] assignment again and again: a softmax, a softmax of
    // the softmax, one more for the classifier (the same numbers), S' S graph by graph, S' h graph by graph,
    // squares for trace(S' D S), and in the backward pass each of them the other way round. Between operators
    // everything goes through memory. The kernel takes a node's logits once, keeps both softmaxes in
    // registers, and adds the node to its graph's sums; the backward pass is one kernel, too, and makes the
    // first softmax again instead of keeping it. S' h is in both forms only where the pooled features are
    // read, as in a classifier of graphs: then the kernel takes the node's row of h as well. Graph sizes are
    // read where they lie, on the device, so a CUDA graph can hold the step whatever the sizes are.
    //
    // When it does not matter: where the products with x take nearly all of a step. More than 32 clusters, or
    // on a device more than 256 features of h, go the way of segment_pooling.
    //
    // Promise: the same numbers to a tolerance; FP32 as before, added up in another order.
    //
    // Answer: By the passes over [N, K] between the layer's operators. On a CPU they lie in its caches: on
    // two
    // cores of an EPYC (commit 2b74411, workloads/stgym/README.md) steps of 8,976 to 35,936 nodes took 1 to 4
    // %
    // longer, small ones were shorter. On the H200 here (commit 8d18999) a step took 5.71 -> 4.15 ms, 27 %,
    // with S'S in shared memory; no device has yet run it in registers.
    checked(our_step(
        {.id = "stgym/fused_pooling",
         .claim = "One kernel for the pooling layer's softmaxes and sums shortens a training step.",
         .source = {.title = "CUDA C++ Best Practices Guide",
                    .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/",
                    .where = "memory optimizations; the kernel is ours"},
         .prepare = rung<&Switches::fused_pooling>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::depends},
         .tolerance =
             {.relative = 1e-4,
              .why =
                  "sums over nodes are added up in another order, and training carries the difference on"}})),

    // A hidden layer's bias and ReLU belong to the product, and in the backward pass to one kernel.
    //
    // Question: Two passes over [N, 128] less in the forward pass, one less in the backward pass. How many
    // percent of a step is that on your device, where the products with x take most of it?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // Written as operators, a hidden layer multiplies, reads the result again to cut it off at 0, and in the
    // backward pass reads the gradient twice: to mask it, and to add it up for the bias. Each pass over [N,
    // 128] is 37 MB at 72,000 nodes, during which the device does nothing else. cuBLASLt adds the bias and
    // cuts off while the result is still in registers (LibTorch's _addmm_activation asks for it); one kernel
    // of ours masks the gradient and adds it up in the same pass.
    //
    // When it does not matter: where products take all of the time, or where a compiler has fused both
    // already. On the host the row is skipped: activations overwrite their input there, which lies in a
    // cache.
    //
    // Promise: the same numbers to a tolerance; the bias's gradient is added up in another order.
    //
    // Answer: Few: three passes of 37 MB beside products that take most of the step. On the H200 here
    // (commit 8d18999) the step was the same within the margin, -1.9 %.
    checked(our_step({.id = "stgym/fused_linear",
                      .claim = "Leaving bias and ReLU to the product, and masking and adding up in one pass, "
                               "shortens a training "
                               "step.",
                      .source = {.title = "NVIDIA cuBLAS documentation",
                                 .url = "https://docs.nvidia.com/cuda/cublas/",
                                 .where = "cublasLtEpilogue_t, CUBLASLT_EPILOGUE_RELU_BIAS"},
                      .prepare = rung<&Switches::fused_linear>,
                      .expectation = {.outcome = Outcome::helps, .published = "no figure"}})),

    // Take a node through the whole classifier, to its loss and back, in one kernel each way.
    //
    // Question: 20, 64, 32, 39: layers so narrow that a node's numbers fit into registers. As operators they
    // take 18 launches. What are those worth on your device?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // Three products, three ReLUs, a log-softmax and a mean forward; backward the mask, two products and a
    // sum of each layer. Every operator reads and writes [N, width] to do little arithmetic with it: 370 MB a
    // step at 72,000 nodes, where labels, the clusters and the gradient by them are 18 MB. LibTorch's
    // nll_loss adds up [N] numbers in a single block, too. The kernel keeps all weights in shared memory,
    // takes 16 nodes at a time through every layer, and in the backward pass computes the layers again
    // instead of reading them. A thread makes 4 x 4 numbers of a product, so that it reads 8 for 16
    // multiplications; its part of the weights' gradients stays in registers from the first node to the last.
    //
    // When it does not matter: wide layers, whose products a library does better; more than 4 layers, 5,760
    // weights or 272 numbers of a node, padding included, do not fit and go the way of the rung below. On the
    // host, where nothing is launched, the row is skipped.
    //
    // Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.
    //
    // Answer: Little where the host is ahead: on the H200 here (commit 8d18999) the row could not be told
    // from nothing, 3.86 -> 3.81 ms; a thread had 4 numbers there, and no device has run 16 yet. 18 launches
    // count only where the host is the slower side; the passes saved are 350 MB at the device's rate.
    checked(
        our_step({.id = "stgym/fused_classifier",
                  .claim = "One kernel each way for the classifier and its loss shortens a training step.",
                  .source = {.title = "CUDA C++ Best Practices Guide",
                             .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/",
                             .where = "memory optimizations; the kernel is ours"},
                  .prepare = rung<&Switches::fused_classifier>,
                  .expectation = {.outcome = Outcome::depends, .published = "no figure"}})),

    // Do not join a batch: list its rows, and let every kernel read the data set where it lies.
    //
    // Question: Joining 16 graphs copies 575 MB, so that two products can read it. Is a product of our own
    // that picks its rows faster than the library's and the copy?
    //
    // Lesson: workloads/stgym/measure/graph_trial.hpp
    //
    // A batch is made of graphs that lie somewhere in the data set. Joined, their features are copied
    // together (read and written: as many bytes again as both products read), and their edges are shifted,
    // graph by graph: 54 launches before the step begins. Nothing of it is new. A node's row number says
    // where its features, label and neighbors lie; a neighbor is as far away in the batch as in the data
    // set. One launch writes these numbers, and the graphs come as its argument, so nothing is copied from
    // the host. The first product picks its rows by number. The weight's gradient, a result of 16 tiles
    // which leaves most of a large device idle, is made in as many parts of the rows as keep it busy. Sums
    // over neighbors are read, not scattered: no atomics, and a captured step needs neither room nor padding
    // for edges.
    //
    // On the host nothing is launched and a library multiplies, graph by graph, into the rows of one result;
    // edges are joined as before. Graphs of fewer than 256 nodes are still copied together until they have as
    // many: the weight's gradient, 1 MB, is read and written for each product.
    //
    // What it costs: on a device the products are of CUTLASS's parts, in FP32 only and with one size of tile;
    // a library's are tuned for each device.
    // On the host a library packs the weight again for each graph. The row says which is faster.
    //
    // When it does not matter: few features, or on the host small graphs, as at its default scale: try
    // `--scale 0.125`. Data on the host for a model on a device, and other models than the published one, go
    // the way of the rung below.
    //
    // Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.
    //
    // Answer: On the H200 here (commit 8d18999) yes: 3.76 -> 3.00 ms, 20 % of a step, with products that were
    // written by hand; no device has yet run those that have replaced them. Where the library's products are
    // far better it may be the other way.
    checked(our_step(
        {.id = "stgym/rows_in_place",
         .claim = "Reading rows in place instead of joining graphs shortens a training step.",
         .source =
             {.title = "CUTLASS, example 52: Hopper gather, scatter, fusion",
              .url = "https://github.com/NVIDIA/cutlass/tree/main/examples/52_hopper_gather_scatter_fusion",
              .where = "products that pick their rows; how ours pick them is ours"},
         .prepare = rung<&Switches::rows_in_place>,
         .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::depends},
         .tolerance = {.relative = 1e-4,
                       .why =
                           "products are added up graph by graph, and training carries the difference on"}})),
};

}  // namespace

extern constexpr std::span<const Step> rungs = table;

}  // namespace workloads::stgym
