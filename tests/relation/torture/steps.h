#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "dolmen/relation/relations.h"
#include "model.h"

namespace dolmen::torture {

/// What an operation answered: a code, or a text of what came back.
struct Observed {
  std::optional<Code> code = std::nullopt;
  std::string text = {};

  friend bool operator==(const Observed&, const Observed&) = default;
};

std::string printed(const Observed& observed);

/// The two views of the store: one knows version 1 of jobs, the other version 2.
struct Graphs {
  Relations& current;
  Relations& old;
};

/// Reads first. Authorisation is a read that must be right although an index lags behind.
enum class StepKind : std::uint8_t { kRead, kAuthorization, kWrite, kCascade, kPurge, kReassign, kRewrite };

/// One operation, on the real thing and on the model.
struct Step {
  std::string name;
  StepKind kind = StepKind::kRead;
  std::function<Observed(Graphs)> real;
  std::function<Observed(Model&)> model;
};

/// Makes random operations on few resources, so that they meet.
class Steps {
 public:
  explicit Steps(std::uint64_t seed) : random_(seed) {}

  Step next(const Model& model);
  /// Any number below the bound.
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  Step create();
  Step get();
  Step get_many();
  Step update();
  Step reserve();
  Step release();
  Step transfer(const Model& model);
  Step attach();
  Step detach();
  Step add_member();
  Step remove_member();
  Step remove(const Model& model);
  Step dry_run();
  Step remove_reassigning();
  Step reassign_account();
  Step purge();
  Step rewrite();
  Step children();
  Step descendants();
  Step ancestors();
  Step members();
  Step collections();
  Step by_account();
  Step by_unique();
  Step unique_values();
  Step authorization_path();
  Step authorization_reach();
  Step verify();

  std::string type();
  std::string urn();
  std::string urn_of(const std::string& type);
  std::string value_of(const std::string& type);
  UniqueValue unique_value();
  ListOptions page();

  std::mt19937_64 random_;
  /// What there is.
  std::vector<std::string> existing_;
};

}  // namespace dolmen::torture
