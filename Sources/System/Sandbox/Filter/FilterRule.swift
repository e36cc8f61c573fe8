import CSystemCalls

/// What a filter says about one system call.
enum FilterRule: Sendable {
  /// The same for all arguments.
  case always(FilterVerdict)
  /// The first verdict where of one of these every test is true, else the other.
  case whenAny([[ArgumentTest]], FilterVerdict, otherwise: FilterVerdict)
  /// `holds` where the low half of an argument is one of `values`, else `fails`.
  case whenOne(of: [UInt32], argument: Int, FilterVerdict, otherwise: FilterVerdict)

  /// The first verdict where every test is true, else the other.
  static func when(
    _ tests: [ArgumentTest], _ verdict: FilterVerdict, otherwise: FilterVerdict
  ) -> FilterRule { .whenAny([tests], verdict, otherwise: otherwise) }
}

/// What becomes of a system call (`seccomp(2)`).
package enum FilterVerdict: Sendable, Equatable {
  /// It runs.
  case allow
  /// It fails with this `errno`; for calls a library can do without.
  case fail(Int32)
  /// It does not run, and SIGSYS ends the process after the call was reported.
  case trap
  /// The process is ended at once, without a report.
  case kill
  /// It waits until whoever listens lets it go on.
  case tell

  /// As a filter returns it.
  package var value: UInt32 {
    switch self {
    case .allow: UInt32(SECCOMP_RET_ALLOW)
    case .fail(let number): UInt32(SECCOMP_RET_ERRNO) | UInt32(truncatingIfNeeded: number) & 0xffff
    case .trap: UInt32(SECCOMP_RET_TRAP)
    case .kill: 0x8000_0000  // SECCOMP_RET_KILL_PROCESS, which is not imported
    case .tell: UInt32(SECCOMP_RET_USER_NOTIF)
    }
  }
}

/// Whether half of an argument, masked, has a value.
///
/// A filter sees 32 bits at a time. The kernel reads flags and descriptors as 32-bit numbers, for
/// which the low half is enough.
struct ArgumentTest: Sendable {
  enum Half: Sendable { case low, high }
  let argument: Int
  var half = Half.low
  var mask: UInt32 = .max
  let value: UInt32

  /// No bit of `mask` is set.
  static func lacks(_ mask: Int32, argument: Int) -> ArgumentTest {
    ArgumentTest(argument: argument, mask: UInt32(bitPattern: mask), value: 0)
  }

  /// Every bit of `mask` is set.
  static func has(_ mask: Int32, argument: Int) -> ArgumentTest {
    let mask = UInt32(bitPattern: mask)
    return ArgumentTest(argument: argument, mask: mask, value: mask)
  }

  /// A 32-bit argument has this value.
  static func equals(_ value: Int32, argument: Int) -> ArgumentTest {
    ArgumentTest(argument: argument, value: UInt32(bitPattern: value))
  }

  /// A pointer is NULL.
  static func isNull(argument: Int) -> [ArgumentTest] {
    [
      ArgumentTest(argument: argument, value: 0),
      ArgumentTest(argument: argument, half: .high, value: 0),
    ]
  }
}
