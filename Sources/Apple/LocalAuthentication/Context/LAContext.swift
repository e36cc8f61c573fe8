@_exported public import Foundation
import Protocol
@_exported public import Security

// Source compatible with Apple's framework of this name.

/// Authenticates the owner, and keeps what was proved for requests of the keychain
/// (`kSecUseAuthenticationContext`), until it is invalidated or released.
///
/// What is proved stays in the enclave: five minutes at most, and not beyond a lock, or a change of
/// the passcode or of the fingers. While it counts, the same is not asked for again.
///
/// Every member may be used on any thread; `canEvaluatePolicy` waits for the core. The class is not
/// Sendable, since Apple's is not and its subclasses need not be. Evaluations of one context run
/// one after another; each is answered exactly once, never on the thread that asked, and an answer
/// may ask on, invalidate, or block.
open class LAContext: NSObject {
  /// What is behind it.
  let session: AuthenticationSession

  /// A context in which nothing is proved. Nothing is sent before it is asked for something.
  public override init() { session = AuthenticationSession() }

  // MARK: Policies

  /// Whether a policy could be evaluated: whether it makes sense to offer that (L2). That it could
  /// says nothing of whether it will succeed. Waits for the core.
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

  /// Has the owner prove what a policy wants, and asks for it if the context does not hold that
  /// yet (L3). Returns at once. An evaluation goes on when the context is released; `invalidate`
  /// ends it.
  /// - Parameters:
  ///   - policy: what is to be proved.
  ///   - localizedReason: what the owner permits; shown in the prompt. One without visible
  ///     characters fails with ``LAError/Code/notInteractive``.
  ///   - reply: hears whether it was proved, and else why not, an ``LAError``. On a queue of its own.
  @preconcurrency open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.evaluate(policy, reason: localizedReason, reply: reply)
  }

  /// The same for a task. Cancelling that ends the evaluation with ``LAError/Code/appCancel``.
  /// - Parameters:
  ///   - policy: what is to be proved.
  ///   - localizedReason: what the owner permits; shown in the prompt.
  /// - Returns: true.
  /// - Throws: an ``LAError``.
  @discardableResult open nonisolated(nonsending) func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String
  ) async throws -> Bool {
    try await EvaluationTicket.awaitReply { reply in
      evaluatePolicy(policy, localizedReason: localizedReason, reply: reply)
    }
  }

  // MARK: Access controls and credentials

  /// Has the owner prove what an access control asks for, for a later request of the keychain in
  /// this context. An application password is not looked at: it is compared when something is
  /// opened. Returns at once.
  /// - Parameters:
  ///   - accessControl: what has to be proved.
  ///   - operation: what somebody wants to do; asked for is the same for all of them.
  ///   - localizedReason: what the owner permits; shown in the prompt. One without visible
  ///     characters fails with ``LAError/Code/notInteractive``.
  ///   - reply: hears whether it was proved, and else why not, an ``LAError``. On a queue of its own.
  @preconcurrency open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation,
    localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.evaluate(accessControl.accessControl, reason: localizedReason, reply: reply)
  }

  /// The same for a task. Cancelling that ends the evaluation with ``LAError/Code/appCancel``.
  /// - Parameters:
  ///   - accessControl: what has to be proved.
  ///   - operation: what somebody wants to do.
  ///   - localizedReason: what the owner permits; shown in the prompt.
  /// - Returns: true.
  /// - Throws: an ``LAError``.
  @discardableResult open nonisolated(nonsending) func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation,
    localizedReason: String
  ) async throws -> Bool {
    try await EvaluationTicket.awaitReply { reply in
      evaluateAccessControl(
        accessControl, operation: operation, localizedReason: localizedReason, reply: reply)
    }
  }

  /// Gives the context a password of the application's own, which enters the keys of what is opened
  /// and sealed in it (`SecAccessControlCreateFlags.applicationPassword`). It is kept in memory that
  /// is locked, and wiped when the context ends; the `Data` it comes in is the caller's to wipe.
  /// - Parameters:
  ///   - credential: 1 to 1024 bytes; nil takes the password away, together with everything that was
  ///     proved in the context.
  ///   - type: what it is; a smart card's PIN is never taken.
  /// - Returns: whether it was taken.
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

  /// Whether the context was given something of this kind.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && session.hasAppPassword
  }

  /// Ends the context: evaluations that are not over fail with ``LAError/Code/appCancel``, later
  /// ones with ``LAError/Code/invalidContext``, and what was proved is forgotten. Does not wait.
  open func invalidate() { session.invalidate() }

  // MARK: What the owner is told

  /// What the owner permits if a request of the keychain asks; empty: the request says it.
  open var localizedReason: String {
    get { session.settings.reason }
    set { session.set { $0.reason = newValue } }
  }

  /// The title of the fallback; nil: the usual one; empty: there is none.
  open var localizedFallbackTitle: String? {
    get { session.settings.fallbackTitle }
    set { session.set { $0.fallbackTitle = newValue } }
  }

  /// The title of what cancels; Nil for the usual one.
  open var localizedCancelTitle: String? {
    get { session.settings.cancelTitle }
    set { session.set { $0.cancelTitle = newValue } }
  }

  /// Whether nobody may be asked: what would have to ask fails, an evaluation with
  /// ``LAError/Code/notInteractive``, and a request of the keychain with
  /// `errSecInteractionNotAllowed`.
  open var interactionNotAllowed: Bool {
    get { session.settings.interactionNotAllowed }
    set { session.set { $0.interactionNotAllowed = newValue } }
  }

  /// How long ago the device may have been unlocked by a touch for that to count here, in seconds:
  /// 0, the default, to ``LATouchIDAuthenticationMaximumAllowableReuseDuration``, which takes the
  /// place of anything longer. Counts from the first request in the context; later changes are for
  /// nothing.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { session.settings.reuseDuration }
    set { session.set { $0.setReuseDuration(newValue) } }
  }

  /// Without effect, as on Apple's systems of today: three misses end an evaluation.
  open var maxBiometryFailures: NSNumber? {
    get { session.settings.maxBiometryFailures.map { NSNumber(value: $0) } }
    set { session.set { $0.maxBiometryFailures = newValue?.intValue } }
  }

  // MARK: The device

  /// What biometry there is: ``LABiometryType/touchID`` if a reader is connected, whether or not
  /// a finger is enrolled. ``LABiometryType/none`` before `canEvaluatePolicy` has been called,
  /// whatever that said.
  open var biometryType: LABiometryType { session.biometryType }

  /// Stands for the set of enrolled fingers: compared for equality only, and another one after each
  /// change of the set. Nil before `canEvaluatePolicy` has said yes to a policy of biometry, or a
  /// touch has proved something.
  open var evaluatedPolicyDomainState: Data? { session.evaluatedDomainState }

  /// Stands for what can prove the owner's presence at this moment. Waits for the core; if that
  /// cannot be reached it holds no states.
  open var domainState: LADomainState { LADomainState(session.status) }
}

