# embed.cmake -- dls_embed(FILE IDENTIFIER VARIABLE): append to VARIABLE the bytes of a file as a C array with a 0 behind them.
# SPDX-License-Identifier: GPL-3.0-or-later
function(dls_embed file identifier variable)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)"
                       "\\1\n" bytes "${bytes}")
  set(${variable} "${${variable}}static const unsigned char ${identifier}[] = {\n${bytes}0};\n" PARENT_SCOPE)
endfunction()
