import LocalAuthentication

/// Says whether the person at the machine is its owner.
package protocol Owner: Sendable {
  /// Asks the owner to permit something.
  /// - Parameter reason: shown in the prompt.
  /// - Throws: an `LAError` if the owner does not.
  func permit(_ reason: String) async throws
}

/// The owner of this machine, who proves it with a finger or the passcode.
package struct DeviceOwner: Owner {
  package init() {}

  package func permit(_ reason: String) async throws {
    let context = LAContext()
    context.localizedCancelTitle = "Leave the list alone"
    var problem: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &problem) else {
      throw problem ?? LAError(.authenticationFailed)
    }
    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
  }
}
