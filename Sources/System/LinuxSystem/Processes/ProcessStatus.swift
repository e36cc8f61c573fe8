import CSystemCalls
import Glibc

/// The public status of a process (`/proc/PID/stat`, proc(5)).
package struct ProcessStatus: Equatable, Sendable {
  package enum TerminalUse: Sendable {
    /// Its process group gets the terminal's input.
    case foreground
    case background
    /// No controlling terminal.
    case none
  }

  package let terminal: TerminalUse
  /// The number of the controlling terminal's device, as `st_rdev` has it; 0 for none.
  package let terminalDevice: UInt64
  /// In ticks since boot; tells processes of one id apart.
  package let startTime: UInt64
  /// The process that started it, or that took it over; 0 for none in this process's namespace.
  package let parent: Int32
  /// Whether it has ended and only waits to be noticed: it has no descriptors any more.
  package let hasEnded: Bool

  package init(
    terminal: TerminalUse, terminalDevice: UInt64, startTime: UInt64, parent: Int32,
    hasEnded: Bool = false
  ) {
    self.terminal = terminal
    self.terminalDevice = terminalDevice
    self.startTime = startTime
    self.parent = parent
    self.hasEnded = hasEnded
  }

  /// Whether both are in the foreground of the same terminal.
  package func sharesForeground(with other: ProcessStatus) -> Bool {
    terminal == .foreground && other.terminal == .foreground
      && terminalDevice == other.terminalDevice
  }

  /// Nil if there is no such process in this process's namespace, or it may not be seen.
  package init?(of process: Int32) {
    guard process > 0, let bytes = SmallFile.contents(of: "/proc/\(process)/stat") else {
      return nil
    }
    self.init(parsing: bytes)
  }

  /// Parses a line. The program's name is in brackets and may hold brackets too: the fields come
  /// after the last one.
  package init?(parsing line: [UInt8]) {
    guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { String(decoding: $0, as: UTF8.self) }
    // State is the third field of the line and the first of these.
    func field(_ number: Int) -> String? {
      number - 3 < fields.count ? fields[number - 3] : nil
    }
    guard let state = field(3), let parent = field(4).flatMap({ Int32($0) }),
      let group = field(5).flatMap({ Int32($0) }),
      let device = field(7).flatMap({ Int32($0) }).map({ UInt64(UInt32(bitPattern: $0)) }),
      let foreground = field(8).flatMap({ Int32($0) }),
      let start = field(22).flatMap({ UInt64($0) })
    else { return nil }
    terminal = device == 0 ? .none : foreground == group ? .foreground : .background
    terminalDevice = device
    startTime = start
    self.parent = parent
    hasEnded = state == "Z" || state == "X"
  }
}

/// The user who had logged in when a process was started (`/proc/PID/loginuid`, pam_loginuid(8)).
/// Child processes inherit it and cannot change it.
package enum LoginUser {
  /// The kernel's value for no user.
  private static let nobody = UInt32.max

  /// - Parameter process: its id in this process's namespace.
  /// - Returns: nil if nobody had logged in, as with services and login programs, or if unknown.
  package static func of(_ process: Int32) -> UInt32? {
    guard process > 0, let bytes = SmallFile.contents(of: "/proc/\(process)/loginuid"),
      let user = UInt32(String(decoding: bytes, as: UTF8.self)), user != nobody
    else { return nil }
    return user
  }
}

/// The number of threads of a process (`proc_pid_status(5)`), even one that cannot be traced.
package enum ProcessThreads {
  /// - Parameter identifier: of a process that was not reaped.
  /// - Returns: nil if `/proc` does not say.
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

/// The user database (`getpwuid_r(3)`, `nsswitch.conf(5)`).
package enum UserAccount {
  /// Most bytes of an entry.
  private static let limit = 1 << 20

  /// The name of an account; nil if there is none. May take as long as a directory on the network.
  /// - Throws: if the database does not answer.
  package static func name(of user: UInt32) throws(SystemCallError) -> String? {
    var size = 1 << 10
    while true {
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var buffer = [CChar](repeating: 0, count: size)
      // If a source cannot be asked, glibc returns the present errno, even an old one.
      errno = 0
      let problem = unsafe getpwuid_r(user, &entry, &buffer, size, &found)
      switch problem {
      case 0: return unsafe found.map { entry in unsafe String(cString: entry.pointee.pw_name) }
      case EINTR: continue
      case ERANGE where size < limit: size *= 4
      default: throw SystemCallError("getpwuid_r", number: problem)
      }
    }
  }
}
