import EngineKit
import Glibc
import Protocol

/// The keychain's link to the enclave, which alone can seal, open and hash (E1).
struct EnclaveLink {
  let services: EngineServices
  /// The user that the items belong to.
  private let user: UInt32
  /// The database whose rows the enclave has sealed; nil for questions about other rows.
  private(set) var database: KeychainDatabase?

  init(services: EngineServices, database: KeychainDatabase?) {
    self.services = services
    user = services.owner ?? geteuid()
    self.database = database
  }

  /// A link for questions about rows that lie elsewhere.
  var apartFromDatabase: EnclaveLink {
    var link = self
    link.database = nil
    return link
  }

  /// The name that is hashed for a group.
  func hashedName(_ group: String) -> String { AccessGroup.hashedName(group, ofUser: user) }

  enum Opening: ~Copyable {
    case secret(SecretBytes)
    case evidenceNeeded(EvidenceNeeded)
  }

  /// The sealed parts of an item.
  struct SealedRow {
    let name: HashedName
    let attributes: [UInt8]
    let sealedSecret: [UInt8]
  }

  /// Seals and hashes an item of a group in one message.
  func seal(
    _ attributes: ItemAttributes, _ secret: Span<UInt8>, identifier: [UInt8],
    in group: String
  ) throws(Failure) -> SealedRow {
    let names = names(of: attributes, in: group) + [Self.identifyingName]
    let request = SealItem(
      protection: Self.protection(of: attributes, identifier), names: names,
      attributes: Self.encoded(attributes), secret: secret)
    return try row(of: call(request.encoded()), names: names.count)
  }

  enum Resealing {
    case sealed(SealedRow)
    case evidenceNeeded(EvidenceNeeded)
  }

  /// Seals an item as `attributes` say, in a group, or says which evidence its present protection
  /// needs.
  func reseal(
    _ sealed: [UInt8], of row: ItemRow, as protection: ItemProtection,
    with attributes: ItemAttributes, in group: String
  ) throws(Failure) -> Resealing {
    let names = names(of: attributes, in: group) + [Self.identifyingName]
    let request = ResealItem(
      sealed, as: protection, under: Self.protection(of: attributes, row.identifier), names: names,
      attributes: Self.encoded(attributes))
    let reply = try call(request.encoded(capacity: sealed.count + 1024))
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    return .sealed(try self.row(of: reply, names: names.count))
  }

  private func row(
    of reply: borrowing SecretBytes, names: Int
  ) throws(Failure) -> SealedRow {
    let sealed: SealedItem = try decode(reply)
    guard sealed.hashes.count == names,
      let name = HashedName(hashes: try withoutIdentity(sealed.hashes))
    else { throw Self.mismatch }
    return SealedRow(name: name, attributes: sealed.attributes, sealedSecret: sealed.sealedSecret)
  }

  static func protection(
    of attributes: ItemAttributes, _ identifier: [UInt8]
  ) -> ItemProtection {
    ItemProtection(
      accessibility: attributes.accessibility, accessControl: attributes.accessControl,
      identity: ItemRow.identity(identifier, itemClass: attributes.itemClass))
  }

  func open(
    _ sealed: [UInt8], as protection: ItemProtection
  ) throws(Failure) -> Opening {
    let request = OpenItem(protection: protection, sealed: sealed)
    return try opening(in: call(request.encoded(capacity: sealed.count + 256)))
  }

  /// The attributes of an item, and the enclave's answer about its secret.
  struct OpenedRow: ~Copyable {
    let attributes: OpenedAttributes
    private let itemReply: SecretBytes

    fileprivate init(_ opened: consuming OpenedItemWithAttributes) {
      attributes = EnclaveLink.result(opened.attributes)
      itemReply = opened.takeItemReply()
    }

    consuming func takeItemReply() -> SecretBytes { itemReply }
  }

  /// Opens attributes and secret of a row in one message.
  func open(
    _ sealed: [UInt8], of row: ItemRow, as protection: ItemProtection
  ) throws(Failure) -> OpenedRow {
    let request = OpenItemWithAttributes(
      item: OpenItem(protection: protection, sealed: sealed),
      attributes: AttributesEntry(protection, bytes: row.sealedAttributes))
    let capacity = sealed.count + row.sealedAttributes.count + 512
    return OpenedRow(
      try Self.inPlace(of: call(request.encoded(capacity: capacity))) {
        (reply) throws(DecodeError) in try OpenedItemWithAttributes.results(of: reply)
      })
  }

  /// Reads the enclave's answer to ``Protocol/OpenItem``; throws a failure in it.
  func opening(in reply: consuming SecretBytes) throws(Failure) -> Opening {
    try throwFailure(in: reply)
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    return .secret(
      try Self.inPlace(of: reply) { (reply) throws(DecodeError) in try OpenedItem.secret(of: reply)
      })
  }

  private static func inPlace<Part: ~Copyable>(
    of reply: consuming SecretBytes,
    _ body: (consuming SecretBytes) throws(DecodeError) -> Part
  ) throws(Failure) -> Part {
    do throws(DecodeError) {
      return try body(reply)
    } catch {
      throw mismatch
    }
  }

  /// The evidence that the context lacks to open a sealed secret, or nil.
  func authorize(
    _ sealed: [UInt8], as protection: ItemProtection
  ) throws(Failure) -> EvidenceNeeded? {
    let request = OpenItem(
      protection: protection, sealed: sealed, onlyAuthorize: true)
    return try missing(in: call(request.encoded(capacity: sealed.count + 256)))
  }

  /// The evidence that the context lacks for the owner's presence, or nil.
  func requirePresence() throws(Failure) -> EvidenceNeeded? {
    try missing(in: call(RequirePresence().encoded()))
  }

  private func missing(in reply: consuming SecretBytes) throws(Failure) -> EvidenceNeeded? {
    if Self.kind(of: reply) == EvidenceNeeded.number { return try decode(reply) }
    let _: Done = try decode(reply)
    return nil
  }

  /// Whether `body` fails with one of these codes. Throws if the enclave itself fails; other failures
  /// are not of interest.
  static func fails(
    with codes: Set<FailureCode>, _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      try body()
      return false
    } catch {
      if error.code == .engineFailed { throw error }
      return codes.contains(error.code)
    }
  }

  /// Sends a request; throws a failure of the enclave.
  func call(_ request: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let reply = try services.callEnclave(request)
    try throwFailure(in: reply)
    return reply
  }

  private func throwFailure(in reply: borrowing SecretBytes) throws(Failure) {
    guard Self.kind(of: reply) == Failure.number else { return }
    let failure: Failure = try decode(reply)
    throw failure
  }

  static func kind(of reply: borrowing SecretBytes) -> UInt8? {
    reply.count > 0 ? reply.bytes[0] : nil
  }

  func decode<Message: WireMessage & ~Copyable>(
    _ reply: borrowing SecretBytes
  ) throws(Failure) -> Message {
    do throws(DecodeError) {
      return try Message.decode(reply.bytes)
    } catch {
      throw Self.mismatch
    }
  }

  static var mismatch: Failure {
    Failure(
      .engineFailed, "the enclave gave the keychain an answer to another question",
      hint: "enclave and keychain engine are of different versions: install both from one build")
  }
}
