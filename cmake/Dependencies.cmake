# All libraries that delassus needs, in one interface target.
# SPDX-License-Identifier: GPL-3.0-or-later
set(DLS_SUNDIALS_VERSION 6.4)
set(DLS_SUNDIALS_COMPONENTS cvode arkode nvecserial sunmatrixdense sunlinsoldense)
set(DLS_GSL_VERSION 2.7)
find_package(SUNDIALS ${DLS_SUNDIALS_VERSION} REQUIRED COMPONENTS ${DLS_SUNDIALS_COMPONENTS})
find_package(GSL ${DLS_GSL_VERSION} REQUIRED)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_library(UMFPACK_LIBRARY umfpack REQUIRED)
find_path(YAML_INCLUDE_DIR yaml.h REQUIRED) # libyaml 0.2
find_library(YAML_LIBRARY yaml REQUIRED)
find_package(Threads REQUIRED)

# Sparse factors have indices of 64 bits. SuiteSparse before 7 has them only where long is as wide.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${KLU_INCLUDE_DIR})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
check_c_source_compiles("#include <SuiteSparse_config.h>
extern char wide[sizeof(SuiteSparse_long) == 8 ? 1 : -1];" DLS_LONG_INDICES)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
if(NOT DLS_LONG_INDICES)
  message(FATAL_ERROR "The long integers of SuiteSparse in ${KLU_INCLUDE_DIR} have not the 64 bits that delassus needs: "
    "on a machine of 32 bits take SuiteSparse from 7 on.")
endif()

# The name by which a shared library is loaded, libhdf5.so.103; for other files their own name.
function(dls_interface_name out library)
  get_filename_component(library ${library} REALPATH)
  get_filename_component(library ${library} NAME)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" library ${library})
  set(${out} ${library} PARENT_SCOPE)
endfunction()

# HDF5, for the contact problems of FCLIB: the header is needed to compile, the library is loaded when such a file is read.
option(DLS_HDF5 "read and write FCLIB's files, where HDF5 is installed" ON)
if(DLS_HDF5)
  find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
endif()
if(DLS_HDF5 AND HDF5_INCLUDE_DIR AND HDF5_LIBRARY)
  set(DLS_HAS_HDF5 ON)
  dls_interface_name(DLS_HDF5_NAME ${HDF5_LIBRARY})
else()
  set(DLS_HAS_HDF5 OFF)
endif()

# Arb, for enclosures (exact --rigorous): part of FLINT since version 3, a separate library before.
option(DLS_ARB "solutions as enclosures, where FLINT and Arb are installed" ON)
set(DLS_HAS_ARB OFF)
if(DLS_ARB)
  find_path(ARB_INCLUDE_DIR arb_mat.h PATH_SUFFIXES flint)
  find_library(FLINT_LIBRARY flint)
  find_library(ARB_LIBRARY NAMES flint-arb arb)
  find_library(GMP_LIBRARY gmp)
  if(ARB_INCLUDE_DIR AND FLINT_LIBRARY AND GMP_LIBRARY AND (ARB_LIBRARY OR ARB_INCLUDE_DIR MATCHES "flint$"))
    set(DLS_HAS_ARB ON)
  endif()
endif()

# The tool loads UMFPACK and CHOLMOD when it needs them (common/linear/suitesparse.c), where they are shared libraries.
dls_interface_name(DLS_UMFPACK_NAME ${UMFPACK_LIBRARY})
dls_interface_name(DLS_CHOLMOD_NAME ${CHOLMOD_LIBRARY})
string(REGEX MATCH "\\.so\\.[0-9]+ .*\\.so\\.[0-9]+$" DLS_LATE_LIBRARIES "${DLS_UMFPACK_NAME} ${DLS_CHOLMOD_NAME}")

# GSL uses the first CBLAS that the loader finds. UMFPACK and CHOLMOD need the system's BLAS, which also has one. So GSL's own is linked
# directly and before them, although nothing here refers to it: the tool and the libraries then compute the same digits.
check_linker_flag(C LINKER:--push-state,--no-as-needed DLS_LINKER_KEEPS_UNUSED)
if(DLS_LINKER_KEEPS_UNUSED)
  set(DLS_GSL_CBLAS -Wl,--push-state,--no-as-needed,$<TARGET_FILE:GSL::gslcblas>,--pop-state) # one word: CMake moves libraries to the end
endif()
list(TRANSFORM DLS_SUNDIALS_COMPONENTS PREPEND SUNDIALS:: OUTPUT_VARIABLE sundials)
function(dls_add_dependencies name)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE $<BUILD_INTERFACE:${KLU_INCLUDE_DIR}> $<BUILD_INTERFACE:${YAML_INCLUDE_DIR}>)
  target_link_libraries(${name} INTERFACE ${DLS_GSL_CBLAS} ${sundials} ${KLU_LIBRARY} ${ARGN} ${YAML_LIBRARY}
    GSL::gsl GSL::gslcblas ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS} m)
endfunction()
dls_add_dependencies(dls_dependencies ${UMFPACK_LIBRARY} ${CHOLMOD_LIBRARY})
if(DLS_LATE_LIBRARIES)
  dls_add_dependencies(dls_tool_dependencies)
else()
  dls_add_dependencies(dls_tool_dependencies ${UMFPACK_LIBRARY} ${CHOLMOD_LIBRARY})
endif()
# The same for pkg-config --static.
list(TRANSFORM DLS_SUNDIALS_COMPONENTS PREPEND -lsundials_ OUTPUT_VARIABLE sundials)
if(TARGET SUNDIALS::core) # since SUNDIALS 7
  list(APPEND sundials -lsundials_core)
endif()
list(JOIN sundials " " DLS_PC_PRIVATE)
if(TARGET MPI::MPI_C) # SUNDIALS 7 was built with it: its contexts ask for a communicator, if only for none
  list(JOIN MPI_C_LIBRARIES " " mpi)
endif()
string(APPEND DLS_PC_PRIVATE " ${mpi} -pthread -lklu -lumfpack -lcholmod -lyaml -lgsl -lgslcblas -lm")
if(DLS_LINKER_KEEPS_UNUSED)
  string(PREPEND DLS_PC_PRIVATE "-Wl,--push-state,--no-as-needed,-lgslcblas,--pop-state ")
endif()