extension LAContext: _AuthenticationContext {
  /// What a request of the keychain in this context goes by (`kSecUseAuthenticationContext`).
  public var _authentication: _Authentication {
    _Authentication(in: session.contextForKeychain, session.settings.prompting())
  }
}

/// Stands for everything that can prove the owner's presence. It never changes; any thread.
public final class LADomainState: NSObject, Sendable {
  /// What fingers there are.
  public let biometry: LADomainStateBiometry
  /// What companion devices there are: none.
  public let companion: LADomainStateCompanion

  /// Stands for all of it together; nil if nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }

  /// That of a device; nil: of one that cannot be reached.
  init(_ status: consuming CoreStatus?) {
    biometry = LADomainStateBiometry(status)
    companion = LADomainStateCompanion()
  }
}

/// Stands for the enrolled fingers. It never changes; any thread.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// What biometry there is.
  public let biometryType: LABiometryType
  /// Compared for equality only, and another one after each change of the set of fingers; nil if
  /// none is enrolled.
  public let stateHash: Data?

  init(_ status: consuming CoreStatus?) {
    biometryType = status.map { LABiometryType($0) } ?? .none
    stateHash = status.flatMap { $0.domainState.isEmpty ? nil : Data($0.domainState) }
  }
}

/// Stands for companion devices, of which this system knows none. Any thread.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// Nil: there are none.
  public var stateHash: Data? { nil }
  /// Empty: there are none.
  public var availableCompanionTypes: Set<LACompanionType> { [] }

  /// Nil: there are none of any kind.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
