import Protocol
import TestSupport
import Testing

@testable import ItemTransfer

/// The collections of a client's keyring, without the one that lives only as long as a session.
extension SecretServiceClient {
  fileprivate var login: Collection {
    get throws {
      try #require(try collections().first { $0.path == PrivateKeyring.loginCollection })
    }
  }
}

@Suite(
  "Secret Service, with gnome-keyring on a private bus", .timeLimit(.minutes(15)),
  .enabled(if: PrivateKeyring.isInstalled, "dbus-daemon and gnome-keyring-daemon are not there"))
struct SecretServiceTests {
  @Test("labels, attributes and secrets are read, whatever bytes they hold")
  func items() throws {
    let keyring = try PrivateKeyring()
    let secret = [UInt8](0...255) + [UInt8](0...255)
    try keyring.store([
      ("Wi-Fi \u{201C}home\u{201D}", ["setting-key": "psk", "empty": ""], secret),
      ("second", [:], Array("x".utf8)), ("none", ["a": "b"], []),
    ])
    let client = try SecretServiceClient(at: keyring.address)
    let login = try client.login
    #expect(!login.isLocked && login.items.count == 3)
    let first = try #require(
      try login.items.first { try client.describe(item: $0).label.hasPrefix("Wi-Fi") })
    let description = try client.describe(item: first)
    #expect(description.label == "Wi-Fi \u{201C}home\u{201D}")
    #expect(description.attributes["setting-key"] == "psk")
    let read = try client.secret(ofItem: first)
    let isSame = read.isEqual(to: secret.span)
    #expect(isSame)
  }

  @Test("secrets cross the bus under a key that the bus does not see")
  func encrypted() throws {
    let keyring = try PrivateKeyring()
    let client = try SecretServiceClient(at: keyring.address)
    #expect(client.isEncrypted)
  }

  @Test("a keyring that stays locked is left out, and said")
  func locked() throws {
    let keyring = try PrivateKeyring()
    try keyring.store([("a", [:], [1])])
    try keyring.lock()
    let client = try SecretServiceClient(at: keyring.address)
    #expect(try client.login.isLocked)
    #expect(try client.unlock([PrivateKeyring.loginCollection]) == false)
  }

  @Test("no bus, and a bus without a keyring, are said with a way out")
  func absent() throws {
    #expect {
      _ = try SecretServiceClient(at: "unix:path=/nonexistent/bus")
    } throws: { error in
      (error as? Failure)?.code == .errSecNotAvailable && (error as? Failure)?.hint != nil
    }
  }
}
