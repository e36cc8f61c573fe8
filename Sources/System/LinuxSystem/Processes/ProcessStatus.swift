import Glibc

/// What the kernel tells everybody of a process (`/proc/PID/stat`, proc(5)).
package struct ProcessStatus: Equatable, Sendable {
  /// What a process has to do with its controlling terminal.
  package enum TerminalUse: Sendable {
    /// Its process group is the one that the terminal's keys go to.
    case foreground
    case background
    /// It has no controlling terminal.
    case none
  }

  package let terminal: TerminalUse
  /// When it was started, in ticks since boot: two processes of one number differ in this.
  package let startTime: UInt64

  /// Describes a process.
  package init(terminal: TerminalUse, startTime: UInt64) {
    (self.terminal, self.startTime) = (terminal, startTime)
  }

  /// Asks about the process of a number in this process's namespace; nil where there is none, or
  /// none that may be seen.
  package init?(of process: Int32) {
    guard process > 0, let bytes = SmallFile.contents(of: "/proc/\(process)/stat") else {
      return nil
    }
    self.init(parsing: bytes)
  }

  /// Takes a line apart. The name of the program is in brackets and may hold anything, brackets
  /// too: what counts comes after the last one.
  package init?(parsing line: [UInt8]) {
    guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { String(decoding: $0, as: UTF8.self) }
    // State is the third field of the line and the first of these.
    func field(_ number: Int) -> String? {
      number - 3 < fields.count ? fields[number - 3] : nil
    }
    guard let group = field(5).flatMap({ Int32($0) }),
      let device = field(7).flatMap({ Int32($0) }),
      let foreground = field(8).flatMap({ Int32($0) }),
      let start = field(22).flatMap({ UInt64($0) })
    else { return nil }
    terminal = device == 0 ? .none : foreground == group ? .foreground : .background
    startTime = start
  }
}

/// Who had logged in when a process was started, on whatever way it came about (`/proc/PID/loginuid`,
/// pam_loginuid(8)). A process hands it on to what it starts, and cannot take it back.
package enum LoginUser {
  /// What the kernel says where nobody had.
  private static let nobody = UInt32.max

  /// - Parameter process: its number, in this process's namespace.
  /// - Returns: nil where nobody had logged in, as it is with services and with what logs people in,
  ///   and where the kernel does not say.
  package static func of(_ process: Int32) -> UInt32? {
    guard process > 0, let bytes = SmallFile.contents(of: "/proc/\(process)/loginuid"),
      let user = UInt32(String(decoding: bytes, as: UTF8.self)), user != nobody
    else { return nil }
    return user
  }
}
