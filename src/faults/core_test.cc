#include "faults/core.h"

#include <gtest/gtest.h>
#include <latch>
#include <semaphore>

#include "faults/capacities.h"

namespace dolmen::faults {
namespace {

Subject put_to(std::string_view table) { return {.operation = PutItem::kInfo, .tables = {table}}; }

std::vector<std::optional<Fault>> faults_of(FaultLab& lab, int requests) {
  std::vector<std::optional<Fault>> faults;
  for (int i = 0; i < requests; ++i) faults.push_back(lab.core().decide(put_to("t"), nullptr).value().fault);
  return faults;
}

TEST(FaultLab, gives_the_same_faults_for_the_same_seed) {
  FaultLab first;
  FaultLab second;
  for (FaultLab* lab : {&first, &second}) lab->seed(42).throttle(0.3).internal_error(0.2);
  const auto faults = faults_of(first, 200);
  EXPECT_EQ(faults, faults_of(second, 200));
  EXPECT_EQ(faults, faults_of(first.seed(42), 200));
  EXPECT_NE(faults, faults_of(first.seed(43), 200));
}

TEST(FaultLab, takes_the_probability_that_it_is_given) {
  FaultLab lab;
  lab.seed(1).throttle(0.25);
  const auto faults = faults_of(lab, 4000);
  const auto throttled = std::ranges::count(faults, std::optional(Fault::kThrottle));
  EXPECT_GT(throttled, 900);
  EXPECT_LT(throttled, 1100);
  EXPECT_EQ(lab.counts().at("throttle"), static_cast<std::uint64_t>(throttled));
}

TEST(FaultLab, repeats_a_single_request_by_seed_and_number) {
  FaultLab lab;
  lab.seed(42).throttle(0.1);
  std::optional<Decision> throttled;
  while (!throttled || !throttled->fault) throttled = lab.core().decide(put_to("t"), nullptr).value();
  FaultLab other;
  Plan plan = parse_plan("throttle=0.1").value();
  plan.seed = throttled->seed;
  plan.number = throttled->number;
  EXPECT_EQ(other.core().decide(put_to("t"), &plan).value().fault, Fault::kThrottle);
}

TEST(FaultLab, spares_what_a_rule_does_not_name) {
  FaultLab lab;
  lab.add({.fault = Fault::kThrottle, .operations = {"PutItem"}, .tables = {"orders-*"}});
  EXPECT_EQ(lab.core().decide(put_to("orders-1"), nullptr).value().fault, Fault::kThrottle);
  EXPECT_EQ(lab.core().decide(put_to("notes"), nullptr).value().fault, std::nullopt);
  const Subject get{.operation = GetItem::kInfo, .tables = {"orders-1"}};
  EXPECT_EQ(lab.core().decide(get, nullptr).value().fault, std::nullopt);
}

TEST(FaultLab, skips_and_counts) {
  FaultLab lab;
  lab.add({.fault = Fault::kThrottle, .skip = 1, .times = 2});
  const auto none = std::optional<Fault>();
  const auto throttle = std::optional(Fault::kThrottle);
  EXPECT_EQ(faults_of(lab, 4), (std::vector{none, throttle, throttle, none}));
}

TEST(FaultLab, adds_up_latencies_and_lets_the_first_other_fault_decide) {
  FaultLab lab;
  lab.latency(1, std::chrono::milliseconds(3)).cut_after_effect(1).latency(1, std::chrono::milliseconds(4)).throttle(1);
  const Decision decision = lab.core().decide(put_to("t"), nullptr).value();
  EXPECT_EQ(decision.latency, std::chrono::milliseconds(7));
  EXPECT_EQ(decision.fault, Fault::kCutAfter);
  EXPECT_EQ(to_text(decision), "seed=" + std::to_string(lab.seed()) + ", number=1, latency-ms=7, cut-after");
}

TEST(FaultLab, leaves_a_batch_at_least_one_part) {
  FaultLab lab;
  lab.unprocessed(1);
  const Subject batch{.operation = BatchWriteItem::kInfo, .tables = {"t"}, .parts = 3};
  EXPECT_EQ(lab.core().decide(batch, nullptr).value().left_out, (std::vector<bool>{false, true, true}));
  const Subject single{.operation = BatchWriteItem::kInfo, .tables = {"t"}, .parts = 1};
  EXPECT_EQ(lab.core().decide(single, nullptr).value().fault, std::nullopt);
}

TEST(FaultLab, refuses_everything_when_a_rule_cannot_be) {
  FaultLab lab;
  lab.throttle(1.5);
  EXPECT_EQ(lab.core().decide(put_to("t"), nullptr).error().message(),
            "the fault lab: throttle: 1.5 is not a probability from 0 to 1");
  lab.clear();
  EXPECT_TRUE(lab.core().decide(put_to("t"), nullptr).has_value());
}

TEST(FaultLab, knows_which_faults_are_possible) {
  const Subject list{.operation = ListTableNames::kInfo};
  EXPECT_FALSE(is_possible(Fault::kThrottle, list));
  EXPECT_TRUE(is_possible(Fault::kInternalError, list));
  EXPECT_FALSE(is_possible(Fault::kConflict, {.operation = Query::kInfo}));
  EXPECT_TRUE(is_possible(Fault::kConflict, {.operation = TransactGetItems::kInfo}));
  EXPECT_FALSE(is_possible(Fault::kInProgress, {.operation = TransactWriteItems::kInfo}));
  EXPECT_TRUE(is_possible(Fault::kInProgress, {.operation = TransactWriteItems::kInfo, .has_token = true}));
}

TEST(Delays, run_tasks_on_another_thread) {
  Delays delays;
  std::latch done(1);
  std::thread::id thread;
  delays.run_after(std::chrono::milliseconds(1), [&] {
    thread = std::this_thread::get_id();
    done.count_down();
  });
  done.wait();
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(Delays, run_what_waits_when_they_end) {
  int ran = 0;
  Delays delays;
  delays.run_after(std::chrono::hours(1), [&] { ++ran; });
  delays.finish();
  EXPECT_EQ(ran, 1);
  delays.run_after(std::chrono::hours(1), [&] { ++ran; });
  delays.finish();
  EXPECT_EQ(ran, 2);
}

TEST(Delays, run_tasks_on_another_thread_also_after_an_end) {
  Delays delays;
  delays.run_after(std::chrono::hours(1), [] {});
  delays.finish();
  std::binary_semaphore ran{0};
  delays.run_after(std::chrono::milliseconds(1), [&] { ran.release(); });
  EXPECT_TRUE(ran.try_acquire_for(std::chrono::seconds(10)));
}

TEST(Capacities, look_at_a_table_once_until_it_changes) {
  int looks = 0;
  const auto describe = [&](const std::string& table) {
    ++looks;
    return std::optional(TableDescription{
        .definition = {
            .name = table, .partition_key = {"pk"}, .billing_mode = BillingMode::kProvisioned, .throughput = {1, 1}}});
  };
  Capacities capacities(describe, [] { return TimePoint{}; });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(capacities.take({.table = "notes", .units = 1}), Capacities::Answer::kTaken);
  EXPECT_EQ(looks, 1);
  capacities.changed("notes");
  EXPECT_EQ(capacities.take({.table = "notes", .units = 1}), Capacities::Answer::kTaken);
  EXPECT_EQ(looks, 2);
}

}  // namespace
}  // namespace dolmen::faults
