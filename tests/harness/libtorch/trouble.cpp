#include "trouble.hpp"

#include "tests/made_up_step.hpp"

#include "harness/libtorch/rank.hpp"

#include <ATen/ATen.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace trouble {
namespace {

using namespace harness;

enum Does { nothing, killed, stopped, throws, starves, exits, answers_wrongly, skips };
enum At { prepare_, clear_, run_, answer_, warm_up_ };

constexpr Axis axes[] = {
    {.name = "does",
     .about = "what rank 1 does",
     .labels = {"nothing", "killed", "stopped", "throws", "starves", "exits", "answers_wrongly", "skips"}},
    {.name = "at", .about = "when", .labels = {"prepare", "clear", "run", "answer", "warm_up"}}};

struct State {
  std::shared_ptr<const Rank> rank;
  Point point;
  std::uint64_t wrong_from = 0;  // the number of the first answer that is wrong
  at::Tensor sum = at::zeros({4});
  std::uint64_t answers = 0;

  void reach(At at) const {
    if (rank->number() != 1 || point["at"] != at) return;
    switch (point["does"]) {
      case killed:
        raise(SIGKILL);
        break;
      case stopped:
        raise(SIGSTOP);
        break;
      case throws:
        throw std::runtime_error("made up");
      case starves:
        throw std::bad_alloc();
      case exits:
        std::_Exit(3);
      case skips:
        throw Skip("rank 1 cannot");
      default:
        break;
    }
  }
  /// 1 + 2 + ... on every rank.
  void add_up() {
    sum.fill_(rank->number() + 1);
    std::vector<at::Tensor> one{sum};
    rank->group()->allreduce(one)->wait();
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(State{rank_of(setup), point, setup.seed});
  s->reach(prepare_);
  if (point["at"] == prepare_) s->add_up();  // others would wait here
  const auto form = [s] {
    s->reach(run_);
    s->add_up();
  };
  return {.naive = form,
          .optimized = form,
          .clear =
              [s] {
                s->reach(clear_);
                s->sum.fill_(-1);
              },
          .answer = [s](Form) -> Answer {
            s->reach(answer_);
            const bool wrong = s->point["does"] == answers_wrongly && s->rank->number() == 1 &&
                               s->answers++ >= s->wrong_from;
            return std::vector<float>{s->sum[0].item<float>() + (wrong ? 1.F : 0.F)};
          },
          .warm_up =
              [s](Form) {
                s->reach(warm_up_);
                s->add_up();
              }};
}

constexpr Step step = tests::made_up_step("trouble/rank", axes, prepare);

}  // namespace

Steps steps() {
  static constexpr const Step* all[] = {&step};
  return all;
}

run::StepAt row(std::string_view does, std::string_view at) {
  return run::find_row(steps(), "trouble/rank/does:" + std::string(does) + "/at:" + std::string(at), 0);
}

}  // namespace trouble
