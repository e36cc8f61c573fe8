import CSystemCalls
import Glibc
package import Sandbox

/// Runs a filter as the kernel does, so that a test can ask for the verdict on a call without making
/// it.
package struct FilterInterpreter {
  private let program: [sock_filter]
  /// As `struct seccomp_data` has it.
  package var architecture: UInt32 = {
    #if arch(x86_64)
      0xc000_003e
    #else
      0xc000_00b7
    #endif
  }()

  /// Of one filter.
  package init(_ filter: SystemCallFilter) { program = filter.instructions }

  /// The value the program returns, or nil when it is no valid program.
  private func run(_ call: Int32, _ arguments: [UInt64] = []) -> UInt32? {
    var words = [UInt32(bitPattern: call), architecture, 0, 0]
    for index in 0..<6 {
      let argument = index < arguments.count ? arguments[index] : 0
      words += [UInt32(truncatingIfNeeded: argument), UInt32(truncatingIfNeeded: argument >> 32)]
    }
    var accumulator: UInt32 = 0
    var counter = 0
    while counter < program.count {
      let instruction = program[counter]
      counter += 1
      switch Int32(instruction.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        guard instruction.k % 4 == 0, instruction.k / 4 < words.count else { return nil }
        accumulator = words[Int(instruction.k / 4)]
      case BPF_ALU | BPF_AND | BPF_K: accumulator &= instruction.k
      case BPF_JMP | BPF_JEQ | BPF_K:
        counter += Int(accumulator == instruction.k ? instruction.jt : instruction.jf)
      case BPF_JMP | BPF_JGE | BPF_K:
        counter += Int(accumulator >= instruction.k ? instruction.jt : instruction.jf)
      case BPF_RET | BPF_K: return instruction.k
      default: return nil
      }
    }
    return nil
  }

  /// What becomes of a call; nil when the filter is no valid program. Arguments that are left out
  /// are 0.
  package func verdict(_ call: Int32, _ arguments: UInt64...) -> FilterVerdict? {
    verdict(call, given: arguments)
  }

  /// As ``verdict(_:_:)``.
  package func verdict(_ call: Int32, given arguments: [UInt64]) -> FilterVerdict? {
    guard let value = run(call, arguments) else { return nil }
    switch value & 0xffff_0000 {
    case FilterVerdict.allow.value: return .allow
    case FilterVerdict.trap.value: return .trap
    case FilterVerdict.kill.value: return .kill
    case FilterVerdict.fail(0).value: return .fail(Int32(value & 0xffff))
    default: return nil
    }
  }
}
