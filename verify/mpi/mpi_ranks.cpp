#include "verify/mpi/mpi_ranks.hpp"

#ifdef RANKFALL_HAS_MPI
#define OMPI_SKIP_MPICXX 1  // the C functions are all there is in MPI 3
#include <mpi.h>

#include <algorithm>
#include <thread>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

using Clock = std::chrono::steady_clock;

/// Failures of MPI itself end all processes, which is its own default.
class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
      MPI_Finalize();
      throw Error("this MPI does not allow threads (MPI_THREAD_SERIALIZED)");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &local_size_);
    MPI_Comm_free(&machine);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_size() const override { return local_size_; }

  void send(int to, MessageKind kind, const std::string& body) override {
    MPI_Send(body.data(), static_cast<int>(body.size()), MPI_CHAR, to, static_cast<int>(kind),
             MPI_COMM_WORLD);
  }

  // MPI's own waiting takes a whole core, which belongs to the cells.
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    const Clock::time_point end = Clock::now() + patience;
    std::chrono::microseconds pause{20};
    for (;;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      if (there != 0) return take(status);
      if (Clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds{1000});
    }
  }

 private:
  static Message take(const MPI_Status& status) {
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    Message message{status.MPI_SOURCE, static_cast<MessageKind>(status.MPI_TAG),
                    std::string(static_cast<std::size_t>(length), '\0')};
    MPI_Recv(message.body.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

  int rank_ = 0, size_ = 1, local_size_ = 1;
};

/// "Open MPI v4.1.4", without the rest of the line.
std::string library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

}  // namespace

MessagePassing message_passing() {
  return {library(), [] { return std::make_unique<MpiRanks>(); }};
}

}  // namespace rankfall::verify

#else

namespace rankfall::verify {

MessagePassing message_passing() {
  return {};
}

}  // namespace rankfall::verify

#endif
