/// How much memory processes have, or have had, in use.
enum ResidentMemory {
  /// The most that was resident since the program started, in KiB (`VmHWM`, proc(5)). Unlike
  /// `ru_maxrss` of getrusage(2) it does not count what the process was before execve(2).
  ///
  /// - Throws: ``BenchmarkFailure`` where proc is not mounted.
  static func peak() throws(BenchmarkFailure) -> Int {
    let status = String(decoding: try BenchmarkFile("/proc/self/status").read(), as: UTF8.self)
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      if let peak = Int(line.filter(\.isNumber)) { return peak }
    }
    throw BenchmarkFailure("/proc/self/status has no VmHWM")
  }

  /// What a process has in use, pages that it shares counted in part, in KiB (`Pss`, proc(5)); nil
  /// where this process may not look into that one.
  static func share(of process: Int32) -> Int? { value("Pss:", of: process) }

  /// What of that is pages of files (`Pss_File`): the kernel takes them back where it has better use
  /// for them, and how many are there says how much of a file was read.
  static func fileShare(of process: Int32) -> Int? { value("Pss_File:", of: process) }

  private static func value(_ name: String, of process: Int32) -> Int? {
    guard let file = try? BenchmarkFile("/proc/\(process)/smaps_rollup").read() else { return nil }
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) }
  }
}
