import Foundation
import Testing
import Wire

/// The disk is full from one write on, each in turn, and has room again after the request.
@Suite("A full disk", .timeLimit(.minutes(15)))
struct FullDiskTests {
  struct Request: CustomTestStringConvertible, Sendable {
    let name: String
    let ask: @Sendable (TestKeychain) throws -> Void
    var testDescription: String { name }
  }

  private static let long = String(repeating: "long", count: 4000)
  private static let requests: [Request] = [
    .init(name: "add") { try $0.add("new", secret: long) },
    .init(name: "find") { _ = try $0.find() },
    .init(name: "get") { _ = try $0.get(query("mail", "0")) },
    .init(name: "update") { try $0.update(query("mail", "1"), secret: long) },
    .init(name: "update of several") { try $0.update(query("mail"), secret: long, all: true) },
    .init(name: "rename") { try $0.update(query("mail", "1"), changes(account: "moved")) },
    .init(name: "remove") { try $0.remove(query("mail", "2")) },
    .init(name: "remove of several") { try $0.remove(query("mail"), all: true) },
    .init(name: "key create") { try $0.createKey("new") },
    .init(name: "key remove") { try $0.removeKey("old") },
    .init(name: "removal with the passcode") { _ = try $0.removePasscodeBound() },
  ]

  /// The files of a keychain with some of everything.
  private static let filled = Result<[String: Data], any Error> {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    for number in 0..<3 { try keychain.add("mail", "\(number)", secret: "\(number)") }
    try keychain.add("guarded", access: "passcode")
    try keychain.createKey("old")
    return try folder.files
  }

  /// That keychain in a folder of its own.
  private func copied(isOpen: Bool) throws -> (TestFolder, TestKeychain) {
    let folder = try TestFolder()
    try folder.write(Self.filled.get())
    let keychain = try TestKeychain(folder)
    if isOpen { _ = try keychain.find() }
    return (folder, keychain)
  }

  /// What a keychain holds, without what is chosen or read off the clock while it is made.
  private func outline(_ keychain: TestKeychain) throws -> [String] {
    let contents = try keychain.contents()
    return contents.items.map { "\($0.attributes.service)/\($0.attributes.account): \($0.secret)" }
      + contents.keys.map(\.name)
  }

  @Test(
    """
    K1: whichever write finds the disk full, the request fails clearly or is done, nothing else \
    changes, and with room it works
    """,
    arguments: requests, [false, true])
  func everyWrite(request: Request, isOpen: Bool) throws {
    let (sampleFolder, sample) = try copied(isOpen: true)
    defer { withExtendedLifetime(sampleFolder) {} }
    let before = try outline(sample)
    try request.ask(sample)
    let after = try outline(sample)
    for room in 0..<200 {
      let (folder, keychain) = try copied(isOpen: isOpen)
      let disk = try SimulatedDisk(under: folder.path)
      defer { disk.end() }
      keychain.enclave.evidence[1] = [.biometry, .passcode]
      disk.isFull(after: room)
      let failure = try failure { try request.ask(keychain) }
      let wrote = disk.writes
      disk.isFull(after: nil)
      let context = "room for \(room) writes: \(failure.map { "\($0)" } ?? "done")"
      #expect(try outline(keychain) == (failure == nil ? after : before), "\(context)")
      if let failure {
        #expect(failure.code == .storageFailed, "\(context)")
        #expect(failure.message.contains("nothing was changed"), "\(context)")
        #expect(failure.hint?.contains("free space") == true, "\(context)")
        try request.ask(keychain)
        #expect(try outline(keychain) == after, "\(context)")
      }
      guard wrote > room else {
        #expect(try outline(TestKeychain(folder)) == after, "\(context)")
        return
      }
    }
    Issue.record("more writes than any request needs")
  }
}
