import Cryptography
import Foundation
import GRDB
import Glibc
import LinuxSystem
import Protocol

/// The least that reading an item can cost on this machine: AES-256-GCM of its secret, and two
/// round trips over a socket.
struct PathFloor {
  /// Opening one sealed secret.
  let sealing: Duration
  /// One byte to another thread of this process and back, over a Unix socket.
  let roundTrip: Duration

  private static let runs = 2000

  var total: Duration { sealing + roundTrip * 2 }

  init(secretSize: Int) throws(Failure) {
    roundTrip = try Self.measureRoundTrip()
    do throws(CryptographyError) {
      sealing = try Self.measureOpening(secretSize)
    } catch {
      throw Failure(.engineFailed, "\(error)")
    }
  }

  private static func measureOpening(_ size: Int) throws(CryptographyError) -> Duration {
    let key = try SymmetricKey()
    let secret = SecretBytes(count: size)
    let sealed = try AES256GCM.seal(secret.bytes, with: key, authenticating: [])
    var sample = Sample()
    for _ in 0..<runs {
      _ = try sample.measure { () throws(CryptographyError) -> SecretBytes in
        try AES256GCM.open(sealed, with: key, authenticating: [])
      }
    }
    return sample.median
  }

  private static func measureRoundTrip() throws(Failure) -> Duration {
    let pair = Ends(try SocketPair())
    SystemThread.start(name: "echo") {
      let far = pair.value.far.number
      var byte: UInt8 = 0
      while unsafe read(far, &byte, 1) == 1 { _ = unsafe write(far, &byte, 1) }
    }
    let near = pair.value.near.number
    var sample = Sample()
    var byte: UInt8 = 1
    for _ in 0..<runs {
      sample.measure {
        _ = unsafe write(near, &byte, 1)
        _ = unsafe read(near, &byte, 1)
      }
    }
    // Ends the other thread.
    shutdown(near, Int32(SHUT_RDWR))
    return sample.median
  }

  /// Two sockets that two threads keep.
  private final class Ends: Sendable {
    let value: SocketPair
    init(_ value: consuming SocketPair) { self.value = value }
  }
}

/// The least that adding an item can cost: one row inserted into a table of SQLite and synced to
/// the disk, with the same durability (a write-ahead log, `synchronous = FULL`).
struct SyncedInsert {
  /// Of a row's values.
  let rowBytes: Int
  private(set) var sample = Sample()
  private let queue: DatabaseQueue
  private let row: Data

  /// Makes an empty table beside a keychain, for rows as long as the keychain's first one.
  init(beside keychain: String) throws(Failure) {
    do {
      rowBytes = try Self.rowBytes(in: keychain)
      row = Data(count: rowBytes)
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      queue = try DatabaseQueue(path: keychain + ".insert", configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB)")
      }
    } catch {
      throw Failure(.storageFailed, "\(error)")
    }
  }

  /// Inserts a row in a transaction of its own.
  mutating func insert() throws(Failure) {
    do {
      let (queue, row) = (queue, row)
      try sample.measure {
        try queue.writeWithoutTransaction { database in
          let statement = try database.cachedStatement(sql: "INSERT INTO rows (bytes) VALUES (?)")
          try statement.execute(arguments: [row])
        }
      }
    } catch {
      throw Failure(.storageFailed, "\(error)")
    }
  }

  private static func rowBytes(in keychain: String) throws -> Int {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: keychain, configuration: configuration)
    let row = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM items LIMIT 1") }
    try queue.close()
    return (row.map { Array($0.databaseValues) } ?? []).reduce(0) { sum, value in
      if case .blob(let bytes) = value.storage { sum + bytes.count } else { sum + 1 }
    }
  }
}
