import CSystemCalls
import Glibc

/// How many threads a process has (`proc_pid_status(5)`), also one that cannot be traced.
package enum ProcessThreads {
  /// - Parameter identifier: of a process that nobody has reaped.
  /// - Returns: nil where `/proc` does not say.
  package static func count(of identifier: Int32) -> Int? {
    let path = "/proc/\(identifier)/status"
    let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(file.number, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Threads:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) }
  }
}
