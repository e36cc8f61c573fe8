import Foundation
import Protocol
import Testing

/// Everything that one application sees of a keychain.
struct KeychainContents: Equatable {
  var items: [Item] = []
  var keys: [EnclaveKey] = []

  struct Item: Equatable {
    let attributes: ItemAttributes
    let secret: String
  }
}

extension TestKeychain {
  /// What the application sees once it has proved everything.
  func contents(app: String = app) throws -> KeychainContents {
    enclave.evidence[1] = [.biometry, .passcode]
    var contents = KeychainContents()
    if try code(of: { contents.keys = try findKeys(app: app) }) == nil {
      for key in contents.keys { _ = try useKey(key.name, app: app) }
    }
    var found: [ItemAttributes] = []
    if let failure = try failure(of: { found = try find(app: app) }),
      failure.code != .errSecItemNotFound
    {
      throw failure
    }
    contents.items = try found.map { item in
      .init(attributes: item, secret: try get(query(item.service, item.account), app: app))
    }
    return contents
  }

  /// The same without the items whose secrets are damaged, and the keys that are.
  func readableContents(app: String = app) throws -> KeychainContents {
    enclave.evidence[1] = [.biometry, .passcode]
    var contents = KeychainContents()
    _ = try code { contents.keys = try findKeys(app: app) }
    contents.keys = try contents.keys.filter { key in
      try code { _ = try useKey(key.name, app: app) } == nil
    }
    var found: [ItemAttributes] = []
    _ = try code { found = try find(app: app) }
    for item in found {
      let code = try code {
        let secret = try get(query(item.service, item.account), app: app)
        contents.items.append(.init(attributes: item, secret: secret))
      }
      if let code, code != .errSecDecode { throw Failure(code, "\(item)") }
    }
    return contents
  }

  /// What it holds, without what is drawn at random or read off a clock while it is made.
  func outline(app: String = app) throws -> [String] {
    let contents = try contents(app: app)
    return contents.items.map {
      "\($0.attributes.service)/\($0.attributes.account) \($0.attributes.label): \($0.secret)"
    } + contents.keys.map(\.name)
  }
}

/// The file of a keychain with items on many pages, long secrets among them, keys, and pages that are
/// free; and what is in it.
func filledKeychain(
  items: Int, longest: Int
) throws -> (bytes: Data, contents: KeychainContents) {
  let folder = try TestFolder()
  var keychain: TestKeychain? = try TestKeychain(folder)
  for number in 0..<items {
    let secret = String(repeating: "\(number)", count: number % 10 == 0 ? longest : 20)
    try keychain?.add("service \(number % 5)", "\(number)", label: "L", secret: secret)
  }
  for number in 0..<4 { try keychain?.createKey("key \(number)") }
  try keychain?.add("gone", secret: String(repeating: "g", count: 20_000))
  try keychain?.remove(query("gone"))
  let contents = try keychain?.contents()
  keychain = nil
  return (try KeychainTests.contents(of: folder.database), try #require(contents))
}
