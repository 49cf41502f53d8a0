#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "numerics/errors.hpp"
#include "tests/verify/report/tiny_report.hpp"
#include "verify/ledger/cell_message.hpp"
#include "verify/ledger/follower.hpp"
#include "verify/ledger/leader.hpp"
#include "verify/ledger/ledger_sweep.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using test::Scratch;

namespace {

/// Post boxes in memory: the processes of these tests are threads.
class Office {
 public:
  explicit Office(int size) : boxes_(static_cast<std::size_t>(size)) {}
  int size() const { return static_cast<int>(boxes_.size()); }
  void send(int to, Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
    arrived_.notify_all();
  }
  std::optional<Message> receive(int at, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[static_cast<std::size_t>(at)];
    if (!arrived_.wait_for(lock, patience, [&box] { return !box.empty(); })) return std::nullopt;
    Message first = std::move(box.front());
    box.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::deque<Message>> boxes_;
};

class OfficeRanks : public Ranks {
 public:
  OfficeRanks(Office& office, int rank) : office_(office), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return office_.size(); }
  int local_size() const override { return office_.size(); }
  void send(int to, MessageKind kind, const std::string& body) override {
    office_.send(to, {rank_, kind, body});
  }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    return office_.receive(rank_, patience);
  }

 private:
  Office& office_;
  int rank_;
};

Grid tiny_shared() {
  return parse_grid(test::tiny_grid, "tiny");
}

std::string rows_of(const std::string& path) {
  std::string text;
  Ledger::open(path).each([&](const LedgerCell& cell) { text += pack(cell); });
  return text;
}

/// Processes 1, 2, ... of an office, each with a grid of its own reading.
class Followers {
 public:
  Followers(Office& office, const std::function<Grid(int)>& grid, std::function<bool()> go_on = {}) {
    for (int rank = 1; rank < office.size(); ++rank)
      threads_.emplace_back([this, &office, grid, rank, go_on] {
        OfficeRanks ranks(office, rank);
        try {
          follow(
              ranks, [&] { return grid(rank); }, 1,
              [&] {
                ++computed;
                return !go_on || go_on();
              });
        } catch (const Error&) {
          ++failed;
        }
      });
  }
  void join() { threads_.clear(); }

  std::atomic<int> failed = 0, computed = 0;

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace

TEST_CASE("any number of processes fills a ledger with the same rows") {
  const Scratch scratch("shared");
  const std::string alone = (scratch / "alone").string();
  {
    Ledger ledger = Ledger::open_to_write(alone);
    sweep_into(ledger, tiny_shared(), {}, 1, {});
  }
  for (const int size : {1, 2, 4}) {
    CAPTURE(size);
    const std::string path = (scratch / ("of-" + std::to_string(size))).string();
    Office office(size);
    Followers followers(office, [](int) { return tiny_shared(); });
    OfficeRanks ranks(office, 0);
    Ledger ledger = Ledger::open_to_write(path);
    SweepCounts counts;
    {
      Leader leader(ranks);
      counts = leader.sweep(ledger, tiny_shared(), {}, 1, {});
    }
    followers.join();
    CHECK(counts.computed == 12);
    CHECK(followers.failed == 0);
    CHECK((followers.computed > 0) == (size > 1));
    CHECK(rows_of(path) == rows_of(alone));
  }
}

TEST_CASE("who reads another grid is refused, and what has arrived is kept") {
  const Scratch scratch("shared");
  Office office(2);
  Followers followers(office, [](int) {
    Grid other = tiny_shared();
    other.options.digits = 7;
    return other;
  });
  OfficeRanks ranks(office, 0);
  Ledger ledger = Ledger::open_to_write((scratch / "l").string());
  {
    Leader leader(ranks);
    CHECK_THROWS_WITH_AS(leader.sweep(ledger, tiny_shared(), {}, 1, {}),
                         doctest::Contains("process 1 failed: process 1 reads another grid"), Error);
  }
  followers.join();
  CHECK(followers.failed == 1);
  CHECK(ledger.cells() < 12);
}

TEST_CASE("a leader that cannot begin dismisses the others before they read anything") {
  Office office(3);
  Followers followers(office, [](int) -> Grid { throw InputError("read all the same"); });
  OfficeRanks ranks(office, 0);
  { const Leader leader(ranks); }
  followers.join();
  CHECK(followers.failed == 0);
}

TEST_CASE("a ledger that is full ends the work of all") {
  const Scratch scratch("shared");
  Office office(3);
  Followers followers(office, [](int) { return tiny_shared(); });
  OfficeRanks ranks(office, 0);
  Ledger ledger = Ledger::open_to_write((scratch / "l").string());
  sweep_into(ledger, tiny_shared(), {1, 4}, 1, {});
  ledger.limit_pages(1);
  {
    Leader leader(ranks);
    CHECK_THROWS_AS(leader.sweep(ledger, tiny_shared(), {}, 1, {}), Error);
  }
  followers.join();
  CHECK(followers.failed == 0);
  CHECK(ledger.cells() >= 3);
}

TEST_CASE("a process that is told to end hands in what it has, and the others go on") {
  const Scratch scratch("shared");
  Office office(3);
  Followers followers(
      office, [](int) { return tiny_shared(); }, [] { return false; });
  OfficeRanks ranks(office, 0);
  Ledger ledger = Ledger::open_to_write((scratch / "l").string());
  {
    Leader leader(ranks);
    CHECK(leader.sweep(ledger, tiny_shared(), {}, 1, {}).computed == 12);
  }
  followers.join();
  CHECK(followers.computed <= 2);
  CHECK(ledger.cells() == 12);
}

TEST_CASE("cells travel unchanged, and broken messages are refused") {
  LedgerCell cell{"key", {}, std::string("why\0not", 7), {}, {}};
  cell.description[column("law")] = "a:b\n3:";
  cell.rows.resize(2);
  cell.rows[1][column("reason")] = std::string("\0\xff", 2);
  cell.hypotheses = {{}, {{"1.256", "true", "-3", "-2", "1.25", "1.26"}, {"a:b", "", "", "", "", ""}}};
  const LedgerCell back = unpack_cell(pack(cell));
  CHECK(back.key == cell.key);
  CHECK(back.failure == cell.failure);
  CHECK(back.description == cell.description);
  CHECK(back.rows == cell.rows);
  CHECK(back.hypotheses == cell.hypotheses);
  CHECK(unpack_texts("").empty());
  for (const char* broken : {"3:ab", "x", "5", "-1:", "99999999999999999999:a", ":"})
    CHECK_THROWS_AS(unpack_texts(broken), InputError);
  CHECK_THROWS_AS(unpack_cell(pack_texts({"key", ""})), InputError);
  std::vector<std::string> cut = unpack_texts(pack(cell));
  cut.pop_back();
  CHECK_THROWS_AS(unpack_cell(pack_texts(cut)), InputError);
}
