import Foundation
import GRDB
import Protocol
import Testing

@Suite("A keychain whose enclave has other keys")
struct ErasedEnclaveTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// The rows of a database that was set aside.
  private func rows(in name: String) throws -> Int {
    let queue = try DatabaseQueue(path: folder.path + "/" + name)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM items") } ?? -1
  }

  /// A keychain with two items, whose enclave then gets other keys.
  private func erased() throws -> TestKeychain {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    try keychain.add("bank", access: "presence")
    keychain.enclave.erase()
    return keychain
  }

  static let requests: [(name: String, ask: @Sendable (TestKeychain) throws -> Void)] = [
    ("add", { try $0.add("mail") }),
    ("find", { _ = try $0.find() }),
    ("get", { _ = try $0.get(query("mail")) }),
    ("update", { try $0.update(query("mail"), secret: "x") }),
    ("remove", { try $0.remove(query("mail")) }),
    ("remove what the passcode guarded", { _ = try $0.removePasscodeBound() }),
  ]

  @Test(
    "whatever is asked first, the database is set aside whole and an empty one is begun",
    arguments: requests.indices)
  func setAside(index: Int) throws {
    let keychain = try erased()
    let code = try code { try Self.requests[index].ask(keychain) }
    #expect([nil, .errSecItemNotFound].contains(code), "\(Self.requests[index].name)")
    #expect(try rows(in: "keychain.sqlite.lost-1") == 2)
    let lost = try names.filter { $0.contains("lost") }
    #expect(lost == ["keychain.sqlite.lost-1"], "its log was written back")
    #expect(keychain.host.logged.filter { $0.contains("keychain.sqlite.lost-1") }.count == 1)
    if code == nil, index == 0 { #expect(try keychain.get(query("mail")) == "s3cret") }
    try keychain.add("later")
    #expect(try keychain.get(query("later")) == "s3cret")
    #expect(try keychain.find().count == (index == 0 ? 2 : 1))
  }

  @Test("the next erasure sets the next database aside, and touches none of the earlier ones")
  func again() throws {
    let keychain = try erased()
    try keychain.add("second")
    let first = try contents(of: folder.path + "/keychain.sqlite.lost-1")
    keychain.enclave.erase()
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    #expect(try rows(in: "keychain.sqlite.lost-2") == 1)
    #expect(try contents(of: folder.path + "/keychain.sqlite.lost-1") == first)
  }

  @Test("another keychain process finds it so too, and so does the next start")
  func others() throws {
    let keychain = try erased()
    _ = try code { _ = try keychain.find() }
    try keychain.add("kept")
    let next = try TestKeychain(folder)
    next.enclave.erase()
    #expect(try next.get(query("kept")) == "s3cret")
    #expect(try keychain.get(query("kept")) == "s3cret")
    #expect(try names.contains("keychain.sqlite.lost-2") == false)
  }

  @Test("an enclave that fails, is gone or answers nonsense is no other one: nothing is set aside")
  func failing() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    let batch = { (results: [AttributeBatch.Result]) in
      bytes(of: AttributeBatch(results: results).encoded())
    }
    let hash = AttributeBatch.Result.value([UInt8](repeating: 1, count: 32))
    let answers: [[UInt8]] = [
      bytes(of: Failure(.stateDamaged, "damaged").encoded()),
      bytes(of: Failure(.deviceErased, "erased").encoded()), [], [255], bytes(of: Done().encoded()),
      batch([]), batch([hash]), batch([hash, .closed]), batch([hash, .damaged]),
      batch([hash, hash, hash]), batch([hash, .value([])]),
      batch([hash, .value([UInt8](repeating: 1, count: 31))]),
    ]
    for answer in answers {
      keychain.enclave.intrusion = { $0[0] == HashAttributes.number ? answer : nil }
      #expect(try code { _ = try keychain.find() } != nil)
    }
    keychain.enclave.intrusion = nil
    keychain.host.isEnclaveGone = true
    #expect(try code { _ = try keychain.find() } == .engineFailed)
    keychain.host.isEnclaveGone = false
    #expect(try keychain.get(query("mail")) == "s3cret")
    #expect(try names.contains { $0.contains("lost") } == false)
  }

  @Test("no attribute of an application's is hashed as the enclave's identity")
  func noClient() throws {
    let keychain = try TestKeychain(folder)
    var asked: [[UInt8]] = []
    keychain.enclave.intrusion = { request in
      if request[0] == HashAttributes.number {
        asked += (try? HashAttributes.decode(request.span).values) ?? []
      }
      return nil
    }
    for application in ["/", "/enclave"] {
      for service in ["", "enclave"] {
        _ = try code { _ = try keychain.find(query(service, "", label: ""), app: application) }
      }
    }
    let counts = Dictionary(grouping: asked, by: \.self).mapValues(\.count)
    // Once in each of the four messages: the last value, which the keychain adds itself.
    let last = try #require(asked.last)
    #expect(counts[last] == 4)
  }

  @Test("a database of an earlier build is taken over as it is, by the enclave that is there")
  func adopted() throws {
    try TestKeychain(folder).add("mail")
    try tamper(folder) { database in
      try database.execute(sql: "DROP TABLE enclave")
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'enclave'")
    }
    let next = try TestKeychain(folder)
    #expect(try next.get(query("mail")) == "s3cret")
    next.enclave.erase()
    #expect(try code { _ = try next.find() } == .errSecItemNotFound)
    #expect(try rows(in: "keychain.sqlite.lost-1") == 1)
  }
}
