# A memory error ends the program instead of running injected code: stack canaries, checked calls of the C library, and linker tables
# that are filled at the start and read-only afterwards. Sanitizers and fuzzers have their own checks.
# SPDX-License-Identifier: GPL-3.0-or-later
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
if(NOT EMSCRIPTEN) # it accepts the flags, but has no canaries and no tables of addresses
  check_c_compiler_flag(-fstack-protector-strong DLS_HAS_STACK_PROTECTOR)
  check_linker_flag(C LINKER:-z,relro,-z,now DLS_LINKER_BINDS_NOW)
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
set(CMAKE_REQUIRED_FLAGS "${CMAKE_C_FLAGS_${configuration}}")
check_c_source_compiles("#ifndef __OPTIMIZE__
#error
#endif
int main(void) { return 0; }" DLS_OPTIMISES)
check_c_source_compiles("#ifndef _FORTIFY_SOURCE
#error
#endif
int main(void) { return 0; }" DLS_FORTIFIED) # by the compiler, as on Ubuntu, or by the packager's CFLAGS
unset(CMAKE_REQUIRED_FLAGS)

# Canaries cost 2 % of writing a trajectory and 0.5 % of an order study in these two: arithmetic on arrays of fixed sizes, no input.
set(DLS_WITHOUT_CANARIES common/base/decimal_write.c analytic/distance/norm_space.c)

# For a target with sources of the product. The checked calls need an optimising compiler.
function(dls_harden target)
  if(NOT DLS_SANITIZE AND NOT DELASSUS_FUZZ)
    target_compile_options(${target} PRIVATE $<$<BOOL:${DLS_HAS_STACK_PROTECTOR}>:-fstack-protector-strong>)
    target_compile_definitions(${target} PRIVATE
      $<$<AND:$<NOT:$<BOOL:${DLS_FORTIFIED}>>,$<BOOL:${DLS_OPTIMISES}>>:_FORTIFY_SOURCE=2>)
    if(DLS_HAS_STACK_PROTECTOR)
      set_source_files_properties(${DLS_WITHOUT_CANARIES} PROPERTIES COMPILE_OPTIONS -fno-stack-protector)
    endif()
    get_target_property(type ${target} TYPE)
    if(DLS_LINKER_BINDS_NOW AND NOT type STREQUAL OBJECT_LIBRARY)
      target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
    endif()
  endif()
endfunction()
