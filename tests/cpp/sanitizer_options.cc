// AddressSanitizer ends the program when more memory is asked for than there can be. Here it is to
// return null as malloc does: that the core then answers 'out of memory' is what some tests test.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
