import Protocol

@testable import EnclaveEngine
@testable import EnclaveSimulation
@testable import GoldenSamples

/// What a fuzzed device does with items and attributes.
extension FuzzedDevice {
  /// Seals an item, to be opened later.
  mutating func sealItem(_ program: inout FuzzProgram) {
    let model = items[program.next(below: items.count)]
    let bytes = [UInt8](repeating: program.next(), count: program.nextLong() % 300)
    let request = SealItem(
      protection: model.protection, names: [[1], []], attributes: [program.next()],
      secret: bytes.span
    ).encoded()
    let (message, reply) = deliver(
      Array(copying: request), .keychain, context: context(&program))
    guard reply[0] == SealedItem.number else { return }
    do {
      let (sent, sealed) = (
        try SealItem(decoding: message.span), try SealedItem.decode(reply.span)
      )
      let protection = ItemProtection(
        accessibility: sent.protection.accessibility,
        accessControl: sent.protection.accessControl,
        identity: sent.protection.identity + (sealed.hashes.first ?? []))
      let secret = sent.secret.indices.map { sent.secret[$0] }
      items.append(.init(protection: protection, sealed: sealed.sealedSecret, secret: secret))
    } catch {
      preconditionFailure("something was sealed that cannot be read: \(error)")
    }
  }

  /// Opens an item, or what a hostile keychain makes of several.
  mutating func openItem(_ program: inout FuzzProgram) {
    let item = items[program.next(below: items.count)]
    let other = items[program.next(below: items.count)]
    var (protection, sealed) = (item.protection, item.sealed)
    switch program.next(below: 6) {
    case 0: Edit(&program).apply(to: &sealed)
    case 1:  // The same part of another one.
      let (start, end) = (program.nextLong() % sealed.count, program.nextLong() % sealed.count)
      if start < end, end <= other.sealed.count {
        sealed.replaceSubrange(start..<end, with: other.sealed[start..<end])
      }
    case 2: protection = other.protection
    case 3: sealed[0] &+= program.next()
    default: break
    }
    let context = context(&program)
    let request = OpenItem(
      protection: protection, sealed: sealed, onlyAuthorize: program.next() == 0xff)
    let (before, held) = (status, evidence(of: context))
    let (message, reply) = deliver(
      Array(copying: request.encoded()), .keychain, context: context)
    guard reply[0] == OpenedItem.number else { return }
    let original = items.first {
      (try? OpenItem.decode(message.span))
        == OpenItem(protection: $0.protection, sealed: $0.sealed)
    }
    guard let original else { preconditionFailure("something opened that was never sealed") }
    precondition(Self.openedSecret(in: reply) == original.secret, "another secret came out")
    Self.checkOpened(original, before, held)
  }

  private static func openedSecret(in reply: [UInt8]) -> [UInt8]? {
    guard let opened = try? OpenedItem.decode(reply.span) else { return nil }
    return Array(copying: opened.secret)
  }

  /// What must hold for the device and the context of an opened item.
  private static func checkOpened(
    _ item: StartingState.Item, _ status: EnclaveStatus?, _ held: EvidenceSet
  ) {
    guard let status else { preconditionFailure("an item opened without a status") }
    switch item.protection.accessibility {
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
      precondition(status.isFirstUnlocked, "an item opened before the first unlock")
    case .whenPasscodeSetThisDeviceOnly:
      precondition(!status.isLocked && status.isPasscodeSet, "an item of no passcode opened")
    default: precondition(!status.isLocked, "an item of a locked device opened")
    }
    guard let control = item.protection.accessControl else { return }
    precondition(control.isSatisfied(by: held), "an item opened without the evidence it asks for")
  }

  mutating func openAttributes(_ program: inout FuzzProgram) {
    let known = StartingState.attributes
    let entries = (0..<1 + program.next(below: 4)).map { _ in
      var entry = known[program.next(below: known.count)]
      if program.nextBoolean() {
        var bytes = entry.bytes
        Edit(&program).apply(to: &bytes)
        entry = AttributesEntry(
          accessibility: entry.accessibility, identity: entry.identity, bytes: bytes)
      }
      return entry
    }
    let (message, reply) = deliver(
      Array(copying: OpenAttributes(entries: entries).encoded()), .keychain)
    // An edit may have made it a request to seal them.
    guard message.first == OpenAttributes.number, reply[0] == AttributeBatch.number,
      let batch = try? AttributeBatch.decode(reply.span)
    else { return }
    for case .value(let bytes) in batch.results {
      precondition(bytes.count == 2 && bytes[1] == 7, "altered attributes opened")
    }
  }
}
