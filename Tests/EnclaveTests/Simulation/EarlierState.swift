import Foundation
import Protocol
import Testing

@testable import EnclaveEngine

/// The enclave's files that commit 5a3dfaf wrote, and some of the items it sealed:
/// Tests/EndToEndTests/Fixtures/README.md.
enum EarlierState {
  static let passcode = "fixture passcode"

  private static let tests = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files of the enclave's folder.
  static func files() throws -> [String: [UInt8]] {
    let folder = tests.appending(path: "EndToEndTests/Fixtures/state-5a3dfaf/state/enclave")
    var files: [String: [UInt8]] = [:]
    for name in ["root.key", "keybag", "attempts", "finger-1", "finger-2"] {
      files[name] = Array(try Data(contentsOf: folder.appending(path: name)))
    }
    return files
  }

  /// An item with its sealed attributes.
  struct Item {
    let item: StoredItem
    let attributes: [UInt8]
    let secret: String
  }

  /// Rows of the fixture's keychain: accessibility, access control, identity, sealed attributes,
  /// sealed secret, secret.
  static func items() throws -> [Item] {
    let file = tests.appending(path: "EnclaveTests/Fixtures/items-5a3dfaf.tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.components(separatedBy: "\t")
      var protection = WireEncoder()
      protection.writeByte(try #require(UInt8(fields[0])))
      protection.writeBoolean(fields[1] != "-")
      if fields[1] != "-" { for byte in bytes(fields[1]) { protection.writeByte(byte) } }
      protection.writeBytes(bytes(fields[2]))
      let encoded = protection.finish()
      var decoder = WireDecoder(encoded.bytes)
      return Item(
        item: StoredItem(
          protection: try ItemProtection(from: &decoder), sealed: bytes(fields[4])),
        attributes: bytes(fields[3]), secret: fields[5])
    }
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.map { $0 > 64 ? ($0 | 32) - 87 : $0 - 48 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
