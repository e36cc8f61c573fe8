@_exported public import Foundation
import Protocol
@_exported public import Security

// Source compatible with Apple's framework of this name.

/// Every member may be used on any thread; `canEvaluatePolicy` waits for the core. The class is not
/// Sendable, since Apple's is not and its subclasses need not be. Evaluations of one context run
/// one after another. Each is answered exactly once, never on the calling thread. A reply may start
/// further evaluations, invalidate the context, or block.
open class LAContext: NSObject {
  let session: AuthenticationSession

  /// Creates an empty context. Nothing is sent before the first request.
  public override init() { session = AuthenticationSession() }

  // MARK: Policies

  /// Whether a policy could be evaluated, so that it makes sense to offer it (L2). This does not
  /// say that it will succeed. Waits for the core.
  /// - Parameters:
  ///   - policy: what would be proved.
  ///   - error: where the reason goes, an ``LAError``, if it could not.
  /// - Returns: whether it could.
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do throws(Failure) {
      try session.requireEvaluable(policy)
      return true
    } catch let failure {
      unsafe error?.pointee = LAError(failure)._nsError
      return false
    }
  }

  /// Has the owner prove what a policy demands, unless the context holds that (L3). Returns at
  /// once. An evaluation goes on when the context is released; `invalidate` ends it.
  /// - Parameters:
  ///   - policy: what is to be proved.
  ///   - localizedReason: what the owner permits; shown in the prompt. One without visible
  ///     characters fails with ``LAError/Code/notInteractive``.
  ///   - reply: receives true, or false with an ``LAError``. On a queue of its own.
  @preconcurrency open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.evaluate(policy, reason: localizedReason, reply: reply)
  }

  /// The same for a task. Cancelling that ends the evaluation with ``LAError/Code/appCancel``;
  /// other failures are an ``LAError``, too.
  @discardableResult open nonisolated(nonsending) func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String
  ) async throws -> Bool {
    try await EvaluationTicket.awaitReply { reply in
      evaluatePolicy(policy, localizedReason: localizedReason, reply: reply)
    }
  }

  // MARK: Access controls and credentials

  /// Has the owner prove what an access control demands, for a later request of the keychain in
  /// this context. An application password is only checked when something is opened. Returns at
  /// once.
  /// - Parameters:
  ///   - accessControl: what has to be proved.
  ///   - operation: has no effect.
  ///   - localizedReason: what the owner permits; shown in the prompt. One without visible
  ///     characters fails with ``LAError/Code/notInteractive``.
  ///   - reply: receives true, or false with an ``LAError``. On a queue of its own.
  @preconcurrency open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation,
    localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.evaluate(accessControl.accessControl, reason: localizedReason, reply: reply)
  }

  /// The same for a task. Cancelling that ends the evaluation with ``LAError/Code/appCancel``;
  /// other failures are an ``LAError``, too.
  @discardableResult open nonisolated(nonsending) func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation,
    localizedReason: String
  ) async throws -> Bool {
    try await EvaluationTicket.awaitReply { reply in
      evaluateAccessControl(
        accessControl, operation: operation, localizedReason: localizedReason, reply: reply)
    }
  }

  /// Gives the context a password of the application, which enters the keys of items opened and
  /// sealed in it (`SecAccessControlCreateFlags.applicationPassword`). It is kept in locked memory
  /// and wiped when the context ends; the caller wipes the `Data`.
  /// - Parameters:
  ///   - credential: 1 to 1024 bytes; nil removes the password and everything that was proved in
  ///     the context.
  ///   - type: its kind; a smart card's PIN is never accepted.
  /// - Returns: whether it was accepted.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword else { return false }
    guard let credential else {
      session.removeAppPassword()
      return !session.isInvalid
    }
    guard (1...longestAppPassword).contains(credential.count) else { return false }
    return session.setAppPassword(SecretBytes(copying: credential.span))
  }

  /// Whether the context was given a credential of this kind.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && session.hasAppPassword
  }

  /// Ends the context: evaluations under way fail with ``LAError/Code/appCancel``, later ones with
  /// ``LAError/Code/invalidContext``, and what was proved is forgotten. Does not wait.
  open func invalidate() { session.invalidate() }

  // MARK: What the owner is told

  /// What the owner permits when a request of the keychain asks; empty for the request's own
  /// reason.
  open var localizedReason: String {
    get { session.settings.reason }
    set { session.set { $0.reason = newValue } }
  }

  /// The title of the fallback; nil for the usual one, empty for no fallback.
  open var localizedFallbackTitle: String? {
    get { session.settings.fallbackTitle }
    set { session.set { $0.fallbackTitle = newValue } }
  }

  /// The title of what cancels; Nil for the usual one.
  open var localizedCancelTitle: String? {
    get { session.settings.cancelTitle }
    set { session.set { $0.cancelTitle = newValue } }
  }

  /// Whether asking is forbidden: evaluations that would have to ask fail with
  /// ``LAError/Code/notInteractive``, requests of the keychain with `errSecInteractionNotAllowed`.
  open var interactionNotAllowed: Bool {
    get { session.settings.interactionNotAllowed }
    set { session.set { $0.interactionNotAllowed = newValue } }
  }

  /// How long ago an unlock by touch may be for `evaluatePolicy` to succeed without asking, in
  /// seconds: from 0, the default, to ``LATouchIDAuthenticationMaximumAllowableReuseDuration``.
  /// Items and keys that are used in the context ask all the same.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { session.settings.reuseDuration }
    set { session.set { $0.setReuseDuration(newValue) } }
  }

  /// Has no effect, as on Apple's current systems: three misses end an evaluation.
  open var maxBiometryFailures: NSNumber? {
    get { session.settings.maxBiometryFailures.map { NSNumber(value: $0) } }
    set { session.set { $0.maxBiometryFailures = newValue?.intValue } }
  }

  // MARK: The device

  /// ``LABiometryType/touchID`` if a reader is connected, even if no finger is enrolled.
  /// ``LABiometryType/none`` before the first call of `canEvaluatePolicy`.
  open var biometryType: LABiometryType { session.biometryType }

  /// Identifies the set of enrolled fingers: only compared for equality, and different after each
  /// change of the set. Nil before `canEvaluatePolicy` has succeeded for a policy of biometry or a
  /// touch has proved something.
  open var evaluatedPolicyDomainState: Data? { session.evaluatedDomainState }

  /// Identifies what can prove the owner's presence at this moment. Waits for the core; has no
  /// states if that cannot be reached.
  open var domainState: LADomainState { LADomainState(session.status) }
}

