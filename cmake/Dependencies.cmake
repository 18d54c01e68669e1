# Every library that delassus stands on, in one interface target.
# SPDX-License-Identifier: GPL-3.0-or-later
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode arkode nvecserial sunmatrixdense sunmatrixband sunmatrixsparse
             sunlinsoldense sunlinsolband sunlinsolklu)
find_package(GSL 2.7 REQUIRED)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_path(YAML_INCLUDE_DIR yaml.h REQUIRED) # libyaml 0.2
find_library(YAML_LIBRARY yaml REQUIRED)

add_library(dls_dependencies INTERFACE)
target_include_directories(dls_dependencies SYSTEM INTERFACE ${KLU_INCLUDE_DIR} ${YAML_INCLUDE_DIR})
target_link_libraries(dls_dependencies INTERFACE
  SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunmatrixdense SUNDIALS::sunmatrixband
  SUNDIALS::sunmatrixsparse SUNDIALS::sunlinsoldense SUNDIALS::sunlinsolband SUNDIALS::sunlinsolklu
  ${KLU_LIBRARY} ${CHOLMOD_LIBRARY} ${YAML_LIBRARY} GSL::gsl GSL::gslcblas m)
