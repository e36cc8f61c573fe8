import BackupFormat
import Cryptography
import Protocol
import Testing

@Suite("Backup format")
struct BackupFormatTests {
  private func code(
    _ bytes: [UInt8], _ passphrase: String = MadeBackup.passphrase
  ) -> FailureCode? {
    backupFailure { () throws(Failure) in _ = try ReadBackup(bytes, passphrase: passphrase) }?.code
  }

  @Test("K7: what was put into a backup comes out with its passphrase, and with no other")
  func roundTrip() throws {
    let backup = try MadeBackup()
    let read = try ReadBackup(backup.bytes)
    #expect(read.items == MadeBackup.items)
    #expect(read.counts == BackupCounts(items: 3, leftOut: 7, unreadable: 0))
    for wrong in ["", "correct horse battery stapl", MadeBackup.passphrase + "\0"] {
      #expect(code(backup.bytes, wrong) == .errSecAuthFailed, "\(wrong)")
    }
  }

  @Test(
    "FINDINGS B7: a guarded item keeps its access control, in a file that earlier readers refuse")
  func guarded() throws {
    var items = MadeBackup.items
    for (access, accessibility) in [
      ("biometry-current", Accessibility.whenUnlockedThisDeviceOnly),
      ("presence", .whenPasscodeSetThisDeviceOnly),
      ("passcode and biometry-any", .afterFirstUnlockThisDeviceOnly),
    ] {
      items.append(
        PlainItem(
          kind: .guarded, accessibility: accessibility,
          accessControl: try AccessControl(parsing: access), attributes: [9], content: "gold"))
    }
    items.append(
      PlainItem(
        kind: .guarded, accessibility: .whenUnlockedThisDeviceOnly,
        accessControl: try AccessControl(.presence),
        attributes: [UInt8](repeating: 1, count: largestAttributes),
        content: String(repeating: "x", count: largestItemSecret)))
    let backup = try MadeBackup(items, includesGuarded: true)
    #expect(try ReadBackup(backup.bytes).items == items)
    #expect(backup.header[19] == 3)
    // The version is part of what the passphrase proves: a file cannot be made to look older.
    var older = backup.header
    older[19] = 2
    let checksum = try SHA2.sha256(Array(older[..<108]).span)
    #expect(
      code(older[..<108] + checksum + backup.records.flatMap(\.self)) == .errSecAuthFailed)
    // What has none is read by those before.
    #expect(try MadeBackup().header[19] == 2)
    #expect(code(try MadeBackup(items).bytes) == .backupDamaged, "no guarded item in version 2")
  }

  @Test("a backup without items is one")
  func empty() throws {
    let read = try ReadBackup(MadeBackup([]).bytes)
    #expect(read.items.isEmpty)
    #expect(read.counts?.items == 0)
  }

  @Test("two backups of the same items under one passphrase have no sealed byte in common")
  func nothingInCommon() throws {
    let (one, two) = (try MadeBackup(), try MadeBackup())
    // Beside the facts at the beginning: salt, check, checksum; then each record behind its head.
    #expect(one.header[..<44] == two.header[..<44])
    for part in [44..<76, 76..<108, 108..<140] { #expect(one.header[part] != two.header[part]) }
    for (first, second) in zip(one.records, two.records) {
      #expect(first[..<5] == second[..<5])
      #expect(first[5..<17] != second[5..<17])
      #expect(first[17...] != second[17...])
    }
  }

  @Test("the length of a record tells no more of a secret than the next multiple of 128 bytes")
  func lengths() throws {
    func size(_ count: Int) throws -> Int {
      try MadeBackup([PlainItem(attributes: [], content: String(repeating: "x", count: count))])
        .records[0].count - 5 - AES256GCM.overhead
    }
    #expect(try (0...119).map(size) == Array(repeating: 128, count: 120))
    #expect(try size(120) == 256)
    #expect(try size(largestItemSecret) % 128 == 0)
  }

  @Test("a byte that is changed anywhere is noticed, whichever bit of it")
  func changed() throws {
    let backup = try MadeBackup()
    let bytes = backup.bytes
    for index in bytes.indices {
      for bit in index < BackupHeader.size ? 0..<8 : index % 8..<index % 8 + 1 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        let expected: Set<FailureCode> =
          switch index {
          case ..<16: [.errSecDecode]
          // A higher version is one that is not known.
          case ..<20: [.backupDamaged, .backupTooNew]
          default: [.backupDamaged]
          }
        let code = code(changed)
        #expect(code.map(expected.contains) == true, "byte \(index), bit \(bit): \(code as Any)")
      }
    }
  }

  @Test("a backup that ends anywhere before its end is cut short, wherever that is")
  func cut() throws {
    let bytes = try MadeBackup().bytes
    for count in bytes.indices {
      let code = code(Array(bytes[..<count]))
      #expect(code == (count < 16 ? .errSecDecode : .backupDamaged), "\(count) bytes")
    }
    #expect(code(bytes + [0]) == .backupDamaged)
    #expect(code(bytes + bytes) == .backupDamaged)
  }

  @Test("records that were swapped, repeated, left out or taken from another backup are noticed")
  func spliced() throws {
    let backup = try MadeBackup()
    let other = try MadeBackup()
    var orders = [[1, 0, 2, 3], [0, 2, 1, 3], [0, 0, 1, 2, 3], [0, 1, 1, 2, 3], [1, 2, 3]]
    orders += [[0, 1, 3], [0, 1, 2], [3], [3, 0, 1, 2], [0, 1, 2, 3, 3], [0, 3, 1, 2, 3]]
    for order in orders {
      let bytes = backup.header + order.flatMap { backup.records[$0] }
      #expect(code(bytes) == .backupDamaged, "\(order)")
    }
    for index in backup.records.indices {
      var mixed = backup
      mixed.records[index] = other.records[index]
      #expect(code(mixed.bytes) == .backupDamaged, "record \(index) of another")
    }
    #expect(code(backup.header + other.records.flatMap(\.self)) == .backupDamaged)
  }

  @Test("a secret's record is no certificate's and no end, and so all around")
  func kinds() throws {
    let backup = try MadeBackup()
    for index in backup.records.indices {
      for kind in 0...255 as ClosedRange<UInt8> where kind != backup.records[index][0] {
        var changed = backup
        changed.records[index][0] = kind
        #expect(code(changed.bytes) == .backupDamaged, "record \(index) as \(kind)")
      }
    }
  }

  @Test(
    "a certificate of the largest size comes out; one with a byte more is damage, before it is read"
  )
  func largestCertificates() throws {
    func made(_ count: Int) throws -> MadeBackup {
      let long = String(repeating: "c", count: count)
      return try MadeBackup([PlainItem(kind: .certificate, attributes: [1], content: long)])
    }
    let largest = try ReadBackup(made(largestCertificate).bytes)
    #expect(largest.items.first?.content.utf8.count == largestCertificate)
    #expect(code(try made(largestCertificate + 1).bytes) == .backupDamaged)
    // A secret has the limit of secrets, however it is wrapped.
    let secret = String(repeating: "s", count: largestItemSecret + 1)
    #expect(
      code(try MadeBackup([PlainItem(attributes: [], content: secret)]).bytes) == .backupDamaged)
  }

  @Test("A9: a record with an item of a class that stays on its device is refused")
  func deviceOnly() throws {
    for accessibility in Accessibility.allCases {
      let item = PlainItem(accessibility: accessibility, attributes: [1], content: "gold")
      let code = code(try MadeBackup([item]).bytes)
      #expect(code == (accessibility.isThisDeviceOnly ? .backupDamaged : nil), "\(accessibility)")
    }
  }

  /// The header with other parameters, and a checksum that fits them.
  private func header(
    _ cost: UInt64, _ blockSize: UInt32, _ parallelism: UInt32, version: UInt32 = 1
  ) throws -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(version)
    let version = encoder.finishPlain()
    encoder = WireEncoder()
    encoder.write(cost, blockSize, parallelism)
    var bytes = try MadeBackup().header
    bytes.replaceSubrange(16..<20, with: version)
    bytes.replaceSubrange(28..<44, with: encoder.finishPlain())
    return try bytes[..<108] + SHA2.sha256(bytes.span.extracting(first: 108))
  }

  @Test("a backup that asks for much memory or time is refused before it gets any")
  func bombs() throws {
    let parameters: [(UInt64, UInt32, UInt32)] = [
      (1 << 40, 8, 1), (1 << 63, 1, 1), (.max, 8, 1), (1 << 20, 8, 1), (1 << 19, 8, 1),
      (16, .max, 1), (16, 1 << 20, 1), (16, 1, .max), (16, 1, 5), (1 << 18, 16, 1), (0, 0, 0),
      (1, 8, 1), (17, 8, 1), (16, 0, 1), (16, 1, 0),
    ]
    for (cost, blockSize, parallelism) in parameters {
      let bytes = try header(cost, blockSize, parallelism)
      let failure = backupFailure { () throws(Failure) in _ = try ReadBackup(bytes) }
      #expect(failure?.code == .backupDamaged)
      #expect(failure?.message.contains("272 MiB") == true, "\(failure?.message ?? "taken")")
    }
    // The most that is taken.
    let most = try BackupHeader(decoding: header(1 << 18, 8, 4))
    #expect(most.cost.memory <= BackupHeader.mostMemory)
  }

  @Test("a record that says it has four gigabytes is refused, and none of them is waited for")
  func longRecords() throws {
    let backup = try MadeBackup()
    let limits: [(kind: UInt8, limit: UInt32)] = [(1, 65_692), (2, 156), (3, 1_065_116)]
    for (kind, limit) in limits {
      for count in [UInt32.max, 1 << 31, limit + 1] {
        var encoder = WireEncoder()
        encoder.write(kind, count)
        let bytes = backup.header + encoder.finishPlain()
        var asked = 0
        let failure = backupFailure { () throws(Failure) in
          var rest = bytes[...]
          var reader = try BackupReader { (count) throws(Failure) in
            asked = max(asked, count)
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
          }
          _ = try reader.next()
        }
        #expect(failure?.code == .backupDamaged)
        #expect(asked <= BackupHeader.size)
      }
    }
  }

  @Test("a version that comes later is said to be one, whatever follows")
  func laterVersion() throws {
    for version in [BackupHeader.latestVersion + 1, 5, .max] {
      let bytes = try header(16, 1, 1, version: version)
      for bytes in [bytes, Array(bytes[..<20]), Array(bytes[..<20]) + [1, 2, 3]] {
        let failure = backupFailure { () throws(Failure) in _ = try ReadBackup(bytes) }
        #expect(failure?.code == .backupTooNew)
        #expect(failure?.message.contains("version \(version) ") == true)
        #expect(failure?.hint?.contains("update authcore") == true)
      }
    }
    #expect(code(try header(16, 1, 1, version: 0)) == .backupDamaged)
  }

  @Test("a file of the first version has no certificates: a record of one is damage there")
  func earlierVersion() throws {
    let versions: [(UInt32, FailureCode?)] = [(1, .backupDamaged), (2, nil)]
    for (version, expected) in versions {
      let bytes = try header(16, 1, 1, version: version) + [3, 0, 0, 0, 1, 7]
      let failure = backupFailure { () throws(Failure) in
        var rest = bytes[...]
        var reader = try BackupReader { (count) throws(Failure) in
          defer { rest = rest.dropFirst(count) }
          return Array(rest.prefix(count))
        }
        #expect(reader.header.version == version)
        let record = try reader.next()
        #expect(record == .item(SealedRecord(.certificate, [7]), number: 0))
      }
      #expect(failure?.code == expected)
    }
  }

  @Test("what is no backup is said to be none")
  func notOne() throws {
    for bytes in [[], [0], Array("authcore backup".utf8), Array("SQLite format 3\0".utf8)] {
      #expect(code(bytes) == .errSecDecode)
    }
  }
}
