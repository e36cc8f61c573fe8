import CSystemCalls
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

/// What the user database says, wherever it is kept (`getpwuid_r(3)`, `nsswitch.conf(5)`).
package enum UserAccount {
  /// Bytes that an entry may have.
  private static let limit = 1 << 20

  /// The name of the account that has a number; nil where none has. May take as long as a directory on
  /// the network does to answer.
  /// - Throws: where the database does not say; it may have the account or not.
  package static func name(of user: UInt32) throws(SystemCallError) -> String? {
    var size = 1 << 10
    while true {
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var buffer = [CChar](repeating: 0, count: size)
      // Where a source cannot be asked glibc returns whatever errno is, an earlier call's too.
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
