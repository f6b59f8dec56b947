#include "harness/doctor/check.hpp"

namespace harness::doctor {

std::string_view to_string(Fitness fitness) {
  switch (fitness) {
    case Fitness::good:
      return "ok";
    case Fitness::note:
      return "note";
    case Fitness::warn:
      return "warn";
    case Fitness::bad:
      return "BAD";
    case Fitness::unknown:
      break;
  }
  return "?";
}

}  // namespace harness::doctor
