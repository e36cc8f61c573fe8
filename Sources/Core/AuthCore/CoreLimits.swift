import Protocol

/// How much and how long the core puts up with. Tests use shorter times.
package struct CoreLimits: Sendable {
  /// Connections at once, and how long they may lie idle.
  var admission = AdmissionRules()
  /// Locked memory that clients may fill.
  var secrets = SecretBudget()
  /// Requests of one connection that wait for their turn.
  package var waitingRequests = 32
  /// Answers to one prompt that have not been looked at.
  package var pendingAnswers = 16
  /// How long a client may take nothing of what is sent to it, in milliseconds.
  package var sendMilliseconds: Int32 = 10_000
  /// How long a client may take from the first byte of a message to its last, in milliseconds.
  package var messageMilliseconds: Int32 = 10_000
  /// Bytes that a client may leave unread beyond what its socket holds; the last message may be
  /// longer.
  package var unsentBytes = 256 << 10
  /// How long the enclave may take for one reply, in milliseconds; the longest is the comparison of
  /// a large frame.
  package var enclaveCallMilliseconds: Int32 = 60_000
  /// How long the keychain may take for one request, in milliseconds; longer than the enclave,
  /// which it waits for.
  package var keychainCallMilliseconds: Int32 = 90_000
  /// How long the policy may take for one question, in milliseconds; it only compares.
  package var policyCallMilliseconds: Int32 = 5_000
  /// How long a driver may take to open its device, in milliseconds.
  package var sensorOpenMilliseconds: Int32 = 30_000
  /// How long a driver may exceed a deadline, or take to stop a capture, before it counts as hung.
  package var sensorGraceNanoseconds: UInt64 = 5_000_000_000
  /// How much later than its frame socket a driver's mailbox may tell that its process has ended.
  package var deathNanoseconds: UInt64 = 200_000_000
  /// How long an agent may take to show a prompt, in milliseconds.
  package var agentShowMilliseconds: UInt32 = 15_000
  /// How long an agent that is known to be there may take to come to a core that has just started,
  /// in milliseconds.
  package var agentArrivalMilliseconds: UInt32 = 3_000
  /// Agents of one user at once.
  package var agents = 8
  /// Requests of one user that wait for their turn to be asked about by an agent.
  package var waitingPrompts = 64
  /// Retries in a row after which a sensor counts as broken.
  package var retriesInARow = 30
  /// Steps of one evaluation; a policy that wants more is broken.
  package var evaluationSteps = 200
  /// How often an item may ask for evidence in one request.
  package var evidenceRounds = 8
  /// Waiting for a touch where the client names no time.
  package var touchMilliseconds: UInt32 = 30_000
  /// How long a prompt that is on view may stay unanswered, in milliseconds.
  package var answerMilliseconds = PromptOptions.longestTimeoutMilliseconds

  /// How long a prompt is on view before a touch counts, in milliseconds: what a person was about to do
  /// when it appeared is no answer to it.
  package var promptMilliseconds: UInt32 = 500

  /// What a core in earnest puts up with.
  package init() {}

  /// How long a prompt of a request is on view before a touch counts; none is where nobody sees it.
  func pause(_ touch: AwaitedTouch) -> UInt32 { touch == .person ? promptMilliseconds : 0 }
}
