// Write checkpoints from another thread while the training goes on.
//
// Question: A checkpoint of 12 MiB is written every 20 steps and synced to disk. How long does the loop stand
// still for it, and for how long must it?
//
// What the training changes in its next step has to be copied before, and nothing more: from the device into
// pinned memory, or from one place on the host to another. Making bytes of it, writing them and waiting for
// the disk can happen beside the following steps, on another thread. The loop waits only if the checkpoint
// before has not been finished yet.
//
// When it does not matter: where checkpoints are rare or small. What it costs: memory for a second copy of
// the state, a core for the writing, and a checkpoint that is finished later: a process that is killed before
// leaves the older one, which stays in place until the new one is complete.
//
// A row measures 60 steps with three checkpoints, both sides up to the last byte on disk. The files are the
// same.
//
// Answer: In one thread it stands still for copying, formatting, writing and the disk's sync. It must stand
// still only for the copy of the 12 MiB, milliseconds at most: the rest can run beside the next steps, if
// the checkpoint before is done.

#include "harness/support/scratch_folder.hpp"

#include "microbench/loop/checkpoint_file.hpp"
#include "microbench/loop/output_file.hpp"
#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

#include <future>

namespace microbench::loop_checkpoint_async {

constexpr std::int64_t smallest = 256;
constexpr Axis axes[] = {{.name = "width",
                          .about = "of the three layers: 256 make a checkpoint of 768 KiB, 1024 of 12 MiB",
                          .values = {smallest, 1024},
                          .quick = {1024}}};
constexpr int steps = 60;
constexpr int every = 20;

struct State {
  State(const Setup& setup, std::int64_t width)
      : training(setup, width), file(folder.path() / "checkpoint"), on_device(setup.device.is_cuda()) {}

  /// What the next step must not change any more.
  std::vector<at::Tensor> snapshot() const {
    std::vector<at::Tensor> copies;
    for (const auto& tensor : training.state()) {
      auto copy = at::empty(tensor.sizes(), at::TensorOptions().dtype(at::kFloat).pinned_memory(on_device));
      copies.push_back(copy.copy_(tensor));
    }
    return copies;
  }
  void write(const std::vector<at::Tensor>& state) const { write_checkpoint(file, checkpoint_bytes(state)); }

  SmallTraining training;
  harness::ScratchFolder folder{harness::temporary_folder()};
  std::filesystem::path file;
  bool on_device;
};

void train_and_write(State& s) {
  s.training.restart();
  for (int i = 1; i <= steps; ++i) {
    s.training.step();
    if (i % every == 0) s.write(s.snapshot());
  }
}

void train_beside_writing(State& s) {
  s.training.restart();
  std::future<void> writing;
  for (int i = 1; i <= steps; ++i) {
    s.training.step();
    if (i % every != 0) continue;
    if (writing.valid()) writing.get();
    writing = std::async(std::launch::async, [&s, state = s.snapshot()] { s.write(state); });
  }
  writing.get();
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { train_and_write(*s); },
      .optimized = [s] { train_beside_writing(*s); },
      .clear = [s] { std::filesystem::remove(s->file); },
      .answer = [s](Form) -> Answer { return file_bytes(s->file); },
  };
}

constexpr RowCost costs[] = {{"width:1024", 110}, {"width:256", 14}};

extern constexpr Step step = checked({
    .id = "loop/checkpoint_async",
    .claim = "A loop whose checkpoints another thread writes is shorter than one that writes them itself.",
    .sides = {"same thread", "another thread"},
    .source = {.title = "PyTorch, Asynchronous Saving with Distributed Checkpoint",
               .url = "https://docs.pytorch.org/tutorials/recipes/distributed_async_checkpoint_recipe.html",
               .where = "Asynchronous Checkpointing Overview"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .other_costs = costs,
});

}  // namespace microbench::loop_checkpoint_async
