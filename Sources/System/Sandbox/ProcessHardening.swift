import CSystemCalls
import Glibc

/// What a process that handles secrets gives up at once, whatever else it does.
package enum ProcessHardening {
  /// No core dumps, no tracing by others of the same user, no new privileges.
  /// - Parameter isTraceable: leaves the second out. A process that cannot be traced cannot look at
  ///   its own `/proc/self/fd`, where umockdev's preloaded library looks.
  /// - Returns: a sentence for each of these that could not be had.
  package static func apply(isTraceable: Bool = false) -> [String] {
    var lacks: [String] = []
    if !limit(RLIMIT_CORE, to: 0) { lacks.append("core dumps could not be switched off") }
    if isTraceable || ac_prctl(PR_SET_DUMPABLE, 0, 0) != 0 {
      lacks.append("other processes of this user can trace this one")
    }
    if ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) != 0 {
      lacks.append("new privileges could not be ruled out")
    }
    return lacks
  }

  static func limit(_ resource: __rlimit_resource, to value: UInt) -> Bool {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    let lower = min(value, limit.rlim_max)
    limit = rlimit(rlim_cur: lower, rlim_max: lower)
    return unsafe setrlimit(resource, &limit) == 0
  }
}

/// Whether this program was built with a sanitizer, whose shadow memory takes terabytes of
/// addresses.
enum Sanitizer {
  static var isPresent: Bool {
    let marks: [String] = ["__asan_init", "__tsan_init", "__hwasan_init"]
    // RTLD_DEFAULT is NULL: the program and what it is linked with.
    return marks.contains { unsafe dlsym(nil, $0) != nil }
  }
}
