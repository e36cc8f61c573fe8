import LinuxSystem
import Protocol

extension Call {
  /// Takes bytes of a file of the state to adopt.
  func takeStateBytes(_ request: GiveStateBytes) throws(Failure) -> Done {
    try core.adoption().arriving.add(request.bytes, from: link)
    return Done()
  }

  /// Makes the bytes that came one file.
  func takeStateFile(_ request: GiveStateFile) throws(Failure) -> Done {
    let adoption = try core.adoption()
    let file = try adoption.arriving.take(request.name, from: link)
    try adoption.take(file, request.part, request.name, from: link)
    return Done()
  }

  /// Makes the files that came the user's state.
  func adoptState(_: AdoptState) throws(Failure) -> Done {
    let adoption = try core.adoption()
    try adoption.requireState(from: link)
    try requireUnused(adoption)
    do throws(Failure) {
      try adoption.rebuildDatabase(from: link) { () throws(Failure) in
        let _: Done = try core.keychain.ask(CopyDatabase(), for: self)
      }
    } catch {
      adoption.stopGathering()
      throw error
    }
    let isAlone = try core.closeForAdoption(but: link)
    // The unused state must stay unused until the next core has replaced it.
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

  /// - Throws: `errSecDuplicateItem` if something is, or was promised to be, kept here.
  private func requireUnused(_ adoption: StateAdoption) throws(Failure) {
    do throws(Failure) {
      guard try isUnused() else { throw StateAdoption.secondState }
      try adoption.requireNothingKept()
    } catch {
      adoption.stopGathering()
      throw error
    }
  }

  private func isUnused() throws(Failure) -> Bool {
    let status = try enclaveStatus()
    guard !status.isPasscodeSet, status.fingers == 0 else { return false }
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
