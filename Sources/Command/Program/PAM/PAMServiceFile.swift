import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// The file of a service in `/etc/pam.d`, and how it is replaced: at once and whole, with its owner
/// and mode, at the end of whatever links lead to it.
struct PAMServiceFile {
  /// As people name it.
  let path: String
  /// Where the file itself lies.
  private let target: String
  private let status: stat
  /// What is in it.
  let configuration: PAMConfiguration

  /// No file of a service is longer, in bytes.
  private static let limit = 1 << 20

  /// The file of `service` below `root`, which is empty for that of the machine.
  /// - Throws: `usage` for what names no service, `unsupported` for one that is not edited here,
  ///   `errSecItemNotFound` where there is none, `storageFailed`.
  init(_ service: String, root: String) throws(Failure) {
    let name = service.printable
    guard Self.isName(service) else {
      throw Failure(
        .usage, "\u{201C}\(name)\u{201D} is no name of a service",
        hint: "a file of /etc/pam.d, such as sudo")
    }
    guard !service.hasPrefix("common-") else {
      throw Failure(
        .unsupported, "\(name) is read by every service, and kept by pam-auth-update",
        hint: "sudo pam-auth-update --enable authcore; or enable one service, such as sudo")
    }
    path = "\(root)/etc/pam.d/\(service)"
    guard let canonical = CanonicalPath.of(path) else {
      guard errno == ENOENT else { throw Self.cannotRead(path) }
      throw Failure(
        .errSecItemNotFound, "There is no \(path.printable)",
        hint: "ls \(root)/etc/pam.d shows the services of this machine")
    }
    target = canonical
    if !root.isEmpty, !target.hasPrefix(root + "/") {
      throw Failure(.unsupported, "\(path.printable) leads out of \(root.printable)")
    }
    let file = unsafe open(target, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw Self.cannotRead(path) }
    let descriptor = Descriptor(owning: file)
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.limit
    else { throw Failure(.unsupported, "\(path.printable) is no file of a service") }
    self.status = status
    configuration = PAMConfiguration(try Self.contents(of: descriptor, path))
  }

  private static func isName(_ service: String) -> Bool {
    !service.isEmpty && service.utf8.count <= 64 && service.first != "." && service.first != "-"
      && service.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_.+@".utf8.contains(byte)
        }
      }
  }

  private static func contents(
    of file: borrowing Descriptor, _ path: String
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let count = unsafe read(file.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw cannotRead(path) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
    throw Failure(.unsupported, "\(path.printable) is too long for the file of a service")
  }

  // MARK: The way back

  /// A copy from before the line was added. PAM looks for services by their whole names only.
  var backup: String { path + Self.backupSuffix }

  /// What the name of such a copy ends in.
  static let backupSuffix = ".before-authcore"

  /// Keeps what is there.
  func keepBackup() throws(Failure) { try write(configuration.bytes, to: backup) }

  /// What the backup holds; nil where there is none.
  var backedUp: [UInt8]? { Self.bytes(at: backup) }

  /// What a file beside it holds; nil where it cannot be read.
  static func bytes(at path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    return try? contents(of: Descriptor(owning: file), path)
  }

  /// The backup is not needed any more.
  func removeBackup() { unsafe unlink(backup) }

  // MARK: Writing

  /// Replaces what is in it.
  /// - Throws: `busy` where somebody has changed it meanwhile; nothing is changed then, or after
  ///   any other failure.
  func replace(with bytes: [UInt8]) throws(Failure) {
    var now = stat()
    guard unsafe stat(target, &now) == 0, FileIdentity(now) == FileIdentity(status) else {
      throw Failure(
        .busy, "\(path.printable) is being changed by somebody else", hint: "try again")
    }
    try write(bytes, to: target)
  }

  /// Another name first: whoever reads the file meanwhile finds the one or the other.
  private func write(_ bytes: [UInt8], to place: String) throws(Failure) {
    let temporary = "\(place).authcore-\(getpid())"
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Self.cannotWrite(place) }
    let file = Descriptor(owning: number)
    var isWritten = fchown(number, status.st_uid, status.st_gid) == 0
    isWritten = isWritten && fchmod(number, status.st_mode & 0o7777) == 0
    var rest = bytes[...]
    while isWritten, !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      isWritten = count > 0
      rest = rest.dropFirst(max(0, count))
    }
    isWritten = isWritten && fsync(file.number) == 0
    isWritten = unsafe isWritten && rename(temporary, place) == 0
    guard isWritten else {
      let failure = Self.cannotWrite(place)
      unsafe unlink(temporary)
      throw failure
    }
    syncFolder(of: place)
  }

  /// The name is lost with the power until its folder is on the disk, too (fsync(2)).
  private func syncFolder(of place: String) {
    let end = place.lastIndex(of: "/") ?? place.startIndex
    let number = unsafe open(String(place[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }

  private static func cannotRead(_ path: String) -> Failure {
    let error = SystemCallError("open")
    return Failure(
      error.isOfPath ? .usage : .storageFailed, "Cannot read \(path.printable): \(error.reason)",
      hint: error.isOfPath ? "ls -l \(path.printable) shows where it leads." : nil)
  }

  private static func cannotWrite(_ path: String) -> Failure {
    let error = SystemCallError("write")
    return Failure(
      .storageFailed, "Cannot write \(path.printable): \(error.reason)",
      hint: error.number == EISDIR
        ? "A folder has the name: move it away. Nothing was changed." : "Nothing was changed.")
  }
}
