import LinuxSystem
import Protocol

/// The limits of a core. Tests use shorter times.
struct CoreLimits: Sendable {
  var admission = AdmissionRules()
  var secrets = SecretBudget()
  var waitingRequests = 32
  /// Unread answers to one prompt.
  var pendingAnswers = 16
  /// How long a client may read nothing of what is sent to it.
  var sendMilliseconds: Int32 = 10_000
  /// How long a client may take to send a whole message.
  var messageMilliseconds: Int32 = 10_000
  /// Bytes that a client may leave unread beyond what its socket holds. The last message may exceed
  /// it.
  var unsentBytes = 256 << 10
  /// How long the enclave may take for one reply; the comparison of a large frame takes longest.
  var enclaveCallMilliseconds: Int32 = 60_000
  /// How long the keychain may take for one request: longer than the enclave, which it waits for.
  var keychainCallMilliseconds: Int32 = 90_000
  /// How long the policy, which only compares, may take for one question.
  var policyCallMilliseconds: Int32 = 5_000
  var sensorOpenMilliseconds: Int32 = 30_000
  /// How long a driver may exceed a deadline, or take to stop a capture, before it counts as hung.
  var sensorGraceNanoseconds: UInt64 = 5_000_000_000
  /// How much later than its frame socket a driver's mailbox may report the end of its process.
  var deathNanoseconds: UInt64 = 200_000_000
  var agentShowMilliseconds: UInt32 = 15_000
  /// How long a running agent may take to connect to a core that has just started.
  var agentArrivalMilliseconds: UInt32 = 3_000
  var agents = 8
  /// Requests of one user that wait for an agent.
  var waitingPrompts = 64
  var retriesInARow = 30
  var evaluationSteps = 200
  var evidenceRounds = 8
  /// How long a touch is awaited if the client names no time.
  var touchMilliseconds: UInt32 = 30_000
  var answerMilliseconds = PromptOptions.longestTimeoutMilliseconds

  /// How long a prompt is on view before a touch counts: what a person was about to do when it
  /// appeared is no answer to it.
  var promptMilliseconds: UInt32 = 500

  /// How long a request's prompt is on view before a touch counts; 0 if no person sees it.
  func pause(_ touch: AwaitedTouch) -> UInt32 { touch == .person ? promptMilliseconds : 0 }
}
