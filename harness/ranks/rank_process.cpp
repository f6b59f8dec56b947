#include "harness/ranks/rank_process.hpp"

#include <csignal>

namespace harness::ranks {

RankProcess::~RankProcess() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);  // it owns nothing that would need a farewell
  how_it_ended();
}

}  // namespace harness::ranks
