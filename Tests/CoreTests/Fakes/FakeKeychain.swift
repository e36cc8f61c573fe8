import LinuxSystem
import Protocol

@testable import AuthCore

/// A keychain with one item, `secret` of the service `site`, behind an access control of the test's
/// choice.
final class FakeKeychain: Sendable {
  /// What a broken one does with a request.
  enum Fault: Sendable {
    /// Does not return until it is released.
    case hang
    case die
    case lie([UInt8])
  }

  struct State {
    var fault: Fault?
    /// The kind of request it is broken for; nil: all.
    var faultyFor: UInt8?
    /// Whether it does all of the request but answer before it shows the fault.
    var isFaultLate = false
    /// Whether it has the enclave seal what it adds.
    var sealsItems = false
    var hangs = 0
    var loads = 0
    var accessControl: AccessControl?
    var identity: [UInt8] = []
    var isClosed = false
    var asked: [UInt8] = []
    var applications: [String] = []
  }

  let state = Guarded(State())
  /// Its service `enclave/1`.
  let link = KeychainEnclaveLink()
  private let enclave: FakeEnclave

  init(_ enclave: FakeEnclave) { self.enclave = enclave }

  /// The engine on its thread; every time it is made anew counts as a load.
  func engine(milliseconds: Int32) throws(Failure) -> EngineThread {
    try EngineThread(name: "keychain", milliseconds: milliseconds, whenLate: .waitForReturn) {
      [self] () throws(Failure) in
      state.update { $0.loads += 1 }
      return { [self] (request) throws(Failure) in
        let number = OpenedRequest(request.array)?.number ?? 0
        let isLate = state.read { $0.isFaultLate }
        if !isLate, let lie = try misbehave(number) { return lie }
        let reply = answer(request)
        if isLate, let lie = try misbehave(number) { return lie }
        return reply
      }
    }
  }

  /// Waits until it hangs.
  func waitUntilHung() { state.wait { $0.hangs > 0 ? () : nil } }

  /// Ends the fault; what hangs returns.
  func mend() { state.update { $0.fault = nil } }

  private func misbehave(_ number: UInt8) throws(Failure) -> SecretBytes? {
    let fault = state.update { state -> Fault? in
      guard state.faultyFor == nil || state.faultyFor == number else { return nil }
      if case .hang = state.fault { state.hangs += 1 }
      return state.fault
    }
    switch fault {
    case nil: return nil
    case .lie(let bytes): return SecretBytes(copying: bytes.span)
    case .die: throw Failure(.engineFailed, "the keychain broke")
    case .hang:
      state.wait { $0.fault == nil ? () : nil }
      return nil
    }
  }

  func answer(_ request: borrowing SecretBytes) -> SecretBytes {
    guard let request = OpenedRequest(request.array) else {
      return Failure(.engineFailed, "fake keychain: no envelope").encoded()
    }
    let number = request.number
    let (control, isClosed) = state.update { state in
      state.asked.append(number)
      return (state.accessControl, state.isClosed)
    }
    if isClosed {
      return Failure(.errSecInteractionNotAllowed, "the item's class is closed").encoded()
    }
    switch number {
    case GetItem.number:
      guard (try? GetItem.decode(request.message.span)) != nil else { break }
      state.update { $0.applications.append(request.application) }
      if let needed = missing(control, request.context) { return needed.encoded() }
      if control?.needsAppPassword == true, !isRightAppPassword(request.context) {
        return Failure(.errSecAuthFailed, "the application password is wrong").encoded()
      }
      var attributes = ItemAttributes()
      attributes.service = "site"
      return GotItem(
        attributes: attributes, secret: SecretBytes(copying: Array("secret".utf8).span)
      )
      .encoded()
    case UpdateItems.number:
      guard let message = try? UpdateItems.decode(request.message.span) else { break }
      if let needed = missing(control, request.context) { return needed.encoded() }
      return ItemsChanged(count: UInt32(message.secret.count)).encoded()
    case AddItem.number:
      guard let message = try? AddItem.decode(request.message.span) else { break }
      if state.read({ $0.sealsItems }), let refusal = sealing(message) { return refusal }
      return ItemAdded(attributes: message.attributes).encoded()
    case RemoveItems.number: return ItemsChanged(count: 1).encoded()
    case RemovePasscodeBoundItems.number: return ItemsChanged(count: 3).encoded()
    case FindItems.number: return FoundItems(items: []).encoded()
    default: break
    }
    return Failure(.engineFailed, "fake keychain: unknown request \(number)").encoded()
  }

  /// Has the enclave seal an item.
  /// - Returns: the failure, where it does not.
  private func sealing(_ item: borrowing AddItem) -> SecretBytes? {
    let request = SealItem(
      protection: ItemProtection(accessibility: .whenUnlocked, accessControl: nil, identity: [1]),
      names: [[2]], attributes: [3], secret: item.secret.bytes)
    let reply = link.forward(request.encoded().bytes)
    guard let reply else { return Failure(.engineFailed, "the enclave has ended").encoded() }
    if (try? SealedItem.decode(reply.bytes)) != nil { return nil }
    let failure = try? Failure.decode(reply.bytes)
    return (failure ?? Failure(.engineFailed, "the enclave answered something else")).encoded()
  }

  /// Whether it is "apple"; a wrong one is forgotten, as the enclave does.
  private func isRightAppPassword(_ context: ContextName) -> Bool {
    enclave.state.update { state in
      guard state.appPasswords[context] != Array("apple".utf8) else { return true }
      state.contexts[context]?.remove(.appPassword)
      return false
    }
  }

  private func missing(_ control: AccessControl?, _ context: ContextName) -> EvidenceNeeded? {
    guard let control else { return nil }
    let held = enclave.state.read { $0.contexts[context] ?? [] }
    return control.isSatisfied(by: held)
      ? nil
      : EvidenceNeeded(
        accessControl: control, held: held, identity: state.read { $0.identity })
  }
}
