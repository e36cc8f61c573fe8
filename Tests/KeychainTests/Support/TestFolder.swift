import Foundation
import GRDB

/// A folder of its own for each test, gone with the test. In memory where there is such a place: a
/// keychain waits for its disk with every change.
final class TestFolder {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = parent + "/keychain-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  var database: String { path + "/keychain.sqlite" }

  /// What lies in the folder, by name, without the index of a log.
  var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where !name.hasSuffix("-shm") {
        files[name] = try contents(of: path + "/" + name)
      }
      return files
    }
  }

  /// Puts files into it.
  func write(_ files: [String: Data]) throws {
    for (name, bytes) in files { try KeychainTests.write(bytes, to: path + "/" + name) }
  }

  /// Every byte that lies in the folder.
  var everything: [UInt8] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path).flatMap {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)))
      }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What most suites begin with: an empty keychain in a folder of its own.
class OneKeychain {
  let folder: TestFolder
  let keychain: TestKeychain

  init() throws {
    folder = try TestFolder()
    keychain = try TestKeychain(folder)
  }
}

/// And another device, whose enclave has other keys.
class TwoKeychains: OneKeychain {
  let otherFolder: TestFolder
  let other: TestKeychain

  override init() throws {
    otherFolder = try TestFolder()
    other = try TestKeychain(otherFolder)
    other.enclave.erase()
    try super.init()
  }
}

/// Whether `bytes` hold `part` somewhere.
func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  Data(bytes).range(of: Data(part)) != nil
}

/// Changes a database behind the keychain's back.
func tamper(_ folder: TestFolder, _ body: (Database) throws -> Void) throws {
  let queue = try DatabaseQueue(path: folder.database)
  try queue.writeWithoutTransaction(body)
  try queue.close()
}

/// Flips one bit in the middle of a column of every row.
func flipBit(of column: String, in folder: TestFolder, table: String = "items") throws {
  try tamper(folder) { database in
    let rows = try Row.fetchAll(database, sql: "SELECT sequence, \(column) AS bytes FROM \(table)")
    for row in rows {
      var bytes: Data = row["bytes"]
      bytes[bytes.count / 2] ^= 4
      let sequence: Int64 = row["sequence"]
      try database.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE sequence = ?", arguments: [bytes, sequence])
    }
  }
}

func contents(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

func write(_ data: Data, to path: String) throws {
  try data.write(to: URL(fileURLWithPath: path))
}

/// Makes a keychain of this version one of an older version, which the next request brings forward.
enum OlderSchema {
  /// Before there were classes and groups.
  static let withoutClasses = """
    DROP INDEX itemsByName;
    DROP INDEX itemsByGroup;
    DROP INDEX itemsByIdentifier;
    DROP INDEX itemsByShares;
    ALTER TABLE items DROP COLUMN sharedWith;
    ALTER TABLE items DROP COLUMN rest;
    ALTER TABLE items RENAME COLUMN accessGroup TO application;
    CREATE UNIQUE INDEX itemsByName ON items (service, account, class);
    CREATE INDEX itemsByApplication ON items (application);
    DELETE FROM grdb_migrations WHERE identifier IN ('classes', 'identifiers', 'shares');
    """

  /// And before there were keys, and the enclave was known.
  static let withoutKeys = """
    DROP TABLE enclave;
    DROP TABLE keys;
    DELETE FROM grdb_migrations WHERE identifier IN ('enclave', 'keys');
    """
}
