import GRDB
import KeychainEngine
import Protocol
import SyntheticPrints
import TestSupport
import Testing

@Suite("Hostile bytes")
final class HostileBytesTests: OneKeychain {
  override init() throws {
    try super.init()
    try keychain.add("mail")
    try keychain.add("news", access: "presence")
    try keychain.createKey("deploy", access: "presence")
  }

  /// One request of each kind.
  private var requests: [[UInt8]] {
    var attributes = ItemAttributes()
    attributes.service = "mail"
    return [
      envelope(AddItem(attributes: attributes, secret: SecretBytes(count: 5)), app: "/a"),
      envelope(
        AddItems(
          items: [.init(attributes: attributes, secretCount: 5)], secrets: SecretBytes(count: 5)),
        app: "/b"),
      envelope(FindItems(query: query("mail"))), envelope(GetItem(query: query("mail"))),
      envelope(
        UpdateItems(
          query: query("mail"), changes: changes(label: "L"), allowsSeveral: false,
          replacesSecret: true, secret: SecretBytes(count: 3))),
      envelope(RemoveItems(query: query("none"), allowsSeveral: false)),
      envelope(ShareItem(query: query("none"), application: "/b", isShared: true)),
      envelope(
        CreateKey(name: "k", accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil)),
      envelope(FindKeys(query: KeyQuery(name: "deploy"))),
      envelope(UseKey(query: KeyQuery(name: "deploy"), operation: .sign, input: [1, 2, 3])),
      envelope(RemoveKey(query: KeyQuery(name: "none"))),
      envelope(
        AddCertificate(
          attributes: certificateAttributes(), certificate: TestCertificate(point: [4]).der())),
      envelope(GetCertificate(query: ItemQuery())),
      envelope(FindIdentities(certificate: ItemQuery(), key: KeyQuery())),
      envelope(FindApplications(), app: commandApplication),
      envelope(FindGuarded(), app: commandApplication),
      envelope(ForgetApplication(application: "/b"), app: commandApplication),
      envelope(FindItemsOfApplication(application: "/b"), app: commandApplication),
      bytes(of: RemovePasscodeBoundItems().encoded()),
      bytes(of: CopyDatabase().encoded()),
    ]
  }

  private func envelope(
    _ message: borrowing some WireMessage & ~Copyable, app: String = TestKeychain.app
  ) -> [UInt8] {
    bytes(
      of: ApplicationRequest.encoded(
        context: ContextName(1, of: Requester(application: app, connection: 1)),
        message: message.encoded()))
  }

  /// Whether the reply is one of the keychain's messages.
  private func isAnswered(_ request: [UInt8]) -> Bool {
    let reply = keychain.engine.handle(request.span)
    guard reply.count > 0 else { return false }
    switch reply.bytes[0] {
    case Failure.number: return (try? Failure.decode(reply.bytes)) != nil
    case ItemAdded.number: return (try? ItemAdded.decode(reply.bytes)) != nil
    case ItemsAdded.number: return (try? ItemsAdded.decode(reply.bytes)) != nil
    case FoundItems.number: return (try? FoundItems.decode(reply.bytes)) != nil
    case ItemsChanged.number: return (try? ItemsChanged.decode(reply.bytes)) != nil
    case KeyCreated.number: return (try? KeyCreated.decode(reply.bytes)) != nil
    case FoundKeys.number: return (try? FoundKeys.decode(reply.bytes)) != nil
    case GotCertificate.number: return (try? GotCertificate.decode(reply.bytes)) != nil
    case FoundIdentities.number: return (try? FoundIdentities.decode(reply.bytes)) != nil
    case EvidenceNeeded.number: return (try? EvidenceNeeded.decode(reply.bytes)) != nil
    case GotItem.number: return isMessage(GotItem.self, reply.bytes)
    case KeyUsed.number: return isMessage(KeyUsed.self, reply.bytes)
    default: return false
    }
  }

  private func isMessage<Message: WireMessage & ~Copyable>(
    _ type: Message.Type, _ bytes: Span<UInt8>
  ) -> Bool {
    do {
      _ = try Message.decode(bytes)
      return true
    } catch {
      return false
    }
  }

  private func refusal(of request: [UInt8]) throws -> FailureCode {
    let reply = keychain.engine.handle(request.span)
    return try Failure.decode(reply.bytes).code
  }

