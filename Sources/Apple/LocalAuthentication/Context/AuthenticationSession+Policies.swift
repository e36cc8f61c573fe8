import CoreClient
import Protocol

extension AuthenticationSession {
  /// Checks whether a policy could be evaluated, and notes reader and fingers.
  /// - Throws: why it could not.
  func requireEvaluable(_ policy: LAPolicy) throws(Failure) {
    try requireValid()
    try requireEvaluable(policy.evaluated())
  }

  private func requireEvaluable(_ evaluated: EvaluatedPolicy) throws(Failure) {
    do throws(Failure) {
      let _: Done = try client.request(CanEvaluate(policy: evaluated))
    } catch {
      forgetEvaluated(evaluated)
      throw explained(error)
    }
    note(try client.request(GetStatus()), isUsable: evaluated == .biometrics)
  }

  /// Begins to check whether a policy could be evaluated.
  func check(_ policy: EvaluatedPolicy, reply: @escaping Evaluation.Reply) {
    evaluate(reply: reply) { [self] (_, _) throws(Failure) in try requireEvaluable(policy) }
  }

  func evaluate(_ policy: LAPolicy, reason: String, reply: @escaping Evaluation.Reply) {
    let settings = settings
    let prompting = settings.prompting(reason: reason)
    evaluate(reply: reply) { [self] (context, cancellation) throws(Failure) in
      let evaluated = try policy.evaluated()
      try Self.require(reason)
      let proof: ProvedBy
      do throws(Failure) {
        // This precedes anything that may fail: a failure makes the enclave forget its evidence.
        proof =
          try holds(evaluated.asAccessControl, settings.reuseDuration, context, cancellation)
          ? evaluated.leastProof
          : try context.evaluate(evaluated, prompting, cancellation: cancellation).evidence
      } catch {
        throw explained(error)
      }
      // It is proved even if the core does not describe the reader.
      if let status { note(status, isUsable: proof == .biometry) }
    }
  }

  /// Begins to have the owner prove what an access control demands; nil demands nothing.
  func evaluate(
    _ accessControl: AccessControl?, reason: String, reply: @escaping Evaluation.Reply
  ) {
    let prompting = settings.prompting(reason: reason)
    evaluate(reply: reply) { [self] (context, cancellation) throws(Failure) in
      try Self.require(reason)
      guard let accessControl else { return }
      do throws(Failure) {
        let _: Done = try context.ask(
          RequireAccess(accessControl: accessControl), prompting, isEvaluation: true,
          cancellation: cancellation)
      } catch {
        throw explained(error)
      }
    }
  }

  /// Whether a context holds what an access control demands, or a touch unlocked the device so many
  /// seconds ago, so that nobody has to be asked.
  private func holds(
    _ accessControl: AccessControl?, _ reuseDuration: TimeInterval, _ context: ApplicationContext,
    _ cancellation: CancellationSignal
  ) throws(Failure) -> Bool {
    guard let accessControl else { return false }
    do throws(Failure) {
      let _: Done = try context.ask(
        RequireAccess(
          accessControl: accessControl, reuseSeconds: UInt32(reuseDuration.rounded(.up))),
        .forbidden, cancellation: cancellation)
      return true
    } catch  where error.code == .errSecInteractionNotAllowed || error.code == .passcodeNotSet {
      // The policy reports it in its own order.
      return false
    }
  }

  /// L6: an owner who is asked for a proof is told what for. On Apple's systems an empty reason
  /// raises an Objective-C exception, which cannot be caught here.
  private static func require(_ reason: String) throws(Failure) {
    guard !reason.hasVisibleCharacters else { return }
    throw Failure(
      .invalidReason, "the localizedReason has no visible characters",
      hint: "state what the owner permits, for example: add a chore to the list")
  }

  /// The failure for the application: if the reader is missing, it says whether there was one
  /// before. Notes the present reader.
  private func explained(_ failure: Failure) -> Failure {
    // Without the core's status the original failure stands.
    guard let status else { return failure }
    note(status, isUsable: false)
    return failure.code == .biometryNotAvailable
      ? status.absence?.failure ?? failure : failure
  }
}

extension LAPolicy {
  /// What the core is asked for.
  /// - Throws: `biometryNotAvailable` for proofs of companion devices.
  fileprivate func evaluated() throws(Failure) -> EvaluatedPolicy {
    switch self {
    case .deviceOwnerAuthenticationWithBiometrics,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      return .biometrics
    case .deviceOwnerAuthentication: return .owner
    case .deviceOwnerAuthenticationWithCompanion, .deviceOwnerAuthenticationWithWristDetection:
      throw Failure(
        .biometryNotAvailable, "this system does not support companion devices",
        hint: "evaluate deviceOwnerAuthentication, which takes a finger or the passcode")
    }
  }
}

extension EvaluatedPolicy {
  /// The access control that demands the same.
  fileprivate var asAccessControl: AccessControl? {
    switch self {
    case .biometrics: try? AccessControl(.biometryAny)
    case .owner: try? AccessControl(.presence)
    }
  }

  /// The weakest proof of it.
  fileprivate var leastProof: ProvedBy {
    switch self {
    case .biometrics: .biometry
    case .owner: .nothing
    }
  }
}

extension ReaderAbsence {
  /// The failure that replaces `biometryNotAvailable`, or nil.
  fileprivate var failure: Failure? {
    switch self {
    case .noReader: nil
    case .disconnected:
      Failure(
        .biometryDisconnected, "the reader that took the enrolled fingers is not connected",
        hint: "connect it again")
    case .unpaired:
      Failure(
        .biometryNotPaired,
        "no finger was enrolled with a reader of this machine, and the expected one is away or "
          + "has no driver",
        hint: "connect a reader that authcore doctor finds, and enroll a finger with it")
    }
  }
}

extension LABiometryType {
  /// Fingers if there is a reader, even if none is enrolled.
  init(_ status: borrowing CoreStatus) { self = status.sensor == nil ? .none : .touchID }
}
