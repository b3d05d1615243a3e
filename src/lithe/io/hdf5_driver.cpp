#include "lithe/io/hdf5_driver.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "lithe/io/hdf5_library.hpp"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace lithe::detail {
namespace {

struct DriverInfo {
  WriteTarget* target = nullptr;
};

/// The part of HDF5 comes first: the library knows only that.
struct DriverFile {
  H5FD_t common;
  WriteTarget* target;
  haddr_t allocated;  ///< end of what HDF5 has allocated
  haddr_t written;    ///< end of what has been written
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }                    // NOLINT
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }  // NOLINT

H5FD_t* open_file_of_driver(const char*, unsigned, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->target = info->target;
  struct stat status {};
  if (fstat(info->target->descriptor, &status) == 0) file->written = static_cast<haddr_t>(status.st_size);
  return &file->common;
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const int first = of(a).target->descriptor, second = of(b).target->descriptor;
  return first < second ? -1 : (first > second ? 1 : 0);
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return of(file).written; }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = pread(of(file).target->descriptor, to, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    to += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  std::memset(to, 0, size);  // nothing stands there yet
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  WriteTarget& target = *of(file).target;
  const auto* from = static_cast<const char*>(buffer);
  while (size > 0 && target.fault == 0) {
    const ssize_t count = pwrite(target.descriptor, from, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      target.fault = count < 0 ? errno : ENOSPC;
      break;
    }
    from += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  if (address + size > of(file).written) of(file).written = address + size;
  return 0;
}

herr_t cut_to_size(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& own = of(file);
  WriteTarget& target = *own.target;
  if (own.written == own.allocated) return 0;
  if (target.fault == 0 && ftruncate(target.descriptor, static_cast<off_t>(own.allocated)) != 0) target.fault = errno;
  own.written = own.allocated;
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t made{};
#if H5_VERSION_GE(1, 13, 0)
  made.version = H5FD_CLASS_VERSION;
  made.value = static_cast<H5FD_class_value_t>(600);
#endif
  made.name = "lithe";
  made.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  made.fc_degree = H5F_CLOSE_STRONG;
  made.fapl_size = sizeof(DriverInfo);
  made.open = open_file_of_driver;
  made.close = close_file;
  made.cmp = compare;
  made.query = query;
  made.get_eoa = get_allocated;
  made.set_eoa = set_allocated;
  made.get_eof = get_end;
  made.read = read_bytes;
  made.write = write_bytes;
  made.truncate = cut_to_size;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::memcpy(made.fl_map, map, sizeof made.fl_map);
  return made;
}

}  // namespace

hid_t access_through(WriteTarget& target) {
  static const H5FD_class_t driver_class = make_class();
  const DriverInfo info{&target};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  // H5close() forgets drivers, so this one is registered for every file; the file keeps its own reference.
  const hid_t driver = H5FDregister(&driver_class);
  const bool done = access >= 0 && driver >= 0 && H5Pset_driver(access, driver, &info) >= 0;
  if (driver >= 0) H5FDunregister(driver);
  if (done) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

}  // namespace lithe::detail
