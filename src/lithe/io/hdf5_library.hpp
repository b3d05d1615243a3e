#pragma once
// The HDF5 library, loaded when the first of its functions is called. Debian's brings some thirty other libraries along
// (networks, encryption), which take longer to load than most runs; a program that writes no HDF5 file needs none.
//
// The names below hide those of hdf5.h for code in this namespace, so it reads as with the library linked: a name is an
// object that becomes the function (or the constant, behind macros such as H5T_NATIVE_DOUBLE) of the loaded library.

#include <hdf5.h>

#include <atomic>

namespace lithe::detail {

/// Address of a symbol of the library. Throws std::runtime_error when the library or the symbol is missing.
void* hdf5_symbol(const char* name);

template <class Function>
class Hdf5Function {
 public:
  explicit constexpr Hdf5Function(const char* name) : name_(name) {}
  operator Function*() const {  // NOLINT: stands for the function
    Function* known = found_.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    known = reinterpret_cast<Function*>(hdf5_symbol(name_));  // NOLINT: the way of dlsym
    found_.store(known, std::memory_order_release);
    return known;
  }

 private:
  const char* name_;
  mutable std::atomic<Function*> found_{nullptr};
};

class Hdf5Constant {
 public:
  explicit constexpr Hdf5Constant(const char* name) : name_(name) {}
  operator hid_t() const { return *static_cast<const hid_t*>(hdf5_symbol(name_)); }  // NOLINT: stands for it

 private:
  const char* name_;
};

#define LITHE_HDF5(name) inline const Hdf5Function<decltype(::name)> name(#name)
LITHE_HDF5(H5check_version);
LITHE_HDF5(H5open);
LITHE_HDF5(H5free_memory);
LITHE_HDF5(H5Aclose);
LITHE_HDF5(H5Acreate2);
LITHE_HDF5(H5Aexists);
LITHE_HDF5(H5Aget_space);
LITHE_HDF5(H5Aget_type);
LITHE_HDF5(H5Aiterate2);
LITHE_HDF5(H5Aopen);
LITHE_HDF5(H5Aread);
LITHE_HDF5(H5Awrite);
LITHE_HDF5(H5Dclose);
LITHE_HDF5(H5Dcreate2);
LITHE_HDF5(H5Dget_space);
LITHE_HDF5(H5Dget_storage_size);
LITHE_HDF5(H5Dget_type);
LITHE_HDF5(H5Dopen2);
LITHE_HDF5(H5Dread);
LITHE_HDF5(H5Dset_extent);
LITHE_HDF5(H5Dwrite);
LITHE_HDF5(H5Eset_auto2);
LITHE_HDF5(H5FDregister);
LITHE_HDF5(H5FDunregister);
LITHE_HDF5(H5Fclose);
LITHE_HDF5(H5Fcreate);
LITHE_HDF5(H5Fflush);
LITHE_HDF5(H5Fis_hdf5);
LITHE_HDF5(H5Fopen);
LITHE_HDF5(H5Gclose);
LITHE_HDF5(H5Gcreate2);
LITHE_HDF5(H5Gget_info);
LITHE_HDF5(H5Gopen2);
LITHE_HDF5(H5Lexists);
LITHE_HDF5(H5Lget_name_by_idx);
LITHE_HDF5(H5Pclose);
LITHE_HDF5(H5Pcreate);
LITHE_HDF5(H5Pget_driver_info);
LITHE_HDF5(H5Pset_attr_phase_change);
LITHE_HDF5(H5Pset_chunk);
LITHE_HDF5(H5Pset_deflate);
LITHE_HDF5(H5Pset_driver);
LITHE_HDF5(H5Pset_fapl_core);
LITHE_HDF5(H5Pset_file_image);
LITHE_HDF5(H5Pset_fletcher32);
LITHE_HDF5(H5Pset_libver_bounds);
LITHE_HDF5(H5Pset_link_phase_change);
LITHE_HDF5(H5Sclose);
LITHE_HDF5(H5Screate);
LITHE_HDF5(H5Screate_simple);
LITHE_HDF5(H5Sget_simple_extent_dims);
LITHE_HDF5(H5Sget_simple_extent_ndims);
LITHE_HDF5(H5Sget_simple_extent_npoints);
LITHE_HDF5(H5Sselect_hyperslab);
LITHE_HDF5(H5Tclose);
LITHE_HDF5(H5Tcopy);
LITHE_HDF5(H5Tget_class);
LITHE_HDF5(H5Tget_cset);
LITHE_HDF5(H5Tget_size);
LITHE_HDF5(H5Tget_strpad);
LITHE_HDF5(H5Tis_variable_str);
LITHE_HDF5(H5Tset_cset);
LITHE_HDF5(H5Tset_size);
LITHE_HDF5(H5Tset_strpad);
LITHE_HDF5(H5Zfilter_avail);
#undef LITHE_HDF5

#define LITHE_HDF5_CONSTANT(name) inline constexpr Hdf5Constant name(#name)
LITHE_HDF5_CONSTANT(H5P_CLS_DATASET_CREATE_ID_g);
LITHE_HDF5_CONSTANT(H5P_CLS_FILE_ACCESS_ID_g);
LITHE_HDF5_CONSTANT(H5P_CLS_FILE_CREATE_ID_g);
LITHE_HDF5_CONSTANT(H5P_CLS_GROUP_CREATE_ID_g);
LITHE_HDF5_CONSTANT(H5T_C_S1_g);
LITHE_HDF5_CONSTANT(H5T_IEEE_F64LE_g);
LITHE_HDF5_CONSTANT(H5T_NATIVE_DOUBLE_g);
LITHE_HDF5_CONSTANT(H5T_NATIVE_LONG_g);
LITHE_HDF5_CONSTANT(H5T_NATIVE_UINT8_g);
LITHE_HDF5_CONSTANT(H5T_STD_I64LE_g);
LITHE_HDF5_CONSTANT(H5T_STD_U8LE_g);
#undef LITHE_HDF5_CONSTANT

}  // namespace lithe::detail
