#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace rankfall::verify {

/// What one process of a shared sweep says to another.
enum class MessageKind { start, ask, cell, result, stop, done };

struct Message {
  int from = 0;
  MessageKind kind = MessageKind::stop;
  std::string body = {};
};

/// Processes that work together, counted from 0; this is one of them. Messages between two of them arrive in
/// the order in which they were sent. For use by one thread at a time.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How many of them share this machine's memory.
  virtual int local_size() const = 0;
  virtual void send(int to, MessageKind kind, const std::string& body) = 0;
  /// The next message to this process; none when there was none for so long.
  virtual std::optional<Message> receive(std::chrono::milliseconds patience) = 0;
};

/// The next message to this process, however long it takes.
inline Message wait_for_message(Ranks& ranks) {
  for (;;)
    if (auto message = ranks.receive(std::chrono::seconds(1))) return *std::move(message);
}

/// What the program can start processes' talk with; nothing where it was built without.
struct MessagePassing {
  std::string name = {};  ///< of the library and its version
  std::function<std::unique_ptr<Ranks>()> start = {};
};

}  // namespace rankfall::verify
