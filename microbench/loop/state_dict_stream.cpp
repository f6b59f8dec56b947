// Write a model's tensors one by one instead of joining them first.
//
// Question: A model of 48 MiB is saved. How much memory, and how much time, does the copy cost that is made
// of all of it beforehand?
//
// The simple way to save a model is to make one block of bytes of it and to write that. All tensors are then
// in memory twice, fresh pages are touched for the copy, and the cache is full of them when the writing
// begins. Written one by one, each tensor goes from where it lies.
//
// When it does not matter: where the disk takes far longer than a copy, and where memory is plenty. When a
// copy is right: if the training goes on meanwhile (loop/checkpoint_async).
//
// A row saves three matrices into a file, without waiting for the disk. Beside the times stands what was
// allocated for it.
//
// Answer: 48 MiB more, and the time of one more pass over them with a page fault for each fresh page: a
// visible part of a save that does not wait for the disk, little of one that does.

#include "microbench/loop/checkpoint_file.hpp"
#include "microbench/loop/output_file.hpp"
#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_state_dict_stream {

constexpr std::int64_t smallest = 256;
constexpr Axis axes[] = {{.name = "width",
                          .about = "of the three matrices: 256 make 768 KiB, 2048 make 48 MiB",
                          .values = {smallest, 2048},
                          .quick = {2048}}};

struct State {
  State(const Setup& setup, std::int64_t width) : state(SmallTraining(setup, width, 1).state()) {}

  void write_joined() const {
    file.empty();
    file.write(checkpoint_bytes(state));
  }
  void write_each() const {
    file.empty();
    for (const auto& tensor : state) {
      file.write(checkpoint_head(tensor));
      file.write({static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()});
    }
  }

  std::vector<at::Tensor> state;
  OutputFile file;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { s->write_joined(); },
      .optimized = [s] { s->write_each(); },
      .clear = [s] { s->file.empty(); },
      .answer = [s](Form) -> Answer { return s->file.bytes(); },
  };
}

extern constexpr Step step = checked({
    .id = "loop/state_dict_stream",
    .claim = "Tensors written one by one are saved sooner than when they are joined first.",
    .sides = {"joined", "one by one"},
    .source = {.title = "PyTorch, Saving and Loading Models",
               .url = "https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html",
               .where = "What is a state_dict?"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "width:2048"},
    .row_seconds = 11,
});

}  // namespace microbench::loop_state_dict_stream
