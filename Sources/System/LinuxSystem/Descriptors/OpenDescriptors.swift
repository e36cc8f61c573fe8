import Glibc

package enum OpenDescriptors {
  /// Where nobody limits them.
  private static let most: UInt = 1 << 16

  /// The numbers that are open, found without opening one and by a call that every sandbox allows.
  /// Costs one system call for each that could be.
  package static func numbers() -> Set<Int32> {
    Set((0..<Int32(min(limit, Int(most)))).filter { fcntl($0, F_GETFD) >= 0 })
  }

  /// How many this process may have open.
  package static var limit: Int {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
  }

  /// Lets this process open as many as `count`, as far as it may decide that: the limit that
  /// processes begin with is that of programs which use `select`.
  package static func allow(_ count: UInt) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}
