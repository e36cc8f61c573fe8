import Glibc
import LinuxSystem
package import Protocol

/// Moves the state folder of a core on demand into the service: hands over every file, has the
/// service adopt them in one step, compares the result, and only then puts the folder away.
package struct StateMigration: Sendable {
  private let folder: String
  private let program: String
  private let socket: String

  /// How often the service is asked, and the pause between attempts.
  private static let attempts = 20
  private static let pauseMicroseconds: UInt32 = 100_000

  /// Whether a file is removed with the folder without being part of the state.
  private static func isMadeAnew(_ name: String) -> Bool {
    name.hasPrefix(".") || name == "keychain.sqlite-shm"
  }

  /// - Parameters:
  ///   - folder: the state folder, an absolute path.
  ///   - program: `authcored`, which reads the folder.
  ///   - socket: the service's.
  package init(from folder: String, program: String, socket: String) {
    (self.folder, self.program, self.socket) = (folder, program, socket)
  }

  /// Moves the folder.
  /// - Returns: the new path of the folder, or nil if it was removed.
  /// - Throws: why nothing was moved; the folder is unchanged.
  package func run(removing: Bool) throws(Failure) -> String? {
    guard CoreLocation.isStateFolder(folder) else {
      throw Failure(
        .errSecItemNotFound, "There is no state folder \(folder) to move",
        hint: "Name another one with --home DIR.")
    }
    let core = CoreAccess(to: .folder(folder), program: program)
    let here = try contents(try core.connect())
    guard here.findings.needsRepair == false else {
      throw Failure(
        .stateDamaged, "The keychain of \(folder) is damaged",
        hint: "Run first: authcore --home '\(folder)' keychain repair")
    }
    guard here.status.rootKey != RootKeyPlace.tpm.name else {
      throw Failure(
        .unsupported,
        "The root key of \(folder) is in the TPM, bound to this folder's state",
        hint: "Run first: authcore --home '\(folder)' root-key migrate --to file")
    }
    _ = try core.quit()
    let lock = try lockFolder()
    try give(to: try connect())
    try compare(here, try contentsThere())
    defer { _ = lock.number }
    return try removing ? removeFolder() : renameFolder()
  }

  private func connect() throws(Failure) -> CoreConnection {
    try CoreAccess(to: .service(socket: socket), program: program).connect()
  }

  /// Keeps cores on demand from writing into the folder.
  private func lockFolder() throws(Failure) -> Descriptor {
    let path = folder + "/" + StateFolder.lock
    let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw Self.failure("open", path) }
    let lock = Descriptor(owning: number)
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(
        .busy, "Another core has begun to use \(folder)", hint: "Run the command again.")
    }
    return lock
  }

  private func give(to service: CoreConnection) throws(Failure) {
    for part in StatePart.allCases {
      for name in try names(in: folder + "/" + part.folder) where part.files.contains(name) {
        let path = "\(folder)/\(part.folder)/\(name)"
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { throw Self.failure("read", path) }
        try give(Descriptor(owning: number), at: path, to: service)
        let _: Done = try service.request(GiveStateFile(part: part, name: name))
      }
    }
    let _: Done = try service.request(AdoptState())
  }

  /// Sends the bytes of a file, in at least one message.
  private func give(
    _ file: consuming Descriptor, at path: String, to service: CoreConnection
  ) throws(Failure) {
    var bytes = [UInt8](repeating: 0, count: GiveStateBytes.most)
    var count = 0
    repeat {
      count = unsafe read(file.number, &bytes, bytes.count)
      guard count >= 0 else { throw Self.failure("read", path) }
      let _: Done = try service.request(GiveStateBytes(bytes: Array(bytes[..<count])))
    } while count > 0
  }

  /// The state of a core and its keychain.
  private struct Contents {
    let status: CoreStatus
    let findings: KeychainFindings
  }

  private func contents(_ core: CoreConnection) throws(Failure) -> Contents {
    let status: CoreStatus = try core.request(GetStatus())
    let checked: KeychainChecked = try core.ask(CheckKeychain())
    return Contents(status: status, findings: checked.findings)
  }

  /// Asks the service, where the core that took the files makes way for the next, which reads them.
  private func contentsThere() throws(Failure) -> Contents {
    var last = Failure(.coreFailed, "The service does not use what it was given", hint: Self.kept)
    for _ in 0..<Self.attempts {
      do throws(Failure) {
        return try contents(try connect())
      } catch  where error.code == .systemCancel || error.code == .coreFailed {
        last = error
        usleep(Self.pauseMicroseconds)
      }
    }
    throw last
  }

  private func compare(_ here: Contents, _ there: Contents) throws(Failure) {
    let (own, taken) = (here.status, there.status)
    guard own.isPasscodeSet == taken.isPasscodeSet, own.fingers == taken.fingers,
      own.domainState == taken.domainState, !taken.isRollbackDetected || own.isRollbackDetected,
      here.findings.items == there.findings.items, here.findings.keys == there.findings.keys,
      !there.findings.needsRepair
    else {
      throw Failure(
        .stateDamaged, "The service's state differs from \(folder)", hint: Self.kept)
    }
  }

  private static var kept: String { "Nothing was removed: the folder is unchanged." }

  private func renameFolder() throws(Failure) -> String {
    for number in 0..<1000 {
      let place = folder + ".migrated" + (number == 0 ? "" : "-\(number)")
      guard unsafe access(place, F_OK) != 0 else { continue }
      guard unsafe rename(folder, place) == 0 else {
        throw Failure(
          .storageFailed, "Cannot rename \(folder): \(SystemCallError("rename").reason)",
          hint: "The service has your keychain; the folder is an old copy.")
      }
      return place
    }
    throw Failure(.storageFailed, "There are too many folders \(folder).migrated-…")
  }

  /// Removes what was given to the service; other files stay.
  private func removeFolder() throws(Failure) -> String? {
    for part in StatePart.allCases {
      let path = folder + "/" + part.folder
      for name in try names(in: path)
      where part.files.contains(name) || Self.isMadeAnew(name) {
        _ = unsafe unlink(path + "/" + name)
      }
      _ = unsafe rmdir(path)
    }
    if try names(in: folder).allSatisfy({ name in
      !StatePart.allCases.map(\.folder).contains(name)
    }) {
      for name in try names(in: folder) { _ = unsafe unlink(folder + "/" + name) }
      _ = unsafe rmdir(folder)
    }
    return unsafe access(folder, F_OK) == 0 ? folder : nil
  }

  private func names(in path: String) throws(Failure) -> [String] {
    guard let opened = unsafe opendir(path) else {
      if errno == ENOENT { return [] }
      throw Self.failure("read", path)
    }
    defer { _ = unsafe closedir(opened) }
    var names: [String] = []
    while let entry = unsafe readdir(opened) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func failure(_ verb: String, _ path: String) -> Failure {
    Failure(.storageFailed, "Cannot \(verb) \(path): \(SystemCallError(verb).reason)", hint: kept)
  }
}
