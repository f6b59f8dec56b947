// The forms of a ladder: a table of rungs from the bottom, each with its switch and whether the chain keeps
// it. No LibTorch.
#pragma once

namespace workloads::training {

/// The kept rungs below `change`, or all of them where it is null.
template <class Switches, class Ladder>
constexpr Switches kept_below(const Ladder& ladder, bool Switches::* change) {
  Switches switches;
  for (const auto& rung : ladder) {
    if (rung.change == change) break;
    if (rung.kept) switches.*rung.change = true;
  }
  return switches;
}

/// The kept rungs below `change`, and `change`.
template <class Switches, class Ladder>
constexpr Switches kept_with(const Ladder& ladder, bool Switches::* change) {
  auto switches = kept_below(ladder, change);
  switches.*change = true;
  return switches;
}

}  // namespace workloads::training
