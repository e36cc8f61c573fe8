import Glibc
import LinuxSystem
import Protocol

/// A state folder that was found to be the caller's alone, held open so that it stays the one that
/// was looked at.
struct OpenStateFolder: ~Copyable {
  private let descriptor: Descriptor

  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Opens and checks the folder.
  /// - Returns: nil where there is none yet.
  /// - Throws: `usage` where it can be no folder, `coreFailed` where it belongs to somebody else or others may enter it.
  static func open(_ path: String) throws(Failure) -> OpenStateFolder? {
    let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      let error = SystemCallError("open")
      if error.number == ENOENT { return nil }
      throw Failure(
        error.isOfPath ? .usage : .coreFailed,
        "Cannot open the state folder \(path): \(error.reason)",
        hint: "Name a folder of your own with --home DIR.")
    }
    let folder = OpenStateFolder(descriptor: Descriptor(owning: number))
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else {
      throw Failure(
        .coreFailed, "Cannot look at the state folder \(path): \(SystemCallError.text(of: errno))")
    }
    guard status.st_uid == geteuid() else {
      throw Failure(
        .coreFailed, "The state folder \(path) belongs to another user (uid \(status.st_uid))",
        hint: "Name a folder of your own with --home DIR.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .coreFailed,
        "The state folder \(path) can be entered by others (mode "
          + String(status.st_mode & 0o777, radix: 8) + ")",
        hint: "Run: chmod 700 '\(path)'")
    }
    return folder
  }

  /// Whether a folder is there and is the caller's alone.
  static func isThere(_ path: String) -> Bool {
    do throws(Failure) {
      switch try open(path) {
      case .some: return true
      case nil: return false
      }
    } catch {
      return false
    }
  }

  /// The path of the core's socket, short enough for `sockaddr_un` however long the folder's own is
  /// (unix(7): 108 bytes).
  var socketPath: String { "/proc/self/fd/\(descriptor.number)/\(StateFolder.socket)" }
}