  @Test("K2, E4: of all messages an application may send the keychain takes these, and only so")
  func envelopes() throws {
    let accepted = try (0...255).map { UInt8($0) }.filter { number in
      let inside = ApplicationRequest.encoded(
        context: ContextName(1, of: Requester(application: "/a", connection: 1)),
        message: SecretBytes(copying: [number].span))
      return try !Failure.decode(keychain.engine.handle(inside.bytes).bytes).message
        .contains("unknown kind")
    }
    #expect(
      accepted == [
        AddItem.number, FindItems.number, GetItem.number, UpdateItems.number, RemoveItems.number,
        CreateKey.number, FindKeys.number, UseKey.number, RemoveKey.number, ShareItem.number,
        CheckKeychain.number, RepairKeychain.number, BackUpItems.number, RestoreItems.number,
        FinishRestore.number, AddItems.number, AddCertificate.number, GetCertificate.number,
        FindIdentities.number, FindApplications.number, ForgetApplication.number,
        FindItemsOfApplication.number, FindGuarded.number,
      ])
    // The empty message that the core itself may send is no failure.
    let direct = (0...255).map { UInt8($0) }.filter { number in
      let reply = keychain.engine.handle([number].span)
      guard let failure = try? Failure.decode(reply.bytes) else { return true }
      return !failure.message.contains("unknown kind")
    }
    #expect(
      direct == [RemovePasscodeBoundItems.number, CopyDatabase.number, ApplicationRequest.number])
  }

  @Test("requests cut short, or with a byte too many, are refused")
  func wrongLength() throws {
    for request in requests {
      for count in 0..<request.count {
        let code = try refusal(of: Array(request.prefix(count)))
        #expect(code == .engineFailed || code == .errSecParam)
      }
      #expect(try refusal(of: request + [0]) == .engineFailed)
    }
    #expect(try keychain.find().count == 2)
  }

  @Test("requests with any byte replaced get an answer or a failure", arguments: 0..<6)
  func replacedBytes(index: Int) throws {
    let request = requests[index]
    for position in request.indices {
      for value in [0, 1, 2, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = request
        changed[position] = value
        #expect(isAnswered(changed), "byte \(position) = \(value)")
      }
    }
  }

  @Test("random requests get an answer or a failure")
  func randomRequests() {
    var generator = RandomNumbers(seed: 7)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(isAnswered(bytes))
      let number = UInt8.random(in: 1...13, using: &generator)
      #expect(isAnswered([number] + bytes.map { $0 % 4 }))
    }
  }

  @Test("E1: whatever the enclave's place answers, the keychain gives a failure and stores nothing")
  func hostileEnclave() throws {
    let intrusions: [[UInt8]] =
      [
        [], [1], [99, 1, 2, 3], bytes(of: Done().encoded()) + [0],
        bytes(of: AttributeBatch(results: []).encoded()),
        bytes(of: AttributeBatch(results: [.closed, .damaged]).encoded()),
        bytes(of: AttributeBatch(results: Array(repeating: .value([]), count: 5)).encoded()),
        bytes(of: AttributeBatch(results: Array(repeating: .value([1, 2]), count: 2)).encoded()),
        bytes(of: SealedItem(hashes: [], attributes: [1], sealedSecret: [1]).encoded()),
        bytes(
          of: SealedItem(
            hashes: Array(repeating: [1, 2], count: 4), attributes: [1], sealedSecret: [1]
          ).encoded()),
        bytes(
          of: SealedItem(
            hashes: Array(repeating: Array(repeating: 1, count: 32), count: 6), attributes: [1],
            sealedSecret: [1]
          ).encoded()),
        bytes(of: OpenedItem(secret: SecretBytes(count: 4)).encoded()),
        [0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
      ]
      + [AttributeBatch.Result.value([1]), .closed, .damaged].flatMap { result in
        [[], [99], bytes(of: OpenedItem(secret: SecretBytes(count: 4)).encoded())].map {
          bytes(
            of: OpenedItemWithAttributes(
              attributes: result, itemReply: SecretBytes(copying: $0.span)
            )
            .encoded())
        }
      }
    let before = try keychain.find()
    for number in [
      SealItem.number, OpenItem.number, SealAttributes.number, OpenAttributes.number,
      HashAttributes.number, OpenItemWithAttributes.number,
    ] {
      for intrusion in intrusions {
        keychain.enclave.intrusion = { $0.first == number ? intrusion : nil }
        for request in requests.prefix(4) { #expect(isAnswered(request)) }
        _ = try? keychain.add("hostile")
        keychain.enclave.intrusion = nil
        _ = try? keychain.remove(query("hostile"))
        _ = try? keychain.remove(query("mail"), app: "/a")
        #expect(try keychain.find().map(\.identifier) == before.map(\.identifier))
      }
    }
  }

  @Test("an enclave that has ended is an engine failure that says so")
  func enclaveGone() throws {
    keychain.host.isEnclaveGone = true
    let failure = try #require(try failure { _ = try keychain.get(query("mail")) })
    #expect(failure.code == .engineFailed)
    #expect(failure.message.contains("enclave"))
    keychain.host.isEnclaveGone = false
    #expect(try keychain.get(query("mail")) == "s3cret")
  }

  @Test("K4: more rows than one batch holds are found in a few messages")
  func manyRows() throws {
    try tamper(folder) { database in
      // One row copied many times, for speed; its seal names no place in the table.
      try database.execute(
        sql: """
          INSERT INTO items (identifier, revision, accessGroup, class, accessibility, accessControl,
            service, account, label, sealedAttributes, sealedSecret)
          WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 5000)
          SELECT identifier, revision, accessGroup, class, accessibility, accessControl,
            service, randomblob(32), label, sealedAttributes, sealedSecret
          FROM items, counter WHERE sequence = 1
          """)
    }
    let before = keychain.enclave.counts[OpenAttributes.number] ?? 0
    #expect(try keychain.find(query("mail")).count == 5001)
    #expect(keychain.enclave.counts[OpenAttributes.number] == before + 2)
    #expect(try keychain.remove(query("mail"), all: true) == 5001)
  }

  @Test(
    "K4: an add costs one message to the enclave, a get and a removal two, an update three or four")
  func messageCounts() throws {
    func messages(_ body: () throws -> Void) rethrows -> [UInt8: Int] {
      let before = keychain.enclave.counts
      try body()
      return keychain.enclave.counts.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }
    #expect(try messages { try keychain.add("other") } == [SealItem.number: 1])
    #expect(
      try messages { _ = try keychain.get(query("mail")) }
        // The enclave of these tests asks itself for the item.
        == [HashAttributes.number: 1, OpenItemWithAttributes.number: 1, OpenItem.number: 1])
    let search = [HashAttributes.number: 1, OpenAttributes.number: 1]
    #expect(
      try messages { try keychain.update(query("other"), secret: "new") }
        == search.merging([SealItem.number: 1]) { $0 + $1 })
    #expect(
      try messages { try keychain.update(query("other"), changes(label: "new")) }
        == [HashAttributes.number: 2, OpenAttributes.number: 1, SealAttributes.number: 1])
    #expect(try messages { try keychain.remove(query("other")) } == search)
  }
}
