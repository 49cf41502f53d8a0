#include "verify/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace rankfall::verify {
namespace {

// What a signal handler may touch is process-wide by nature.
std::atomic<int> deferred{0};
std::atomic<bool> flag{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) {
  if (deferred.load() == 0 || flag.exchange(true)) ::_exit(interrupted_exit);
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  ::sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);  // nohup keeps it ignored
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

DeferredInterrupt::DeferredInterrupt() {
  deferred.fetch_add(1);
}
DeferredInterrupt::~DeferredInterrupt() {
  deferred.fetch_sub(1);
}
bool DeferredInterrupt::requested() const {
  return flag.load();
}
void DeferredInterrupt::check() const {
  if (requested()) throw Interrupted{};
}

}  // namespace rankfall::verify
