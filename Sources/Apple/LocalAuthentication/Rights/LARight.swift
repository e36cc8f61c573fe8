import CoreClient
import Protocol
public import Security
import Synchronization

/// Something that only the owner may do, and whether it was permitted (iOS 16, macOS 13).
///
/// It stays authorized until it is deauthorized or released; meanwhile nobody is asked. Any thread.
open class LARight: NSObject, @unchecked Sendable {
  // Unchecked, since an open class cannot be checked; its own state is behind a lock.

  public enum State: Int, Sendable {
    case unknown = 0
    case authorizing = 1
    case authorized = 2
    case notAuthorized = 3
  }

  private struct Progress {
    var state = State.unknown
    var tag = 0
  }

  let requirement: LAAuthenticationRequirement
  let evidence: RightEvidence
  private let progress = Mutex(Progress())

  /// A right that demands the owner's presence, by finger or passcode.
  public override convenience init() { self.init(requirement: .default) }

  public convenience init(requirement: LAAuthenticationRequirement) {
    self.init(requirement, RightEvidence())
  }

  init(_ requirement: LAAuthenticationRequirement, _ evidence: RightEvidence) {
    (self.requirement, self.evidence) = (requirement, evidence)
  }

  open var state: State { progress.withLock { $0.state } }

  /// For the application's use.
  open var tag: Int {
    get { progress.withLock { $0.tag } }
    set { progress.withLock { $0.tag = newValue } }
  }

  /// Asks the owner to permit it.
  /// - Parameters:
  ///   - localizedReason: what the owner permits; shown in the prompt.
  ///   - completion: receives nil if it is permitted, else an ``LAError``. On a queue of its own.
  @preconcurrency open func authorize(
    localizedReason: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let session = evidence.session
    progress.withLock { $0.state = .authorizing }
    session.evaluate(requirement.accessControl, reason: localizedReason) {
      [self] isAuthorized, error in
      progress.withLock { progress in
        // A right that was deauthorized meanwhile stays deauthorized.
        guard evidence.session === session else { return }
        progress.state = isAuthorized ? .authorized : .notAuthorized
      }
      completion(error)
    }
  }

  /// Asks the owner to permit it. Cancelling the task ends that with ``LAError/Code/appCancel``;
  /// other failures are an ``LAError``, too.
  open nonisolated(nonsending) func authorize(localizedReason: String) async throws {
    _ = try await EvaluationTicket.awaitReply { reply in
      authorize(localizedReason: localizedReason) { reply($0 == nil, $0) }
    }
  }

  /// Checks whether the owner could permit it at this moment. `completion` receives nil if so, else
  /// an ``LAError``, on a queue of its own.
  @preconcurrency open func checkCanAuthorize(
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    evidence.session.check(requirement.policy) { completion($1) }
  }

  /// Checks whether the owner could permit it at this moment; fails with an ``LAError`` if not.
  open nonisolated(nonsending) func checkCanAuthorize() async throws {
    _ = try await EvaluationTicket.awaitReply { reply in
      checkCanAuthorize { reply($0 == nil, $0) }
    }
  }

  /// Withdraws the permission and forgets the evidence. `completion` is called afterwards, on a
  /// queue of its own.
  @preconcurrency open func deauthorize(completion: @escaping @Sendable () -> Void) {
    evidence.forget()
    progress.withLock { $0.state = .notAuthorized }
    DispatchQueue(label: "LocalAuthentication.reply").async(execute: completion)
  }

  open nonisolated(nonsending) func deauthorize() async {
    await withCheckedContinuation { continuation in deauthorize { continuation.resume() } }
  }
}

/// A right that was saved under a name (``LARightStore``), with an enclave key and perhaps a
/// secret, which can be used only while the right is authorized.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  let name: String
  /// Its key, whose private half never leaves the enclave.
  public let key: LAPrivateKey
  /// The secret that was saved with it, if any.
  public let secret: LASecret

  init(
    _ name: String, _ requirement: LAAuthenticationRequirement, _ key: SecKey,
    _ evidence: RightEvidence
  ) {
    self.name = name
    self.key = LAPrivateKey(key)
    secret = LASecret(of: name, evidence)
    super.init(requirement, evidence)
  }
}

/// The secret that was saved with a right. Any thread.
public final class LASecret: NSObject, Sendable {
  private let name: String
  private let evidence: RightEvidence

  init(of name: String, _ evidence: RightEvidence) {
    (self.name, self.evidence) = (name, evidence)
  }

  /// Reads the secret while the right is authorized, without asking. `completion` receives the
  /// secret, which the caller wipes, or an error of `NSOSStatusErrorDomain`:
  /// `errSecInteractionNotAllowed` while the right is not authorized, `errSecItemNotFound` if none
  /// was saved. It runs on a queue of its own.
  @preconcurrency public func loadData(
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [self] in try read() }
  }

  /// The secret, as ``loadData(completion:)`` reads it. The caller wipes it.
  public var rawData: Data {
    get async throws { try await RightWork.value { [self] in try read() } }
  }

  private func read() throws -> Data {
    try KeptRights(client: evidence.client).secret(of: name, evidence)
  }
}

/// The evidence for a right. Any thread.
///
/// A right's key and secret are used with it and never prompt: only an authorization does.
final class RightEvidence: NSObject, _AuthenticationContext, Sendable {
  let client: ApplicationClient
  private let current: Mutex<AuthenticationSession>

  init(_ client: ApplicationClient = .current) {
    self.client = client
    current = Mutex(AuthenticationSession(client))
  }

  /// The session that holds it at this moment.
  var session: AuthenticationSession { current.withLock { $0 } }

  /// Forgets the evidence and begins a new session.
  func forget() {
    let former = current.withLock { session in
      defer { session = AuthenticationSession(client) }
      return session
    }
    former.invalidate()
  }

  var _authentication: _Authentication {
    _Authentication(in: session.contextForKeychain, .forbidden)
  }

  deinit { session.invalidate() }
}
