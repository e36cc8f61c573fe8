import Glibc

package enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
  /// It ended itself with this status, 0…255.
  case exited(Int32)
  /// This signal ended it.
  case signaled(Int32)

  /// One phrase: "was ended by signal 11 (Segmentation fault)".
  package var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was ended by signal \(signal) (\(Self.name(of: signal)))"
    }
  }

  private static func name(of signal: Int32) -> String {
    // strsignal's text is copied before any other call can replace it.
    unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
  }
}
