// Made-up sessions of a self-test.
#pragma once

#include "harness/run/self_test.hpp"

#include <utility>
#include <vector>

namespace harness::example {

inline run::PairSession session(run::Planted planted, Verdict verdict, double sd = 0.005) {
  return {
      .planted = planted, .verdict = verdict, .rounds = 14, .ratio = 1, .sd = sd, .smallest_effect = 0.03};
}

/// With 14 rounds of no difference where nothing was planted.
inline void add(run::TestedPair& pair, const run::PairSession& session) {
  pair.sessions.push_back(session);
  if (session.planted == run::Planted::nothing)
    pair.aa_log_ratios.insert(pair.aa_log_ratios.end(), static_cast<std::size_t>(session.rounds), 0.0);
}

inline run::TestedPair tested(const std::vector<run::PairSession>& sessions) {
  run::TestedPair pair{.name = "selftest/copy"};
  for (const auto& one : sessions) add(pair, one);
  return pair;
}

}  // namespace harness::example
