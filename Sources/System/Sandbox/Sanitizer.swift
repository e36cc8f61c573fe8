import Glibc

/// Whether this program was built with a sanitizer, whose shadow memory takes terabytes of
/// addresses.
enum Sanitizer {
  static var isPresent: Bool {
    let marks: [String] = ["__asan_init", "__tsan_init", "__hwasan_init"]
    // RTLD_DEFAULT is NULL: the program and what it is linked with.
    return marks.contains { unsafe dlsym(nil, $0) != nil }
  }
}
