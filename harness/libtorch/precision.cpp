#include "harness/libtorch/precision.hpp"

#include <ATen/autocast_mode.h>

namespace harness::inline libtorch {

Autocast::Autocast(c10::DeviceType device, c10::ScalarType type)
    : device_(device),
      enabled_before_(at::autocast::is_autocast_enabled(device)),
      type_before_(at::autocast::get_autocast_dtype(device)) {
  at::autocast::set_autocast_enabled(device, true);
  at::autocast::set_autocast_dtype(device, type);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  // A cast that outlived its region would be of parameters that the optimizer has since changed.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_dtype(device_, type_before_);
  at::autocast::set_autocast_enabled(device_, enabled_before_);
}

}  // namespace harness::inline libtorch
