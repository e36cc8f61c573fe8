import GRDB
import Protocol

/// What SQLite's result codes mean to a person (sqlite.org/rescode.html).
enum StorageFailure {
  /// The failure for an error that ended a transaction. `room` is what the file may take on the disk.
  static func describe(
    _ error: any Error, in file: DatabaseFile, room: Int = .max
  ) -> Failure {
    if let failure = error as? Failure { return failure }
    guard let error = error as? DatabaseError else {
      return cannotUse(file, reason: "\(type(of: error))")
    }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return Failure(
        .busy, "another process is using the keychain \(file.path)",
        hint: "try again when it has finished; nothing was changed")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT:
      return damaged(file, "is damaged, cut short or no database")
    // A header that names a format or an encoding of text which there is not has no code of its own.
    case .SQLITE_ERROR where headerComplaints.contains(error.message ?? ""):
      return damaged(file, "is damaged: \(error.message ?? "")")
    // Pages that are not written yet are in no file.
    case .SQLITE_FULL where Int(file.size ?? 0) + file.bytesPutAside > room - room / 4:
      return full(file, room: room)
    case .SQLITE_FULL:
      return cannotUse(file, reason: "no space is left on the device")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return cannotUse(file, reason: "it may not be written")
    default:
      // The text is SQLite's own for the code; it holds no value of a row.
      return cannotUse(file, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }

  /// What SQLite says of them (sqlite3InitOne).
  private static let headerComplaints: Set = [
    "unsupported file format",
    "attached databases must use the same text encoding as main database",
  ]

  /// The file is there and not usable; it is left as it is.
  static func damaged(_ file: DatabaseFile, _ what: String) -> Failure {
    Failure(
      .stateDamaged, "the keychain \(file.path) \(what); it was left untouched",
      hint:
        "restore it from a backup, or move it and its -wal file away to begin with an empty keychain"
    )
  }

  /// The keychain has all the room that it may have.
  static func full(_ file: DatabaseFile, room: Int) -> Failure {
    Failure(
      .storageFailed,
      "the keychain \(file.path) is full: it may take \(room >> 20) MiB; nothing was changed",
      hint: "remove items, or have removed what was put aside beside it: \(file.path).…")
  }

  /// The file holds a table, an index, a view or a trigger that no keychain has.
  static func strange(_ file: DatabaseFile, _ name: String) -> Failure {
    let name = String(name.prefix(64)).withoutSteering
    return Failure(
      .stateDamaged,
      "the keychain \(file.path) holds \(name), which authcore did not make; it was left untouched",
      hint: "have a keychain made of its items and keys alone: authcore keychain repair")
  }

  /// The file cannot be read or written.
  static func cannotUse(_ file: DatabaseFile, reason: String) -> Failure {
    Failure(
      .storageFailed, "the keychain \(file.path) cannot be used: \(reason); nothing was changed",
      hint: "check free space and permissions of the folder")
  }
}
