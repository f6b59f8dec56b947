#pragma once

namespace harness::inline support {

/// How text is written to this output.
struct Style {
  bool colour = false;
  int columns = 100;
};

}  // namespace harness::inline support
