import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// The file of a service in `/etc/pam.d`. It is replaced atomically, keeping owner and mode, where
/// links lead to it.
struct PAMServiceFile {
  /// The path as people name it.
  let path: String
  /// The path with all links resolved.
  private let target: String
  private let status: stat
  let configuration: PAMConfiguration

  /// The longest file of a service, in bytes.
  private static let limit = 1 << 20

  /// Reads the file of `service` below `root`, which is empty for this machine.
  /// - Throws: `usage` for an invalid name, `unsupported` for a file that is not edited here,
  ///   `errSecItemNotFound` if there is none, `storageFailed`.
  init(_ service: String, root: String) throws(Failure) {
    let name = service.printable
    guard Self.isName(service) else {
      throw .usage(
        "\u{201C}\(name)\u{201D} is not the name of a service",
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
      let bytes = DescriptorBytes.read(from: descriptor.number, limit: Self.limit),
      bytes.count <= Self.limit
    else { throw Failure(.unsupported, "\(path.printable) is not a file of a service") }
    self.status = status
    configuration = PAMConfiguration(bytes)
  }

  private static func isName(_ service: String) -> Bool {
    (1...64).contains(service.utf8.count) && service.first != "." && service.first != "-"
      && service.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+@".contains($0))
      }
  }

  /// The path of the copy from before the line was added. PAM ignores it.
  var backup: String { path + Self.backupSuffix }

  static let backupSuffix = ".before-authcore"

  func keepBackup() throws(Failure) {
    var other = stat()
    guard unsafe lstat(backup, &other) != 0 || other.st_mode & S_IFMT != S_IFDIR else {
      throw Failure(
        .storageFailed, "Cannot write \(backup.printable): \(SystemCallError.text(of: EISDIR))",
        hint: "A folder has the name: move it away. Nothing was changed.")
    }
    try write(configuration.bytes, to: backup)
  }

  /// The content of the backup; nil if there is none.
  var backedUp: [UInt8]? { Self.bytes(at: backup) }

  /// The content of a file; nil if it cannot be read.
  static func bytes(at path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    let descriptor = Descriptor(owning: file)
    return DescriptorBytes.read(from: descriptor.number, limit: limit)
      .flatMap { $0.count <= limit ? $0 : nil }
  }

  func removeBackup() { unsafe unlink(backup) }

  /// Replaces the content. A program that reads the file sees the old or the new one.
  /// - Throws: `busy` if somebody has changed it meanwhile. After a failure nothing is changed.
  func replace(with bytes: [UInt8]) throws(Failure) {
    var now = stat()
    guard unsafe stat(target, &now) == 0, FileIdentity(now) == FileIdentity(status) else {
      throw Failure(.busy, "\(path.printable) is being changed by somebody else", hint: "try again")
    }
    try write(bytes, to: target)
  }

  private func write(_ bytes: [UInt8], to place: String) throws(Failure) {
    let file = try WholeFile(place, replaces: true, hint: "Nothing was changed.")
    try file.take(rightsOf: status)
    try file.write(bytes.span)
    try file.finish()
  }

  private static func cannotRead(_ path: String) -> Failure {
    let error = SystemCallError("open")
    return Failure(
      error.isOfPath ? .usage : .storageFailed, "Cannot read \(path.printable): \(error.reason)",
      hint: error.isOfPath ? "ls -l \(path.printable) shows where it leads." : nil)
  }
}
