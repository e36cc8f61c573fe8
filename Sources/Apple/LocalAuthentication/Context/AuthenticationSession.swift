import CoreClient
import Dispatch
import Protocol
import Synchronization

/// What is behind an `LAContext`, and goes on for as long as anybody waits for an answer: the
/// context in the enclave, and what was asked of it.
///
/// Any thread. What is asked runs in the order it was asked in, on a queue of the context's.
final class AuthenticationSession: Sendable {
  private struct State {
    var context: ApplicationContext
    var settings = ContextSettings()
    var isInvalid = false
    /// Neither answered nor given up.
    var evaluations: [ObjectIdentifier: Evaluation] = [:]
    var biometryType = LABiometryType.none
    var evaluatedDomainState: Data?
  }

  /// The way to the core.
  let client: ApplicationClient
  private let state: Mutex<State>
  private let appPassword = Mutex<SecretBytes?>(nil)
  private let queue = DispatchQueue(label: "LocalAuthentication.evaluation")

  /// One in which nothing is proved. Nothing is sent before something is asked.
  init(_ client: ApplicationClient = .current) {
    self.client = client
    state = Mutex(State(context: ApplicationContext(client)))
  }

  /// What the application has said.
  var settings: ContextSettings { state.withLock { $0.settings } }

  /// Changes what the application says.
  func set(_ change: (inout ContextSettings) -> Void) {
    state.withLock { state in
      change(&state.settings)
      state.context.reuseSeconds = UInt32(state.settings.reuseDuration.rounded(.up))
    }
  }

  /// What the last question for a policy has shown.
  var biometryType: LABiometryType { state.withLock { $0.biometryType } }

  /// The set of fingers by which a policy could be evaluated, or was.
  var evaluatedDomainState: Data? { state.withLock { $0.evaluatedDomainState } }

  /// Notes what the core says of reader and fingers, and if `isUsable`, that a finger could prove
  /// something, or has.
  func note(_ status: borrowing CoreStatus, isUsable: Bool) {
    let (type, domainState) = (LABiometryType(status), Data(status.domainState))
    state.withLock { state in
      state.biometryType = type
      if isUsable { state.evaluatedDomainState = domainState }
    }
  }

  /// A policy could not be evaluated: no set of fingers stands for one of biometry any more.
  func forgetEvaluated(_ policy: EvaluatedPolicy) {
    guard policy == .biometrics else { return }
    state.withLock { $0.evaluatedDomainState = nil }
  }

  /// What the core says of itself; nil if it cannot be reached.
  var status: CoreStatus? {
    do throws(Failure) {
      return try client.request(GetStatus())
    } catch {
      return nil
    }
  }

  // MARK: Evaluating

  /// Begins something that is answered later, when what was asked before is over.
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
      // It was valid when this was asked.
      return isInvalid && error.code == .invalidContext ? Self.isCancelled : error
    }
  }

  private func cancel(_ evaluation: Evaluation) {
    state.withLock { $0.context }.cancel(evaluation.cancellation)
    evaluation.endIfWaiting(Self.isCancelled)
  }

  /// Whether the application has invalidated it.
  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  /// - Throws: `invalidContext` once it is invalidated.
  func requireValid() throws(Failure) {
    if isInvalid { throw Self.isOver }
  }

  /// Ends it for good. Does not wait.
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

  /// The context for a request, holding the application password if one was given: the enclave
  /// forgets that after five minutes, and if the core has ended.
  private func context() throws(Failure) -> ApplicationContext {
    let context = state.withLock { $0.context }
    let password = appPassword.withLock { $0?.duplicate() }
    if let password { try context.give(appPassword: password, for: .opening) }
    return context
  }

  /// The same for a request of the keychain. Where the application password cannot be given, the
  /// request meets with the same hindrance, and tells it.
  var contextForKeychain: ApplicationContext {
    do throws(Failure) {
      return try context()
    } catch {
      return state.withLock { $0.context }
    }
  }

  /// Whether there is an application password.
  var hasAppPassword: Bool { appPassword.withLock { $0 != nil } }

  /// Takes an application password.
  /// - Returns: whether it was taken: a context that is over takes none.
  func setAppPassword(_ password: consuming SecretBytes) -> Bool {
    guard !isInvalid else { return false }
    var password: SecretBytes? = password
    appPassword.withLock { swap(&$0, &password) }
    return true
  }

  /// Takes the application password away, and what was proved with it: the enclave forgets all of a
  /// context or nothing.
  func removeAppPassword() {
    guard appPassword.withLock({ $0.take() != nil }) else { return }
    let client = client
    state.withLock { state in
      guard !state.isInvalid else { return }
      // Requests that are under way end in the former one, which ends with the last of them.
      state.context = ApplicationContext(client, reuseSeconds: state.context.reuseSeconds)
    }
  }

  private static let isOver = Failure(
    .invalidContext, "the context was invalidated",
    hint: "make another LAContext for what is to be permitted next")
  private static let isCancelled = Failure(
    .appCancel, "the application withdrew its request")
}

/// What an application has told a context beside what it asks it for.
struct ContextSettings: Sendable {
  /// What the owner is told if a request of the keychain asks.
  var reason = ""
  /// The title of the fallback; empty: there is none.
  var fallbackTitle: String?
  var cancelTitle: String?
  var interactionNotAllowed = false
  var maxBiometryFailures: Int?
  /// In seconds, between 0 and ``LATouchIDAuthenticationMaximumAllowableReuseDuration``.
  private(set) var reuseDuration: TimeInterval = 0

  /// Takes a duration as far as it is one.
  mutating func setReuseDuration(_ seconds: TimeInterval) {
    reuseDuration =
      seconds > 0 ? min(seconds, LATouchIDAuthenticationMaximumAllowableReuseDuration) : 0
  }

  /// What the owner is told; a `reason` takes the place of the context's own.
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
