import Protocol
import TestSupport
import Testing

@testable import ItemTransfer

@Suite("Items of a Secret Service")
struct StoredSecretTests {
  private func item(
    _ label: String, _ attributes: [String: String]
  ) throws -> CollectedItems.Item {
    let collected = CollectedItems()
    try StoredSecret(
      label: label, attributes: attributes, secret: SecretBytes(copying: [1, 2].span),
      origin: "here"
    ).give(to: collected)
    #expect(collected.skipped.isEmpty)
    let item = try #require(collected.items.first)
    #expect(item.secret == [1, 2] && item.attributes.label == label)
    for name in item.attributes.values.names {
      #expect(item.itemClass.attributes.contains(name))
      #expect(item.attributes.values[name]?.fits(name.form) == true)
    }
    return item
  }

  @Test("network passwords and those of Git become internet items")
  func network() throws {
    let password = try item(
      "share",
      [
        "xdg:schema": "org.gnome.keyring.NetworkPassword", "user": "ann", "domain": "WORK",
        "server": "Files.example", "object": "share", "protocol": "smb", "port": "445",
        "authtype": "ntlm",
      ])
    #expect(password.itemClass == .internet && password.attributes.server == "files.example")
    #expect(password.text(.protocol) == "smb " && password.text(.securityDomain) == "WORK")
    #expect(password.text(.path) == "/share" && password.attributes.account == "ann")
    #expect(password.attributes.values[.port] == .number(445))
    #expect(password.text(.comment) == "authtype: ntlm")
    let git = try item(
      "Git: https://git.example/",
      [
        "xdg:schema": "org.git.Password", "user": "bob", "server": "git.example",
        "protocol": "https", "port": "0",
      ])
    #expect(git.text(.protocol) == "htps" && git.attributes.values[.port] == nil)
    #expect(git.text(.comment) == "")
  }

  @Test("other items keep all their attributes, and two of one program do not become one")
  func others() throws {
    let chrome = try item(
      "Chrome Safe Storage",
      ["application": "chrome", "xdg:schema": "chrome_libsecret_os_crypt_password_v2"])
    #expect(chrome.itemClass == .generic && chrome.attributes.service == "chrome")
    #expect(
      chrome.attributes.values[.generic]
        == .data(
          Array(
            #"{"application":"chrome","xdg:schema":"chrome_libsecret_os_crypt_password_v2"}"#.utf8))
    )
    let python = try item(
      "Password", ["service": "svc", "username": "u", "application": "Python keyring library"])
    #expect(python.attributes.service == "svc" && python.attributes.account == "u")
    let schema = "org.freedesktop.NetworkManager.Connection"
    let networks = try ["psk", "pin"].map {
      try item(
        "net", ["connection-uuid": "1", "setting-key": $0, "xdg:schema": schema])
    }
    #expect(networks[0].attributes.service == schema)
    #expect(networks[0].attributes.account == "connection-uuid=1 setting-key=psk")
    #expect(networks[0].attributes.account != networks[1].attributes.account)
    #expect(try item("bare", [:]).attributes.service == "bare")
  }

  @Test("a note stays a note")
  func note() throws {
    let note = try item("Recipe", ["xdg:schema": "org.gnome.keyring.Note", "color": "red"])
    #expect(note.itemClass == .note && note.text(.comment) == "color: red")
  }

  @Test("attributes that are too long are left out and reported")
  func tooLong() throws {
    let collected = CollectedItems()
    let long = String(repeating: "x", count: 1025)
    for (label, attributes) in [
      (long, [:]), ("a", ["user": long]), ("b", ["x": String(repeating: "y", count: 5000)]),
    ] as [(String, [String: String])] {
      try StoredSecret(
        label: label, attributes: attributes, secret: SecretBytes(count: 0), origin: label
      ).give(to: collected)
    }
    try StoredSecret(
      label: "c", attributes: [:], secret: SecretBytes(count: largestItemSecret + 1), origin: "c"
    ).give(to: collected)
    #expect(collected.items.isEmpty && collected.skipped.count == 4)
  }
}

/// The collections of a client's keyring, without the one that lives only as long as a session.
extension SecretServiceClient {
  fileprivate var login: Collection {
    get throws {
      try #require(try collections().first { $0.path == PrivateKeyring.loginCollection })
    }
  }
}

@Suite(
  "Secret Service, with gnome-keyring on a private bus", .timeLimit(.minutes(60)),
  .enabled(if: PrivateKeyring.isInstalled, "dbus-daemon and gnome-keyring-daemon are not there"))
struct SecretServiceTests {
  @Test("labels, attributes and secrets are read with any bytes in them")
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

  @Test("a keyring that stays locked is left out and reported")
  func locked() throws {
    let keyring = try PrivateKeyring()
    try keyring.store([("a", [:], [1])])
    try keyring.lock()
    let client = try SecretServiceClient(at: keyring.address)
    #expect(try client.login.isLocked)
    #expect(try client.unlock([PrivateKeyring.loginCollection]) == false)
  }

  @Test("a missing bus, or a bus without a keyring, is an error with a hint")
  func absent() throws {
    #expect {
      _ = try SecretServiceClient(at: "unix:path=/nonexistent/bus")
    } throws: { error in
      (error as? Failure)?.code == .errSecNotAvailable && (error as? Failure)?.hint != nil
    }
  }
}
