import CSystemCalls
import Glibc

/// What a driver that leaks has more and more of.
struct ProcessCounts {
  /// Bytes that malloc has handed out.
  let memory: Int
  let descriptors: Int
  let threads: Int

  /// At this moment.
  init() {
    memory = Int(ac_allocated_bytes())
    descriptors = Self.entries(of: "/proc/self/fd")
    threads = Self.entries(of: "/proc/self/task")
  }

  private static func entries(of path: String) -> Int {
    guard let folder = unsafe opendir(path) else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
  }
}
