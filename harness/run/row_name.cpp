#include "harness/run/row_name.hpp"

namespace harness::run {

std::string_view subject_of(std::string_view step) { return step.substr(0, step.find('/')); }

std::string short_name(std::string_view name, std::string_view step, std::string_view step_above) {
  if (step == step_above && name.size() > step.size())
    return "  " + std::string(name.substr(step.size() + 1));
  return std::string(name.substr(name.find('/') + 1));
}

}  // namespace harness::run
