import Protocol
import Testing

@testable import ItemTransfer

/// Writes ZIP archives (APPNOTE.TXT 4.3), and wrong ones.
struct ZipMaker {
  struct File {
    var name: String
    var bytes: [UInt8]
    var method: UInt16 = 0
    var flags: UInt16 = 0
    /// What the directory says, if it is not true.
    var size, packed, offset: UInt32?
    var checksum: UInt32?
  }

  static func archive(_ files: [(String, String, UInt16)]) -> [UInt8] {
    archive(files.map { File(name: $0, bytes: Array($1.utf8), method: $2) })
  }

  static func archive(_ files: [File]) -> [UInt8] {
    var (bytes, directory) = ([UInt8](), [UInt8]())
    for file in files {
      let packed = file.method == 0 ? file.bytes : deflated(file.bytes)
      let offset = UInt32(bytes.count)
      let sizes =
        number(file.checksum ?? crc(file.bytes)) + number(file.packed ?? UInt32(packed.count))
        + number(file.size ?? UInt32(file.bytes.count))
      let start = number(UInt16(20)) + number(file.flags) + number(file.method) + number(UInt32(0))
      let name = Array(file.name.utf8)
      bytes += number(UInt32(0x0403_4B50)) + start + sizes + number(UInt16(name.count))
      bytes += number(UInt16(0)) + name + packed
      directory += number(UInt32(0x0201_4B50)) + number(UInt16(20)) + start + sizes
      directory += number(UInt16(name.count)) + [UInt8](repeating: 0, count: 12)
      directory += number(file.offset ?? offset) + name
    }
    let place = UInt32(bytes.count)
    bytes += directory + number(UInt32(0x0605_4B50)) + number(UInt32(0))
    bytes += number(UInt16(files.count)) + number(UInt16(files.count))
    return bytes + number(UInt32(directory.count)) + number(place) + number(UInt16(0))
  }

  /// Blocks without compression (RFC 1951 §3.2.4).
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var (packed, rest) = ([UInt8](), bytes[...])
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      packed += [rest.isEmpty ? 1 : 0] + number(count) + number(~count) + block
    } while !rest.isEmpty
    return packed
  }

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

@Suite("ZIP archives of other programs")
struct ZipFileTests {
  private static let logins = """
    username,username2,username3,title,password,note,url,category,otpUrl
    ann,,,Example,pw-1,,https://example.org,,
    """

  @Test("FINDINGS B4: Dashlane's archive: every file in it is read")
  func dashlane() throws {
    let outcome = WholeOutcome(
      ZipMaker.archive([
        ("export/", "", 0), ("export/credentials.csv", Self.logins, 8),
        ("export/securenotes.csv", "title,note\nSafe,code 4711\n", 8), ("export/ids.csv", "", 0),
      ]))
    #expect(outcome.failure == nil && outcome.program == "Dashlane")
    #expect(outcome.items.map(\.text) == ["pw-1", "code 4711"])
  }

  @Test("FINDINGS B4: what is attached to entries is read as nothing, whatever its name")
  func attachments() throws {
    let json = #"{"encrypted":false,"items":[{"type":1,"name":"Mail","login":{"password":"pw"}}]}"#
    let noise = [
      ("files/x__backup.csv", "no,export\n", UInt16(0)), ("files/y__key.json", "{", 0),
      ("attachments/1/export.csv", "name,url,username,password\nX,,u,stray\n", 0),
      ("attachments/1/data.json", "{", 0), ("__MACOSX/._credentials.csv", "\u{0}\u{5}", 0),
      (".hidden.csv", "\u{0}", 0), ("export/.git/a.json", "{", 0),
    ]
    for (name, text, secret) in [
      ("data.json", json, "pw"), ("export/data.json", json, "pw"), ("export.data", json, "pw"),
      ("export/credentials.csv", Self.logins, "pw-1"),
    ] {
      let outcome = WholeOutcome(ZipMaker.archive(noise + [(name, text, 8)]))
      #expect(outcome.failure == nil && outcome.items.map(\.text) == [secret], "\(name)")
    }
    let known = WholeOutcome(
      ZipMaker.archive([("backup.csv", "no,export\n", 0), ("data.json", json, 0)]))
    #expect(known.failure == nil && known.items.map(\.text) == ["pw"])
  }

  @Test("FINDINGS B4: files of an archive share no bytes, and their sum has a limit")
  func sums() throws {
    let text = Array(Self.logins.utf8)
    let file = ZipMaker.File(name: "a.csv", bytes: text, method: 8)
    var same = file
    same.offset = 0
    var reaching = file
    reaching.packed = UInt32(ZipMaker.deflated(text).count + 10)
    for (index, files) in [[file, same], [reaching, file]].enumerated() {
      let outcome = WholeOutcome(ZipMaker.archive(files))
      #expect(outcome.failure?.code == .importUnreadable, "\(index)")
    }
    #expect(WholeOutcome(ZipMaker.archive([file, file])).items.count == 2)
    let zeros = ZipMaker.File(
      name: "a.csv", bytes: [UInt8](repeating: 0, count: 33 << 20), checksum: 0xB31F_F115)
    var archive = try ZipFile(SecretBytes(copying: ZipMaker.archive([zeros, zeros]).span))
    let entries = archive.entries
    let count = try archive.read(entries[0]).count
    #expect(count == 33 << 20 && entries.count == 2)
    do throws(Failure) {
      _ = try archive.read(entries[1])
      Issue.record("the second half does not fit")
    } catch {
      #expect(error.code == .importUnreadable && error.message.contains("too large"))
    }
  }

  @Test("FINDINGS B4: an archive that is broken, encrypted, too dense or lies is refused")
  func hostile() throws {
    func file(_ change: (inout ZipMaker.File) -> Void) -> [UInt8] {
      var file = ZipMaker.File(name: "a.csv", bytes: Array(Self.logins.utf8), method: 8)
      change(&file)
      return ZipMaker.archive([file])
    }
    let good = file { _ in }
    #expect(WholeOutcome(good).items.count == 1)
    let bad: [[UInt8]] = [
      Array("PK\u{3}\u{4}".utf8), Array(good.dropLast(30)), Array(good.prefix(40)),
      file { $0.flags = 1 }, file { $0.method = 14 }, file { $0.checksum = 1 },
      file { $0.size = 10 }, file { $0.size = 10_000 }, file { $0.packed = 10 },
      file { $0.packed = 100_000 }, file { $0.offset = 5 }, file { $0.offset = UInt32.max },
      // A bomb: a gigabyte, or a hundred times what lies there.
      file { $0.size = 1 << 30 }, file { $0.size = 32 << 20 },
      ZipMaker.archive([("readme.txt", "x", 0)]), ZipMaker.archive([ZipMaker.File]()),
    ]
    for (index, bytes) in bad.enumerated() {
      let outcome = WholeOutcome(bytes)
      #expect(outcome.failure?.code == .importUnreadable, "\(index)")
      #expect(outcome.items.isEmpty, "\(index)")
    }
    // Nothing ends the process, whatever byte is wrong.
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 0xFF
      _ = WholeOutcome(bytes)
    }
  }
}
