import CoreClient
import Protocol
public import Security
import Synchronization

/// Something that only the owner may do, and whether that was permitted (iOS 16, macOS 13).
///
/// Authorized, it stays so until it is deauthorized or released; nobody is asked meanwhile. Any
/// thread.
open class LARight: NSObject, @unchecked Sendable {
  // Unchecked, since a class that others may inherit from cannot be checked; all that it holds
  // itself is guarded.

  /// What is known of a right.
  public enum State: Int, Sendable {
    /// Nothing was asked yet.
    case unknown = 0
    /// The owner is asked.
    case authorizing = 1
    /// The owner has permitted it.
    case authorized = 2
    /// It was not permitted, or is no longer.
    case notAuthorized = 3
  }

  private struct Progress {
    var state = State.unknown
    var tag = 0
  }

  /// What the owner has to prove.
  let requirement: LAAuthenticationRequirement
  /// What the owner has proved.
  let evidence: RightEvidence
  private let progress = Mutex(Progress())

  /// A right that wants the owner's presence, by finger or passcode.
  public override convenience init() { self.init(requirement: .default) }

  /// A right that wants this.
  public convenience init(requirement: LAAuthenticationRequirement) {
    self.init(requirement, RightEvidence())
  }

  init(_ requirement: LAAuthenticationRequirement, _ evidence: RightEvidence) {
    (self.requirement, self.evidence) = (requirement, evidence)
  }

  /// Whether it is permitted.
  open var state: State { progress.withLock { $0.state } }

  /// For the application's own use.
  open var tag: Int {
    get { progress.withLock { $0.tag } }
    set { progress.withLock { $0.tag = newValue } }
  }

  /// Has the owner permit it.
  /// - Parameters:
  ///   - localizedReason: what the owner permits; shown in the prompt.
  ///   - completion: hears why not, an ``LAError``; nil if it is permitted. On a queue of its own.
  @preconcurrency open func authorize(
    localizedReason: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let session = evidence.session
    progress.withLock { $0.state = .authorizing }
    session.evaluate(requirement.accessControl, reason: localizedReason) {
      [self] isAuthorized, error in
      progress.withLock { progress in
        // A right that was deauthorized meanwhile stays so.
        guard evidence.session === session else { return }
        progress.state = isAuthorized ? .authorized : .notAuthorized
      }
      completion(error)
    }
  }

  /// Has the owner permit it. Cancelling the task ends that with ``LAError/Code/appCancel``.
  /// - Parameter localizedReason: what the owner permits; shown in the prompt.
  /// - Throws: an ``LAError``.
  open nonisolated(nonsending) func authorize(localizedReason: String) async throws {
    _ = try await EvaluationTicket.awaitReply { reply in
      authorize(localizedReason: localizedReason) { reply($0 == nil, $0) }
    }
  }

  /// Whether the owner could permit it at this moment.
  /// - Parameter completion: hears why not, an ``LAError``; nil if it could be. On a queue of its
  ///   own.
  @preconcurrency open func checkCanAuthorize(
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    evidence.session.check(requirement.policy) { completion($1) }
  }

  /// Whether the owner could permit it at this moment.
  /// - Throws: why not, an ``LAError``.
  open nonisolated(nonsending) func checkCanAuthorize() async throws {
    _ = try await EvaluationTicket.awaitReply { reply in
      checkCanAuthorize { reply($0 == nil, $0) }
    }
  }

  /// Takes the permission back: what was proved for it is forgotten.
  /// - Parameter completion: called when that is done. On a queue of its own.
  @preconcurrency open func deauthorize(completion: @escaping @Sendable () -> Void) {
    evidence.forget()
    progress.withLock { $0.state = .notAuthorized }
    DispatchQueue(label: "LocalAuthentication.reply").async(execute: completion)
  }

  /// Takes the permission back: what was proved for it is forgotten.
  open nonisolated(nonsending) func deauthorize() async {
    await withCheckedContinuation { continuation in deauthorize { continuation.resume() } }
  }
}

/// A right that is kept under a name (``LARightStore``), with a key of the enclave's and, if one
/// was saved, a secret, which serve only while the right is authorized.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  /// The name it is kept under.
  let name: String
  /// A key that was made for it; its private half never leaves the enclave.
  public let key: LAPrivateKey
  /// The secret that was saved with it, if one was.
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

  /// Reads the secret while the right is authorized; nobody is asked for it.
  /// - Parameter completion: gets the secret, which is the caller's to wipe, or hears why not, an
  ///   error of `NSOSStatusErrorDomain`: `errSecInteractionNotAllowed` while the right is not
  ///   authorized, `errSecItemNotFound` if none was saved. On a queue of its own.
  @preconcurrency public func loadData(
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [self] in try read() }
  }

  /// The secret, read while the right is authorized; nobody is asked for it. It is the caller's to
  /// wipe. Fails as ``loadData(completion:)`` does.
  public var rawData: Data {
    get async throws { try await RightWork.value { [self] in try read() } }
  }

  private func read() throws -> Data {
    try KeptRights(client: evidence.client).secret(of: name, evidence)
  }
}

/// Where what the owner has proved for a right lies. Any thread.
///
/// What is kept with a right is used in it, and prompts for nothing: an authorization does that.
final class RightEvidence: NSObject, _AuthenticationContext, Sendable {
  /// The way to the core.
  let client: ApplicationClient
  private let current: Mutex<AuthenticationSession>

  init(_ client: ApplicationClient = .current) {
    self.client = client
    current = Mutex(AuthenticationSession(client))
  }

  /// What holds it at this moment.
  var session: AuthenticationSession { current.withLock { $0 } }

  /// Forgets what was proved; what is proved from here on counts.
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
