import ClientProtocol
import EngineKit
import Wire

extension Call {
  /// Sets the first passcode.
  func setPasscode(_ request: consuming ClientProtocol.SetPasscode) throws(Failure) -> Done {
    let done: Done = try enclave.ask(
      EngineKit.SetPasscode(passcode: request.passcode.duplicate()))
    core.noteProof()
    return done
  }

  /// Replaces the passcode. The enclave verifies the current one itself: no evidence stands in for it.
  func changePasscode(
    _ request: consuming ClientProtocol.ChangePasscode
  ) throws(Failure) -> Done {
    let (enclave, replacement) = (enclave, SharedSecret(request.replacement.duplicate()))
    try takePasscode(request.options) { (current) throws(Failure) in
      try enclave.tell(
        EngineKit.ChangePasscode(current: current, replacement: replacement.duplicate()))
    }
    return Done()
  }

  /// Removes the passcode at the enclave, then the rows of what went with it.
  func removePasscode(
    _ request: ClientProtocol.RemovePasscode
  ) throws(Failure) -> ClientProtocol.ItemsChanged {
    let enclave = enclave
    try takePasscode(request.options) { (current) throws(Failure) in
      try enclave.tell(EngineKit.RemovePasscode(current: current))
    }
    let removed: EngineKit.ItemsChanged = try core.keychain.ask(
      RemovePasscodeBoundItems(), for: self)
    return ClientProtocol.ItemsChanged(count: removed.count)
  }
}
