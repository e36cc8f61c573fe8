import ClientProtocol
import EngineKit
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
      try core.adoption().take(file, request.part, request.name, from: link)
    }
  }
}

extension Call {
  /// Makes the files that were handed over the user's state.
  func adoptState() throws(Failure) -> Done {
    let adoption = try core.adoption()
    try adoption.requireState(from: link)
    try requireUnused(adoption)
    let isAlone = try core.closeForAdoption(but: link)
    // What was never used stays so from here on, until the next core has put the other in its place.
    defer { core.endForAdoption() }
    guard isAlone else {
      throw Failure(
        .busy, "another program is using the keychain that you have in the service",
        hint: "end it, and run the command again")
    }
    try requireUnused(adoption)
    try adoption.complete(from: link)
    return Done()
  }

  /// - Throws: `errSecDuplicateItem` where something is, or was promised to be, kept here.
  private func requireUnused(_ adoption: StateAdoption) throws(Failure) {
    do throws(Failure) {
      guard try isUnused() else { throw StateAdoption.secondState }
      try adoption.requireNothingKept()
    } catch {
      adoption.stopGathering()
      throw error
    }
  }

  /// Whether nothing was ever kept here.
  private func isUnused() throws(Failure) -> Bool {
    let status = try enclaveStatus()
    guard !status.isPasscodeSet, status.realFingers == 0, status.syntheticFingers == 0 else {
      return false
    }
    let context = noEvidence
    let found: KeychainChecked = try core.keychain.ask(for: self, context: context) {
      ApplicationRequest.encoded(context: context, message: CheckKeychain().encoded())
    } read: { (reply) throws(Failure) in
      try EngineAnswer.decode(reply, from: "keychain")
    }
    let findings = found.findings
    return findings.items == 0 && findings.keys == 0 && !findings.isDamaged
  }
}
