#include "harness/catalogue/program.hpp"

namespace harness::catalogue {

const Catalogue& LateCatalogue::get() const {
  if (read_ != nullptr) catalogue_ = std::exchange(read_, nullptr)();
  return catalogue_;
}

std::function<bool(std::string_view)> has_step(const Program& program) {
  return [sources = program.sources](std::string_view step) {
    return std::ranges::binary_search(sources, step, {}, &StepSource::step);
  };
}

}  // namespace harness::catalogue
