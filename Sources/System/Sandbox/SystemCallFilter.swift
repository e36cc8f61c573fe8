package import CSystemCalls
import Glibc
package import LinuxSystem

/// An allow list of system calls as a classic BPF program (`seccomp(2)`, kernel:
/// Documentation/userspace-api/seccomp_filter.rst).
///
/// The program checks the architecture first: the same number means another call on another one.
package struct SystemCallFilter: Sendable {
  private var rules: [Int32: FilterRule] = [:]
  /// For calls without a rule.
  private let otherwise: FilterVerdict

  init(otherwise: FilterVerdict = .trap) { self.otherwise = otherwise }

  mutating func set(_ rule: FilterRule, for calls: [Int32]) {
    for call in calls { rules[call] = rule }
  }

  mutating func allow(_ calls: Int32...) { set(.always(.allow), for: calls) }

  mutating func fail(_ calls: Int32..., with number: Int32) {
    set(.always(.fail(number)), for: calls)
  }

  // Offsets in struct seccomp_data (linux/seccomp.h): int nr; __u32 arch; __u64
  // instruction_pointer; __u64 args[6].
  private static let numberOffset: UInt32 = 0
  private static let architectureOffset: UInt32 = 4
  private static let argumentsOffset: UInt32 = 16

  #if arch(x86_64)
    private static let architecture: UInt32 = 0xc000_003e  // AUDIT_ARCH_X86_64
  #elseif arch(arm64)
    private static let architecture: UInt32 = 0xc000_00b7  // AUDIT_ARCH_AARCH64
  #else
    #error("Sandbox knows the system calls of x86_64 and aarch64 only")
  #endif

  /// The program, in the kernel's order.
  package var instructions: [sock_filter] {
    var program = [
      Self.load(Self.architectureOffset),
      Self.jump(ifEqual: Self.architecture, then: 1, otherwise: 0),
      Self.give(.kill),
      Self.load(Self.numberOffset),
    ]
    #if arch(x86_64)
      // Numbers with this bit are the x32 ABI's (arch/x86/include/uapi/asm/unistd.h).
      program += [Self.jump(ifAtLeast: 0x4000_0000, then: 0, otherwise: 1), Self.give(.kill)]
    #endif
    for (number, rule) in rules.sorted(by: { $0.key < $1.key }) {
      let body = Self.body(of: rule)
      program.append(
        Self.jump(
          ifEqual: UInt32(bitPattern: number), then: 0, otherwise: UInt8(clamping: body.count)))
      program += body
    }
    program.append(Self.give(otherwise))
    return program
  }

  /// Installs the filter for all threads of this process.
  package func install() throws(SystemCallError) {
    let program = instructions
    let result = unsafe program.withUnsafeBufferPointer {
      unsafe ac_seccomp_install(
        $0.baseAddress, UInt16(clamping: $0.count), UInt32(SECCOMP_FILTER_FLAG_TSYNC))
    }
    guard result == 0 else { throw SystemCallError("seccomp") }
  }

  private static func body(of rule: FilterRule) -> [sock_filter] {
    switch rule {
    case .always(let verdict): return [give(verdict)]
    case .whenAny(let alternatives, let verdict, let otherwise):
      var body: [sock_filter] = []
      for tests in alternatives {
        for (index, test) in tests.enumerated() {
          // A test that fails jumps over the next tests, three instructions each, and the verdict.
          let rest = UInt8(clamping: (tests.count - index - 1) * 3 + 1)
          body += [
            load(argumentsOffset + UInt32(test.argument) * 8 + (test.half == .low ? 0 : 4)),
            and(test.mask), jump(ifEqual: test.value, then: 0, otherwise: rest),
          ]
        }
        body.append(give(verdict))
      }
      return body + [give(otherwise)]
    case .whenOne(let values, let argument, let verdict, let otherwise):
      var body = [load(argumentsOffset + UInt32(argument) * 8)]
      for (index, value) in values.enumerated() {
        let match = UInt8(clamping: values.count - index)
        body.append(jump(ifEqual: value, then: match, otherwise: 0))
      }
      return body + [give(otherwise), give(verdict)]
    }
  }

  private static func load(_ offset: UInt32) -> sock_filter {
    sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: offset)
  }

  private static func and(_ mask: UInt32) -> sock_filter {
    sock_filter(code: UInt16(BPF_ALU | BPF_AND | BPF_K), jt: 0, jf: 0, k: mask)
  }

  private static func jump(
    ifEqual value: UInt32, then: UInt8, otherwise: UInt8
  ) -> sock_filter {
    sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: then, jf: otherwise, k: value)
  }

  private static func jump(
    ifAtLeast value: UInt32, then: UInt8, otherwise: UInt8
  ) -> sock_filter {
    sock_filter(code: UInt16(BPF_JMP | BPF_JGE | BPF_K), jt: then, jf: otherwise, k: value)
  }

  private static func give(_ verdict: FilterVerdict) -> sock_filter {
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: verdict.value)
  }
}

/// A filter's rule for one system call.
enum FilterRule: Sendable {
  case always(FilterVerdict)
  /// The first verdict if all tests of one of these hold, else the other.
  case whenAny([[ArgumentTest]], FilterVerdict, otherwise: FilterVerdict)
  /// The first verdict if the low half of an argument is one of these values, else the other.
  case whenOne(of: [UInt32], argument: Int, FilterVerdict, otherwise: FilterVerdict)

  /// The first verdict if all tests hold, else the other.
  static func when(
    _ tests: [ArgumentTest], _ verdict: FilterVerdict, otherwise: FilterVerdict
  ) -> FilterRule { .whenAny([tests], verdict, otherwise: otherwise) }
}

/// The effect on a system call (`seccomp(2)`).
package enum FilterVerdict: Sendable, Equatable {
  case allow
  /// It fails with this `errno`; for calls that a library can do without.
  case fail(Int32)
  /// It is reported, and SIGSYS ends the process.
  case trap
  /// The process ends at once, without a report.
  case kill
  /// It waits until a listener lets it go on.
  case tell

  /// The value that a filter returns.
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

/// Compares half of an argument, masked, with a value.
///
/// A filter sees 32 bits at a time. The kernel reads flags and descriptors as 32-bit numbers, so
/// the low half is enough for them.
struct ArgumentTest: Sendable {
  enum Half: Sendable { case low, high }
  let argument: Int
  var half = Half.low
  var mask: UInt32 = .max
  let value: UInt32

  static func lacks(_ mask: Int32, argument: Int) -> ArgumentTest {
    ArgumentTest(argument: argument, mask: UInt32(bitPattern: mask), value: 0)
  }

  static func has(_ mask: Int32, argument: Int) -> ArgumentTest {
    let mask = UInt32(bitPattern: mask)
    return ArgumentTest(argument: argument, mask: mask, value: mask)
  }

  /// For a 32-bit argument.
  static func equals(_ value: Int32, argument: Int) -> ArgumentTest {
    ArgumentTest(argument: argument, value: UInt32(bitPattern: value))
  }

  static func isNull(argument: Int) -> [ArgumentTest] {
    [
      ArgumentTest(argument: argument, value: 0),
      ArgumentTest(argument: argument, half: .high, value: 0),
    ]
  }
}
