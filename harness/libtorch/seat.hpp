// How a step's preparation learns which rank it is.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/libtorch/rank.hpp"

#include <exception>

namespace harness::inline libtorch {

/// Thrown by rank_of() where others would come if they were wanted, and nobody has brought them yet.
class RanksWanted : public std::exception {
 public:
  const char* what() const noexcept override { return "the step runs in ranks"; }
};

/// While it lives, what is prepared with the setup is that rank's; without a rank, who asks for one gets
/// RanksWanted.
class Seated {
 public:
  Seated(Setup& setup, std::shared_ptr<const Rank> rank);
  Seated(const Seated&) = delete;
  Seated& operator=(const Seated&) = delete;
  ~Seated();

 private:
  Setup& setup_;
};

}  // namespace harness::inline libtorch
