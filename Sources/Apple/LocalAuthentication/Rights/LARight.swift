import Protocol
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
  ///   - completion: hears why not, an ``LAError``; nil where it is permitted. On a queue of its own.
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
  /// - Parameter completion: hears why not, an ``LAError``; nil where it could be. On a queue of its
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
