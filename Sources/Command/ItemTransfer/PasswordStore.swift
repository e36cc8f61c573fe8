import Glibc
import LinuxSystem
package import Protocol

/// The store of pass (passwordstore.org): a folder of files that gpg has encrypted.
package struct PasswordStore {
  package let path: String
  private let gpg: GPGDecryption

  /// The depth of folders that is searched.
  private static let deepest = 32
  private static let ending = ".gpg"

  /// Finds it in `PASSWORD_STORE_DIR`, or in `.password-store` in the home folder.
  /// - Parameter environment: "NAME=value" entries. gpg gets them to find its keys and where to
  ///   ask.
  /// - Throws: `errSecNotAvailable` without gpg, or without a home folder.
  package init(environment: [String]) throws(Failure) {
    func value(_ name: String) -> String? {
      environment.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    gpg = try GPGDecryption(environment: environment)
    if let folder = value("PASSWORD_STORE_DIR"), !folder.isEmpty {
      path = folder
    } else if let home = value("HOME"), !home.isEmpty {
      path = home + "/.password-store"
    } else {
      throw Failure(
        .errSecNotAvailable, "Nothing says where the store of pass is",
        hint: "Set PASSWORD_STORE_DIR to its folder.")
    }
  }

  /// Gives every entry to `receiver`, sorted by name. Symbolic links are not followed, so that
  /// nothing outside of the store is read.
  /// - Throws: `errSecNotAvailable` without a store, `userCancel` if the person cancels gpg's
  ///   prompt, and what the receiver throws.
  package func readItems(to receiver: any ImportReceiver) throws(Failure) {
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      throw Failure(
        .errSecNotAvailable,
        "There is no store of pass at \(path): \(SystemCallError.text(of: errno))",
        hint: "Set PASSWORD_STORE_DIR to its folder.")
    }
    try read(Descriptor(owning: number), named: "", depth: 0, receiver)
  }

  private func read(
    _ folder: borrowing Descriptor, named name: String, depth: Int, _ receiver: any ImportReceiver
  ) throws(Failure) {
    guard let names = FolderListing.names(in: folder) else {
      return receiver.skip(SkippedEntry(origin: name, reason: "the folder cannot be read"))
    }
    // Names that begin with a dot belong to Git and pass.
    for entry in names.sorted() where !entry.hasPrefix(".") {
      let path = name.isEmpty ? entry : "\(name)/\(entry)"
      guard !entry.contains("\u{FFFD}") else {
        receiver.skip(SkippedEntry(origin: path, reason: "its name is not UTF-8"))
        continue
      }
      let number = unsafe openat(
        folder.number, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else {
        let reason =
          errno == ELOOP
          ? "it is a symbolic link, which is not followed" : SystemCallError.text(of: errno)
        receiver.skip(SkippedEntry(origin: path, reason: reason))
        continue
      }
      let opened = Descriptor(owning: number)
      var status = stat()
      guard unsafe fstat(opened.number, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if depth < Self.deepest {
          try read(opened, named: path, depth: depth + 1, receiver)
        } else {
          receiver.skip(SkippedEntry(origin: path, reason: "it lies too deep in the store"))
        }
      } else if status.st_mode & S_IFMT == S_IFREG, entry.hasSuffix(Self.ending) {
        try readEntry(opened, named: String(path.dropLast(Self.ending.count)), receiver)
      } else {
        receiver.skip(SkippedEntry(origin: path, reason: "it is not a file of gpg"))
      }
    }
  }

  private func readEntry(
    _ file: borrowing Descriptor, named name: String, _ receiver: any ImportReceiver
  ) throws(Failure) {
    switch try gpg.decrypt(file) {
    case .plain(let text):
      try FoundEntry(inPasswordStore: text, named: name).give(to: receiver)
    case .refused(let reason):
      receiver.skip(SkippedEntry(origin: name, reason: reason))
    }
  }
}

private enum FolderListing {
  /// - Returns: the names, with U+FFFD for invalid UTF-8; nil if it cannot be read.
  static func names(in folder: borrowing Descriptor) -> [String]? {
    let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    // The stream owns the copy.
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return nil
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // d_name ends with NUL (readdir(3)).
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

extension FoundEntry {
  /// The fields of lines by their names.
  private static let lineNames: [String: EntryField] = [
    "login": .account, "user": .account, "username": .account, "email": .email, "url": .address,
    "uri": .address, "website": .address, "totp": .code, "otp": .code, "hotp": .code,
  ]

  /// Parses an entry of pass. The first line is the password. Further lines are an account, an
  /// address, a maker of one-time passwords, or notes. Data, and a key in PEM, is a secret as a
  /// whole.
  init(inPasswordStore text: borrowing SecretBytes, named name: String) {
    self.init(origin: name)
    title = name
    let bytes = text.bytes
    guard bytes.isText, !Self.isPEM(bytes) else {
      password = text.duplicate()
      return
    }
    let firstEnd = Self.lineEnd(in: bytes, from: 0)
    password = SecretBytes(copying: bytes.extracting(0..<firstEnd))
    var notes = SecretText(limit: bytes.count)
    var start = firstEnd + 1
    while start < bytes.count {
      let end = Self.lineEnd(in: bytes, from: start)
      let line = bytes.extracting(start..<end)
      if !take(line: line) {
        if notes.count > 0 { notes.append("\n") }
        notes.append(line)
      }
      start = end + 1
    }
    self.notes = notes.finish()
  }

  /// Takes a line that is not notes.
  private mutating func take(line: Span<UInt8>) -> Bool {
    guard !line.begins(with: "otpauth://"), !line.begins(with: "steam://") else {
      take(.code, line)
      return true
    }
    guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }),
      let start = (colon + 1..<line.count).first(where: { line[$0] != UInt8(ascii: " ") })
    else { return false }
    let value = line.extracting(start..<line.count)
    let name = line.extracting(0..<colon).text?.lowercased() ?? ""
    let field = value.begins(with: "otpauth://") ? .code : Self.lineNames[name]
    guard let field else { return false }
    take(field, value)
    return true
  }

  private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    return index
  }

  private static func isPEM(_ bytes: Span<UInt8>) -> Bool { bytes.begins(with: "-----BEGIN ") }
}
