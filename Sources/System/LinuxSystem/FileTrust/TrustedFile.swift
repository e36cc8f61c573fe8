import CSystemCalls
package import Glibc
package import Protocol

/// A file that only root and the caller can have put where it lies, and that nobody else can
/// change.
///
/// Trust is by place: the file and every folder on its canonical path belong to root or the caller,
/// and nobody else may write them. Because nobody else can, what was checked is still what lies
/// there when it is loaded.
package struct TrustedFile: Equatable, Sendable {
  /// The canonical path.
  package let path: String
  /// Which file, in which state, it was when it was checked.
  package let identity: FileIdentity

  /// Checks a file and its folders.
  /// - Parameters:
  ///   - path: followed through symbolic links to its canonical form.
  ///   - missing: the code of the failure when there is no such file.
  /// - Throws: `missing`, or `untrustedPlugin` with the file, the reason and the command that mends
  ///   it.
  package init(checking path: String, missing: FailureCode = .driverNotFound) throws(Failure) {
    guard let canonical = unsafe realpath(path, nil) else {
      throw Failure(missing, "Cannot load \(path): \(SystemCallError("realpath").reason)")
    }
    defer { unsafe free(canonical) }
    self.path = unsafe String(cString: canonical)
    let judge = OwnershipRules.ofCaller
    let number = unsafe ac_open_at(AT_FDCWD, canonical, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC, 0)
    guard number >= 0 else {
      throw Failure(missing, "Cannot load \(self.path): \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.untrustedPlugin, "Cannot load \(self.path): it is no file")
    }
    identity = FileIdentity(status)
    if let objection = judge.objection(to: status, at: self.path, as: .file) {
      throw objection.failure(loading: self.path)
    }
    var place = OwnershipRules.Place.ownFolder
    var folder = self.path
    while let slash = folder.lastIndex(of: "/"), folder != "/" {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
      var status = stat()
      guard unsafe lstat(folder, &status) == 0 else {
        throw Failure(
          .untrustedPlugin,
          "Cannot load \(self.path): its folder \(folder) cannot be examined: "
            + SystemCallError("lstat").reason)
      }
      if let objection = judge.objection(to: status, at: folder, as: place) {
        throw objection.failure(loading: self.path)
      }
      place = .ancestor
    }
  }

  private static let pathOnly: Int32 = 0o10_000_000  // O_PATH
}

extension FileIdentity {
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(bitPattern: Int64(status.st_size)),
      modificationSeconds: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
      modificationNanoseconds: UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
      changeSeconds: UInt64(bitPattern: Int64(status.st_ctim.tv_sec)),
      changeNanoseconds: UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)))
  }
}
