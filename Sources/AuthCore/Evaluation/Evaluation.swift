import ClientProtocol
import EngineKit
import Wire

/// Carries out what the policy advises, step by step, until it says success or failure.
///
/// It decides nothing: the policy names the step, the enclave compares and verifies and keeps the evidence in the context. One
/// evaluation serves one request, on the thread that runs it.
struct Evaluation {
  /// When it is over.
  enum Goal {
    /// When the policy says so.
    case authentication
    /// After one touch that was compared, whatever came of it.
    case oneComparison
    /// When the enclave has taken the passcode, and done with it what was asked.
    case passcodeTaken
  }

  /// What it ended with.
  struct Conclusion: Equatable {
    var evidence = ProvedBy.nothing
    var finger: String?
    /// The score of the last touch that was compared.
    var score = 0.0
    /// The score from which on it would have been a match.
    var threshold = 0.0
    /// Whether that touch matched.
    var isMatch = false
  }

  let call: Call
  let context: UInt64
  let options: PromptOptions
  let goal: Goal
  let verifyPasscode: (consuming SecretBytes) throws(Failure) -> Void
  private(set) var request: PolicyRequest
  var client: ClientSituation
  var progress = CallProgress()
  var conclusion = Conclusion()
  var board: PromptBoard
  var session: TouchSession?
  var isSensorLost = false
  var retriesInARow = 0
  var remainingMilliseconds: UInt32
  var lockout: Failure?

  /// An evaluation that has not begun. The enclave puts the evidence into `context`; `verifyPasscode` hands it a passcode, and throws
  /// `authenticationFailed` when that is wrong.
  init(
    _ request: PolicyRequest, _ call: Call, context: UInt64, options: PromptOptions,
    goal: Goal = .authentication,
    verifyPasscode: @escaping (consuming SecretBytes) throws(Failure) -> Void
  ) {
    self.request = request
    self.call = call
    self.context = context
    self.options = options
    self.goal = goal
    self.verifyPasscode = verifyPasscode
    client = ClientSituation()
    client.mayPrompt = options.mayPrompt
    client.canGivePasscode = options.canGivePasscode
    client.hidesFallback = options.fallbackTitle == ""
    board = PromptBoard(call, options)
    remainingMilliseconds =
      options.timeoutMilliseconds == 0
      ? call.core.limits.touchMilliseconds : options.timeoutMilliseconds
  }

  /// Runs it.
  /// - Parameter held: what the context proved before it began (`--reuse`); it takes the place of the first touch.
  /// - Returns: what the policy was content with.
  /// - Throws: what the policy fails with, or why it was interrupted.
  mutating func run(held: EvidenceSet = []) throws(Failure) -> Conclusion {
    defer { session?.end() }
    for _ in 0..<call.core.limits.evaluationSteps {
      switch try call.policyStep(for: request, client, progress, isSensorLost: isSensorLost) {
      case .succeed:
        guard isProved else { throw unproved }
        return conclusion
      case .fail(let failure): throw failure
      case .awaitTouch
      where held.hasMatch(strict: requiresStrictMatch) && progress.lastEvent == .none:
        conclusion.evidence = .biometry
        // A touch of earlier: the owner need not be there any more, so the time until the device locks goes on.
        note(.matched)
      case .awaitTouch(let fallback):
        let event = try awaitTouch(fallback)
        noteProof(event)
        note(event)
        if goal == .oneComparison, event == .matched || event == .missed { return conclusion }
      case .awaitPasscode:
        let event = try awaitPasscode()
        noteProof(event)
        note(event)
        if goal == .passcodeTaken, event == .passcodeAccepted { return conclusion }
      }
    }
    throw Failure(
      .engineFailed, "the policy engine comes to no decision",
      hint: "see authcore status for the engine that is in use")
  }

  /// Whether what is asked for refuses a match at a relaxed rate.
  var requiresStrictMatch: Bool {
    if case .access(let control, _) = request { control.requiresStrictMatch } else { false }
  }

  /// Whether the policy can be right that the goal is reached. What an item or the device's lock asks for the enclave judges itself.
  private var isProved: Bool {
    switch (goal, request) {
    case (.authentication, .biometrics): conclusion.evidence == .biometry
    case (.authentication, .owner), (.authentication, .passcodeOnly):
      conclusion.evidence != .nothing
    case (.authentication, .unlock), (.authentication, .access): true
    case (.oneComparison, _), (.passcodeTaken, _): false
    }
  }

  private var unproved: Failure {
    Failure(
      .engineFailed, "the policy engine says yes to what nobody has proved",
      hint: "see authcore status for the engine that is in use")
  }

  private func noteProof(_ event: CallProgress.Event) {
    if event == .matched || event == .passcodeAccepted { call.core.noteProof() }
  }

  private mutating func note(_ event: CallProgress.Event) {
    progress.lastEvent = event
    switch event {
    case .matched: prove(.biometry, .biometry)
    case .passcodeAccepted: prove(.passcode, .passcode)
    case .missed: progress.misses += 1
    case .passcodeRefused: progress.refusedPasscodes += 1
    case .none, .cancelled, .fallbackChosen, .timedOut, .sensorLost, .noPasscode, .interrupted:
      break
    }
  }

  private mutating func prove(_ evidence: EvidenceSet, _ by: ProvedBy) {
    conclusion.evidence = by
    if case .access(let control, let held) = request {
      request = .access(control, held: held.union(evidence))
    }
  }
}
