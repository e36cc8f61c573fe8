import EngineKit
import Sandbox
import Wire

/// A keychain with one item, `secret` of the service `site`, behind an access control of the test's choice.
final class FakeKeychain: Sendable {
  struct State {
    var accessControl: AccessControl?
    var isClosed = false
    var asked: [UInt8] = []
    var applications: [String] = []
  }

  let state = Monitor(State())
  private let enclave: FakeEnclave

  init(_ enclave: FakeEnclave) { self.enclave = enclave }

  func answer(_ request: borrowing SecretBytes) -> SecretBytes {
    let number = request.bytes[0]
    let (control, isClosed) = state.withLock { state in
      state.asked.append(number)
      return (state.accessControl, state.isClosed)
    }
    if isClosed {
      return Failure(.errSecInteractionNotAllowed, "the item's class is closed").encoded()
    }
    switch number {
    case GetItem.number:
      guard let message = try? GetItem.decode(request.bytes) else { break }
      state.withLock { $0.applications.append(message.application) }
      if let needed = missing(control, message.context) { return needed.encoded() }
      var attributes = ItemAttributes()
      attributes.service = "site"
      return GotItem(
        attributes: attributes, secret: SecretBytes(copying: Array("secret".utf8).span)
      )
      .encoded()
    case UpdateItems.number:
      guard let message = try? UpdateItems.decode(request.bytes) else { break }
      if let needed = missing(control, message.context) { return needed.encoded() }
      return ItemsChanged(count: UInt32(message.secret.count)).encoded()
    case RemovePasscodeBoundItems.number: return ItemsChanged(count: 3).encoded()
    case FindItems.number: return FoundItems(items: []).encoded()
    default: break
    }
    return Failure(.engineFailed, "fake keychain: unknown request \(number)").encoded()
  }

  private func missing(_ control: AccessControl?, _ context: UInt64) -> EvidenceNeeded? {
    guard let control else { return nil }
    let held = enclave.state.withLock { $0.contexts[context] ?? [] }
    return control.isSatisfied(by: held) ? nil : EvidenceNeeded(accessControl: control, held: held)
  }
}
