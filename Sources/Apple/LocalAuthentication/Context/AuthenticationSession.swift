import CoreClient
import Dispatch
import Protocol
import Synchronization

/// The state of an `LAContext`, which lives as long as an answer is awaited: the context in the
/// enclave, and the requests.
///
/// Any thread. Requests run in order on a queue of the context.
final class AuthenticationSession: Sendable {
  private struct State {
    var context: ApplicationContext
    var settings = ContextSettings()
    var isInvalid = false
    /// Not yet answered.
    var evaluations: [ObjectIdentifier: Evaluation] = [:]
    var biometryType = LABiometryType.none
    var evaluatedDomainState: Data?
  }

  let client: ApplicationClient
  private let state: Mutex<State>
  private let appPassword = Mutex<SecretBytes?>(nil)
  private let queue = DispatchQueue(label: "LocalAuthentication.evaluation")

  /// Creates an empty session. Nothing is sent before the first request.
  init(_ client: ApplicationClient = .current) {
    self.client = client
    state = Mutex(State(context: ApplicationContext(client)))
  }

  /// What the application has set.
  var settings: ContextSettings { state.withLock { $0.settings } }

  /// Changes the settings.
  func set(_ change: (inout ContextSettings) -> Void) {
    state.withLock { change(&$0.settings) }
  }

  /// The biometry that the last check of a policy found.
  var biometryType: LABiometryType { state.withLock { $0.biometryType } }

  /// The set of fingers with which a policy could be, or was, evaluated.
  var evaluatedDomainState: Data? { state.withLock { $0.evaluatedDomainState } }

  /// Notes reader and fingers. If `isUsable`, a finger could prove, or has proved, something.
  func note(_ status: borrowing CoreStatus, isUsable: Bool) {
    let (type, domainState) = (LABiometryType(status), Data(status.domainState))
    state.withLock { state in
      state.biometryType = type
      if isUsable { state.evaluatedDomainState = domainState }
    }
  }

  /// A policy could not be evaluated: forgets the set of fingers if it was one of biometry.
  func forgetEvaluated(_ policy: EvaluatedPolicy) {
    guard policy == .biometrics else { return }
    state.withLock { $0.evaluatedDomainState = nil }
  }

  /// The core's status, or nil if it cannot be reached.
  var status: CoreStatus? { try? client.request(GetStatus()) }

  // MARK: Evaluating

  /// Begins a request that is answered later, after those before it.
  func evaluate(
    reply: @escaping Evaluation.Reply,
    _ body:
      @escaping @Sendable (ApplicationContext, CancellationSignal) throws(Failure) -> Void
  ) {
    let evaluation = Evaluation(reply)
    let isInvalid = state.withLock { state in
      if !state.isInvalid { state.evaluations[ObjectIdentifier(evaluation)] = evaluation }
      return state.isInvalid
    }
    guard !isInvalid else { return evaluation.end(Self.isOver) }
    EvaluationTicket.current?.onCancellation { [weak self] in self?.cancel(evaluation) }
    queue.async { [self] in
      if evaluation.begin() { evaluation.end(failure(of: evaluation, body)) }
      state.withLock { _ = $0.evaluations.removeValue(forKey: ObjectIdentifier(evaluation)) }
    }
  }

  private func failure(
    of evaluation: Evaluation,
    _ body: (ApplicationContext, CancellationSignal) throws(Failure) -> Void
  ) -> Failure? {
    do throws(Failure) {
      guard !evaluation.cancellation.isCancelled else { throw Self.isCancelled }
      try body(try context(), evaluation.cancellation)
      return nil
    } catch {
      // It was valid when the request was made.
      return isInvalid && error.code == .invalidContext ? Self.isCancelled : error
    }
  }

  private func cancel(_ evaluation: Evaluation) {
    state.withLock { $0.context }.cancel(evaluation.cancellation)
    evaluation.endIfWaiting(Self.isCancelled)
  }

  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  /// - Throws: `invalidContext` once it is invalidated.
  func requireValid() throws(Failure) {
    if isInvalid { throw Self.isOver }
  }

  /// Ends the session. Does not wait.
  func invalidate() {
    let (context, evaluations) = state.withLock { state in
      state.isInvalid = true
      return (state.context, Array(state.evaluations.values))
    }
    appPassword.withLock { $0 = nil }
    context.invalidate()
    for evaluation in evaluations { cancel(evaluation) }
  }

  // MARK: The context in the enclave

  /// The context for a request. The application password, if any, is given to it each time: the
  /// enclave forgets it after five minutes, and when the core ends.
  private func context() throws(Failure) -> ApplicationContext {
    let context = state.withLock { $0.context }
    let password = appPassword.withLock { $0?.duplicate() }
    if let password { try context.give(appPassword: password, for: .opening) }
    return context
  }

  /// The context for a request of the keychain. If the application password cannot be given, the
  /// request fails for the same reason and reports it.
  var contextForKeychain: ApplicationContext {
    do throws(Failure) {
      return try context()
    } catch {
      return state.withLock { $0.context }
    }
  }

  /// Whether an application password is set.
  var hasAppPassword: Bool { appPassword.withLock { $0 != nil } }

  /// Sets the application password.
  /// - Returns: whether it was accepted: an invalid context accepts none.
  func setAppPassword(_ password: consuming SecretBytes) -> Bool {
    guard !isInvalid else { return false }
    var password: SecretBytes? = password
    appPassword.withLock { swap(&$0, &password) }
    return true
  }

  /// Removes the application password and everything that was proved: the enclave cannot forget
  /// only a part of a context.
  func removeAppPassword() {
    guard appPassword.withLock({ $0.take() != nil }) else { return }
    let client = client
    state.withLock { state in
      guard !state.isInvalid else { return }
      // Requests under way stay in the former context, which ends with the last of them.
      state.context = ApplicationContext(client)
    }
  }

  private static let isOver = Failure(
    .invalidContext, "the context was invalidated",
    hint: "make another LAContext for further requests")
  private static let isCancelled = Failure(
    .appCancel, "the application withdrew its request")
}

/// The settings of a context.
struct ContextSettings: Sendable {
  /// What the owner is told when a request of the keychain asks.
  var reason = ""
  /// The title of the fallback; empty for no fallback.
  var fallbackTitle: String?
  var cancelTitle: String?
  var interactionNotAllowed = false
  var maxBiometryFailures: Int?
  /// In seconds, between 0 and ``LATouchIDAuthenticationMaximumAllowableReuseDuration``.
  private(set) var reuseDuration: TimeInterval = 0

  /// Sets the duration, within its limits.
  mutating func setReuseDuration(_ seconds: TimeInterval) {
    reuseDuration =
      seconds > 0 ? min(seconds, LATouchIDAuthenticationMaximumAllowableReuseDuration) : 0
  }

  /// The prompt's texts; `reason` replaces the context's own.
  func prompting(reason: String? = nil) -> Prompting {
    let reason = reason ?? self.reason
    var prompting = Prompting.ofApplication
    prompting.reason = reason.isEmpty ? nil : reason
    prompting.fallbackTitle = fallbackTitle
    prompting.cancelTitle = cancelTitle
    prompting.isAllowed = !interactionNotAllowed
    return prompting
  }
}
