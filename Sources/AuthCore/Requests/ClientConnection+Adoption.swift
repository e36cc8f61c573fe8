import ClientProtocol
import LinuxSystem
import Wire

extension ClientConnection {
  /// Takes one file of a state that is to be the user's.
  func takeStateFile(
    _ identifier: UInt32, _ message: inout ReceivedMessage
  ) -> RequestOutcome {
    .ofMessage(&message, identifier) { (request: GiveStateFile, descriptors) throws(Failure) in
      guard let file = descriptors.takeFirst() else {
        throw Failure(.usage, "the file \(request.name) did not arrive")
      }
      try core.adoption().take(file, request.part, request.name)
    }
  }
}

extension Call {
  /// Makes the files that were handed over the user's state.
  func adoptState() throws(Failure) -> Done {
    try core.adoption().complete()
    core.endForAdoption()
    return Done()
  }
}
