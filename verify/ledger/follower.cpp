#include "verify/ledger/follower.hpp"

#include <fmt/format.h>

#include <exception>

#include "numerics/errors.hpp"
#include "verify/ledger/cell_key.hpp"
#include "verify/ledger/cell_message.hpp"
#include "verify/ledger/ledger_filler.hpp"

namespace rankfall::verify {
namespace {

/// What the leader is asked for, and told, by one process.
class Dialogue {
 public:
  Dialogue(Ranks& ranks, const Grid& grid, const std::function<bool()>& go_on)
      : ranks_(ranks), grid_(grid), go_on_(go_on), cells_(cell_count(grid)) {}

  std::optional<std::size_t> next() {
    if (stopped_) return std::nullopt;
    ranks_.send(0, MessageKind::ask, "");
    const Message answer = wait_for_message(ranks_);
    stopped_ = answer.kind == MessageKind::stop;
    return stopped_ ? std::nullopt : std::optional(index_of(answer));
  }

  void finish(const CellResult& result) {
    ranks_.send(0, MessageKind::result, pack(ledger_cell(grid_, result)));
    stopped_ = !go_on_() || stopped_;
  }

 private:
  std::size_t index_of(const Message& answer) const {
    const std::vector<std::string> texts = unpack_texts(answer.body);
    const std::size_t index = texts.size() == 2 ? std::stoul(texts[0]) : cells_;
    if (index >= cells_ || texts[1] != cell_key(grid_, cell(grid_, index)))
      throw InputError(
          fmt::format("process {} reads another grid than process 0, or is another version of "
                      "rankfall; all must be the same",
                      ranks_.rank()));
    return index;
  }

  Ranks& ranks_;
  const Grid& grid_;
  const std::function<bool()>& go_on_;
  std::size_t cells_;
  bool stopped_ = false;
};

}  // namespace

void follow(Ranks& ranks, const std::function<Grid()>& read_grid, unsigned threads,
            const std::function<bool()>& go_on) {
  std::string failure;
  std::exception_ptr thrown;
  if (wait_for_message(ranks).kind == MessageKind::start) {
    try {
      const Grid grid = read_grid();
      Dialogue dialogue(ranks, grid, go_on);
      work_through(
          grid, threads, [&dialogue] { return dialogue.next(); },
          [&dialogue](std::size_t, CellResult&& result) {
            dialogue.finish(result);
            return true;  // what other threads have begun is handed in too
          });
    } catch (const std::exception& error) {
      failure = error.what();
      thrown = std::current_exception();
    }
  }
  ranks.send(0, MessageKind::done, failure);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace rankfall::verify