extension LAContext: _AuthenticationContext {
  /// The evidence and prompt for a request of the keychain in this context
  /// (`kSecUseAuthenticationContext`).
  public var _authentication: _Authentication {
    _Authentication(in: session.contextForKeychain, session.settings.prompting())
  }
}

/// Identifies everything that can prove the owner's presence. Immutable; any thread.
public final class LADomainState: NSObject, Sendable {
  public let biometry: LADomainStateBiometry
  /// Companion devices: there are none.
  public let companion: LADomainStateCompanion

  /// Identifies all of it together; nil if nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }

  /// - Parameter status: nil if the core cannot be reached.
  init(_ status: consuming CoreStatus?) {
    biometry = LADomainStateBiometry(status)
    companion = LADomainStateCompanion()
  }
}

/// Identifies the enrolled fingers. Immutable; any thread.
public final class LADomainStateBiometry: NSObject, Sendable {
  public let biometryType: LABiometryType
  /// Only compared for equality, and different after each change of the set of fingers; nil if none
  /// is enrolled.
  public let stateHash: Data?

  init(_ status: consuming CoreStatus?) {
    biometryType = status.map { LABiometryType($0) } ?? .none
    stateHash = status.flatMap { $0.domainState.isEmpty ? nil : Data($0.domainState) }
  }
}

/// Companion devices, which this system does not know. Any thread.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// Always nil.
  public var stateHash: Data? { nil }
  public var availableCompanionTypes: Set<LACompanionType> { [] }

  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
