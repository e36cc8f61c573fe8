import ClientProtocol
import EngineKit
import Wire

extension Call {
  /// Enrols a finger after the passcode.
  func enrollFinger(_ request: EnrollFinger) throws(Failure) -> FingerEnrolled {
    let moment = moment(.passcodeOnly, request.options)
    if case .fail(let failure) = try policyStep(for: PolicyMoment(request: .passcodeOnly)) {
      throw failure
    }
    // What cannot work is said before the passcode is asked for.
    _ = try sensors.sensor(for: enclave)
    guard try enclaveStatus().isFirstUnlocked else {
      throw Failure(
        .errSecInteractionNotAllowed, "no finger can be enrolled before the first unlock",
        hint: "unlock the device: authcore unlock")
    }
    return try withContext { (context) throws(Failure) in
      _ = try evaluate(moment, context: context, options: request.options)
      let enrolled = try enroll(request, context: context)
      return FingerEnrolled(
        finger: enrolled.finger, touches: enrolled.touches,
        coverage: enrolled.coverage)
    }
  }

  /// The enrolled fingers, oldest first.
  func listFingers() throws(Failure) -> Fingers {
    let list: FingerList = try enclave.ask(EngineKit.ListFingers())
    return Fingers(fingers: list.fingers)
  }

  /// Gives a finger another name.
  func renameFinger(_ request: ClientProtocol.RenameFinger) throws(Failure) -> Done {
    try enclave.ask(EngineKit.RenameFinger(finger: request.finger, name: request.name))
  }

  /// Removes a finger after the passcode; one that is not there is said before.
  func removeFinger(_ request: ClientProtocol.RemoveFinger) throws(Failure) -> Done {
    let list: FingerList = try enclave.ask(EngineKit.ListFingers())
    guard
      list.fingers.contains(where: {
        $0.identifier == request.finger || $0.name == request.finger
      })
    else {
      throw Failure(
        .fingerNotFound, "there is no finger \(request.finger)",
        hint: "authcore finger list shows the enrolled fingers")
    }
    return try withContext { (context) throws(Failure) in
      _ = try evaluate(
        moment(.passcodeOnly, request.options), context: context, options: request.options)
      return try enclave.ask(EngineKit.RemoveFinger(context: context, finger: request.finger))
    }
  }

  /// Compares one touch; the evidence is dropped with its context.
  func testFinger(_ request: TestFinger) throws(Failure) -> FingerTested {
    try withContext { (context) throws(Failure) in
      var moment = moment(.biometrics, request.options)
      moment.client.hidesFallback = true
      let conclusion = try evaluate(
        moment, context: context, options: request.options, goal: .oneComparison)
      return FingerTested(
        isMatch: conclusion.isMatch, finger: conclusion.finger, score: conclusion.score,
        threshold: conclusion.threshold)
    }
  }
}
