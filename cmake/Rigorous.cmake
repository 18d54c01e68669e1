# Enclosures by ball arithmetic: a module that the tool loads when they are asked for (experiments/cli/rigorous_module.c).
# SPDX-License-Identifier: GPL-3.0-or-later
set_property(SOURCE experiments/cli/rigorous_module.c APPEND PROPERTY COMPILE_DEFINITIONS
  DLS_RIGOROUS_FOLDER="../${CMAKE_INSTALL_LIBDIR}/delassus")
if(DLS_HAS_ARB)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/analytic/rigorous/*.c)
  add_library(dls_rigorous OBJECT ${sources})
  target_include_directories(dls_rigorous PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/common)
  target_include_directories(dls_rigorous SYSTEM PUBLIC ${ARB_INCLUDE_DIR})
  set_target_properties(dls_rigorous PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  set(DLS_ARB_LIBRARIES $<$<BOOL:${ARB_LIBRARY}>:${ARB_LIBRARY}> ${FLINT_LIBRARY} ${GMP_LIBRARY} m)
  dls_harden(dls_rigorous)
  add_library(delassus_rigorous MODULE $<TARGET_OBJECTS:dls_rigorous>) # dls_fail is the tool's
  target_link_libraries(delassus_rigorous PRIVATE ${DLS_ARB_LIBRARIES})
  dls_harden(delassus_rigorous)
  set_target_properties(delassus_rigorous PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME delassus-rigorous LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  add_dependencies(delassus delassus_rigorous)
  install(TARGETS delassus_rigorous LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/delassus)
endif()
