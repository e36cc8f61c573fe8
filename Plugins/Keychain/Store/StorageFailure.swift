import GRDB
import Protocol

/// SQLite's result codes in words (sqlite.org/rescode.html).
enum StorageFailure {
  /// The failure for an error that ended a transaction. `room` is in bytes.
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
    // A header with an unknown format or text encoding has no code of its own.
    case .SQLITE_ERROR where headerComplaints.contains(error.message ?? ""):
      return damaged(file, "is damaged: \(error.message ?? "")")
    // Unwritten pages are in no file yet.
    case .SQLITE_FULL where Int(file.size ?? 0) + file.bytesPutAside > room - room / 4:
      return full(file, room: room)
    case .SQLITE_FULL:
      return cannotUse(file, reason: "no space is left on the device")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return cannotUse(file, reason: "it may not be written")
    default:
      // SQLite's own text for the code, without values of rows.
      return cannotUse(file, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }

  /// Texts from sqlite3InitOne.
  private static let headerComplaints: Set = [
    "unsupported file format",
    "attached databases must use the same text encoding as main database",
  ]

  static func damaged(_ file: DatabaseFile, _ what: String) -> Failure {
    Failure(
      .stateDamaged, "the keychain \(file.path) \(what); it was left untouched",
      hint: "have what can be read of it recovered: authcore keychain repair")
  }

  /// A keychain that the enclave knows is not in its file.
  static func gone(_ file: DatabaseFile, _ what: String) -> Failure {
    Failure(
      .stateDamaged,
      "this device has a keychain, but its file \(file.path) \(what); no other was begun",
      hint: """
        put the file and its -wal file back from a copy, or give the keychain up and begin an empty \
        one: authcore keychain repair
        """)
  }

  /// A repair would leave an empty keychain.
  static func unreadable(_ file: DatabaseFile) -> Failure {
    Failure(
      .stateDamaged, "no item of the keychain \(file.path) can be read; it was left untouched",
      hint: """
        put the file and its -wal file back from a copy, or give the keychain up and begin an empty \
        one: authcore keychain repair --yes
        """)
  }

  static func full(_ file: DatabaseFile, room: Int) -> Failure {
    Failure(
      .storageFailed,
      "the keychain \(file.path) is full: it may take \(room >> 20) MiB; nothing was changed",
      hint: "remove items, or have removed what was put aside beside it: \(file.path).…")
  }

  static func strange(_ file: DatabaseFile, _ name: String) -> Failure {
    let name = String(name.prefix(64)).withoutSteering
    return Failure(
      .stateDamaged,
      "the keychain \(file.path) holds \(name), which authcore did not make; it was left untouched",
      hint: "have a keychain made of its items and keys alone: authcore keychain repair")
  }

  static func cannotUse(_ file: DatabaseFile, reason: String) -> Failure {
    Failure(
      .storageFailed, "the keychain \(file.path) cannot be used: \(reason); nothing was changed",
      hint: "check free space and permissions of the folder")
  }
}

extension DatabaseFile {
  /// Runs `body`, whose errors are those of this file.
  func using<Value>(room: Int = .max, _ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw StorageFailure.describe(error, in: self, room: room)
    }
  }
}
