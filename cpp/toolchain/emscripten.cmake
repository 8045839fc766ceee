# CMake's toolchain file for the WebAssembly presets: Emscripten's own, wherever Emscripten is.

# CMake reads this file again for each trial compilation: ask once.
if(NOT DEFINED ENV{ATTENTION_LAB_EMSCRIPTEN_ROOT})
  execute_process(
    COMMAND node ${CMAKE_CURRENT_LIST_DIR}/find-emscripten.js
    OUTPUT_VARIABLE root
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "No Emscripten: see above.")
  endif()
  set(ENV{ATTENTION_LAB_EMSCRIPTEN_ROOT} ${root})
endif()

include($ENV{ATTENTION_LAB_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
