#include "numerics/io/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/io/mapped_file.hpp"
#include "numerics/io/npy.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

constexpr std::string_view extension = ".npy";
constexpr std::size_t most_named = 20;  // arrays that a message lists

struct Close {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};
using Archive = std::unique_ptr<zip_t, Close>;

/// The message of a zip error, which is freed.
std::string taken_words(zip_error_t& error) {
  std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  return words;
}

Archive opened(std::string_view bytes) {
  if (bytes.empty()) throw InputError("found no npz file: it is empty");  // to libzip an archive of nothing
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (archive == nullptr) {
    zip_source_free(source);
    throw InputError("found no npz file: as a zip archive, it says " + in_quotes(taken_words(error)));
  }
  zip_error_fini(&error);
  return Archive(archive);
}

struct Member {
  zip_uint64_t index;
  std::string array;
};

std::vector<Member> members(zip_t* archive) {
  std::vector<Member> result;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(archive, index, 0);
    if (name == nullptr || !std::string_view(name).ends_with(extension)) continue;
    const std::string_view whole = name;
    result.push_back({index, std::string(whole.substr(0, whole.size() - extension.size()))});
  }
  return result;
}

std::string names_of(const std::vector<Member>& all) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    names.push_back(abbreviated(all[i].array));
  return fmt::format("{}{}", fmt::join(names, ", "), all.size() > most_named ? ", ..." : "");
}

Member chosen(const std::vector<Member>& all, std::string_view array) {
  if (all.empty()) throw InputError("found no array (a member whose name ends in .npy)");
  if (array.empty()) {
    if (all.size() > 1)
      throw InputError(fmt::format("found {} arrays: {}; name the one to read, as in file.npz:{}", all.size(),
                                   names_of(all), abbreviated(all.front().array)));
    return all.front();
  }
  const auto has_name = [&](const Member& member) { return member.array == array; };
  const auto found = std::find_if(all.begin(), all.end(), has_name);
  if (found == all.end()) throw InputError("there is no such array; there are: " + names_of(all));
  if (std::find_if(found + 1, all.end(), has_name) != all.end())
    throw InputError("this array stands twice in the archive; every name may stand once");
  return *found;
}

/// A member, unpacked as far as it is asked for.
class Unpacked {
 public:
  Unpacked(zip_t* archive, zip_uint64_t index) : file_(zip_fopen_index(archive, index, 0)) {
    if (!file_)
      throw InputError(
          fmt::format("cannot be unpacked: {}", in_quotes(zip_error_strerror(zip_get_error(archive)))));
  }
  /// At most so many bytes in all; less when there are no more. The last byte brings the check of the sum.
  const std::string& first(std::size_t count) {
    while (bytes_.size() < count) {
      const std::size_t before = bytes_.size();
      bytes_.resize(count);
      const zip_int64_t more = zip_fread(file_.get(), bytes_.data() + before, count - before);
      bytes_.resize(before + static_cast<std::size_t>(std::max<zip_int64_t>(more, 0)));
      if (more < 0)
        throw InputError(fmt::format("cannot be unpacked: {}",
                                     in_quotes(zip_error_strerror(zip_file_get_error(file_.get())))));
      if (more == 0) break;
    }
    return bytes_;
  }

 private:
  std::unique_ptr<zip_file_t, Close> file_;
  std::string bytes_;
};

ExactMatrix unpacked(zip_t* archive, const Member& member, const std::string& place) {
  std::string bytes;
  try {
    Unpacked content(archive, member.index);
    const std::size_t needed = npy_size(content.first(max_npy_header_bytes));
    bytes = content.first(needed + 1);  // one more, to see the end
    if (bytes.size() > needed)
      throw InputError(fmt::format("goes on behind the {} bytes that its header speaks of", needed));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", place, error.what()));
  }
  return parse_npy(bytes, place);
}

}  // namespace

ExactMatrix parse_npz(std::string_view bytes, std::string_view name, std::string_view array) {
  Archive archive;
  Member member;
  std::string place(name);
  if (!array.empty()) place += ":" + abbreviated(array);
  try {
    archive = opened(bytes);
    member = chosen(members(archive.get()), array);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", place, error.what()));
  }
  return unpacked(archive.get(), member, fmt::format("{}:{}", name, abbreviated(member.array)));
}

ExactMatrix read_npz(const std::filesystem::path& path, std::string_view array) {
  const MappedFile file(path);
  return parse_npz(file.bytes(), path.string(), array);
}

}  // namespace rankfall
