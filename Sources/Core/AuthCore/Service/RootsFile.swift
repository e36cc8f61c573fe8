import Glibc
import LinuxSystem
import Protocol

/// A text that the service obeys, so only root may have written it.
struct RootsFile: Sendable {
  let path: String

  private static let longest = 64 << 10

  /// - Returns: nil if there is no file.
  /// - Throws: `coreFailed` with file and reason.
  func text() throws(Failure) -> String? {
    guard let canonical = try canonicalPath() else { return nil }
    let number = unsafe open(canonical, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("it cannot be opened: \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var facts = stat()
    guard unsafe fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is no file")
    }
    try requireRoot(facts, canonical)
    try requireRootsFolders(of: canonical)
    return try text(in: file)
  }

  /// The path without links; nil if there is no file.
  private func canonicalPath() throws(Failure) -> String? {
    if let found = CanonicalPath.of(path) { return found }
    if errno == ENOENT { return nil }
    throw failure("it cannot be opened: \(SystemCallError("realpath").reason)")
  }

  /// Checks the folders that lead to the file: one who may write into a folder can replace what is
  /// in it. In a sticky folder of root, such as /tmp, only if it is the file's own.
  private func requireRootsFolders(of file: String) throws(Failure) {
    var folder = file
    var isOwn = true
    while folder != "/", let slash = folder.lastIndex(of: "/") {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
      var facts = stat()
      guard unsafe lstat(folder, &facts) == 0 else {
        throw failure("its folder \(folder) cannot be examined: \(SystemCallError("lstat").reason)")
      }
      let isSticky = facts.st_uid == 0 && facts.st_mode & S_ISVTX != 0
      if isOwn || !isSticky { try requireRoot(facts, folder) }
      isOwn = false
    }
  }

  private func requireRoot(_ facts: stat, _ place: String) throws(Failure) {
    guard !RootOwnedPath.isRootAlone(facts) else { return }
    let remedy = facts.st_uid == 0 ? "chmod go-w \(place)" : "chown root \(place)"
    throw failure("somebody besides root may change \(place); run: \(remedy)")
  }

  private func text(in file: borrowing Descriptor) throws(Failure) -> String {
    guard let bytes = DescriptorBytes.read(from: file.number, limit: Self.longest) else {
      throw failure("it cannot be read: \(SystemCallError("read").reason)")
    }
    guard bytes.count <= Self.longest else {
      throw failure("it is longer than \(Self.longest) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("it is no UTF-8 text")
    }
    return text
  }

  private func failure(_ reason: String) -> Failure {
    Failure(.coreFailed, "\(path): \(reason)", hint: "see docs/administration.md")
  }
}
