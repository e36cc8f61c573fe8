import Foundation
import Security
import Testing

@testable import KeychainSample

@Suite("Signing in")
struct SignInTests {
  private let memory = MemoryKeychain()
  private var item: PasswordItem {
    PasswordItem(server: "www.example.com", account: "ann", keychain: memory.keychain)
  }

  private func signIn(server password: String?, typing typed: String?...) throws -> SignIn.Outcome {
    var typed = typed[...]
    defer { #expect(typed.isEmpty, "not asked for") }
    return try SignIn(
      item: item, isAccepted: { password == nil || $0 == password },
      ask: { _ in typed.popFirst() ?? nil }
    ).run()
  }

  @Test("W2: a password that is not there is asked for and added, and not asked for again")
  func added() throws {
    #expect(try signIn(server: nil, typing: "s3cret") == .added)
    #expect(try item.read() == "s3cret")
    #expect(try signIn(server: "s3cret") == .unchanged)
    #expect(memory.calls == ["find", "add", "find", "find"])
  }

  @Test("W2: one that was changed is asked for and updated")
  func updated() throws {
    try item.add("old")
    #expect(try signIn(server: "new", typing: "new") == .updated)
    #expect(try item.read() == "new")
  }

  @Test("what the server does not take is not remembered", arguments: [nil, "", "wrong"])
  func refused(typed: String?) throws {
    #expect(try signIn(server: "right", typing: typed) == .refused)
    #expect(try item.read() == nil)
    try item.add("old")
    #expect(try signIn(server: "right", typing: typed) == .refused)
    #expect(try item.read() == "old")
  }

  @Test("W2: it can be deleted, once")
  func deleted() throws {
    try item.add("s3cret")
    #expect(try item.delete())
    #expect(try !item.delete())
    #expect(try item.read() == nil)
  }

  @Test("the passwords of two accounts are two items")
  func accounts() throws {
    try item.add("ann's")
    let other = PasswordItem(server: "www.example.com", account: "bob", keychain: memory.keychain)
    #expect(try other.read() == nil)
    try other.add("bob's")
    #expect(try item.read() == "ann's")
  }

  @Test("what the keychain refuses is said with its words")
  func errors() throws {
    try item.add("one")
    #expect(throws: KeychainError.status(errSecDuplicateItem)) { try item.add("two") }
    let text = KeychainError.status(errSecDuplicateItem).localizedDescription
    #expect(text.hasSuffix("(-25299)") && text.count > 30)
    memory.items["www.example.com ann"] = Data([0xFF])
    #expect(throws: KeychainError.unexpectedData) { try item.read() }
  }
}

/// A keychain of internet passwords that forgets everything.
final class MemoryKeychain {
  var items: [String: Data] = [:]
  var calls: [String] = []

  var keychain: Keychain {
    var keychain = Keychain()
    keychain.copyMatching = { query, result in
      self.calls.append("find")
      guard let data = self.items[Self.key(query)] else { return errSecItemNotFound }
      result?.pointee = data as CFData
      return errSecSuccess
    }
    keychain.add = { attributes, _ in
      self.calls.append("add")
      guard self.items[Self.key(attributes)] == nil else { return errSecDuplicateItem }
      self.items[Self.key(attributes)] = Self.data(attributes)
      return errSecSuccess
    }
    keychain.update = { query, changes in
      self.calls.append("update")
      guard self.items[Self.key(query)] != nil else { return errSecItemNotFound }
      self.items[Self.key(query)] = Self.data(changes)
      return errSecSuccess
    }
    keychain.delete = { query in
      self.calls.append("delete")
      return self.items.removeValue(forKey: Self.key(query)) == nil
        ? errSecItemNotFound : errSecSuccess
    }
    return keychain
  }

  private static func key(_ query: CFDictionary) -> String {
    let query = query as? [String: Any] ?? [:]
    return [kSecAttrServer, kSecAttrAccount]
      .map { query[$0 as String] as? String ?? "?" }.joined(separator: " ")
  }

  private static func data(_ attributes: CFDictionary) -> Data? {
    (attributes as? [String: Any])?[kSecValueData as String] as? Data
  }
}
