#pragma once

#include <string>
#include <vector>

#include "scenario/world.h"

namespace dolmen::scenario {

/// An implementation of DMS that carries steps out, so that what comes of them can be judged.
class Driver {
 public:
  Driver() = default;
  virtual ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// What it says that it can do (Scenario::capabilities).
  [[nodiscard]] virtual const std::vector<std::string>& capabilities() const = 0;
  /// Before the first step of a scenario, when its table is there.
  virtual Result<void> begin(const Scenario& scenario, const World& world) = 0;
  /// A failure in the outcome is what the scenario may expect; an error instead of an outcome is a mistake of the
  /// scenario, or of the driver. Never sees the op `sleep`.
  virtual Result<Outcome> carry_out(const LogicalItem& step, World& world) = 0;
};

/// The models of this program.
class OwnDriver final : public Driver {
 public:
  [[nodiscard]] const std::vector<std::string>& capabilities() const override;
  Result<void> begin(const Scenario& scenario, const World& world) override;
  Result<Outcome> carry_out(const LogicalItem& step, World& world) override;
};

}  // namespace dolmen::scenario
