import Protocol

extension Call {
  /// Sets the first passcode.
  func setPasscode(_ request: consuming SetPasscode) throws(Failure) -> Done {
    try tell(request)
    core.noteProof()
    return Done()
  }

  /// Replaces the passcode. The enclave verifies the current one itself: no evidence stands in for
  /// it.
  func changePasscode(
    _ request: consuming ChangePasscode
  ) throws(Failure) -> Done {
    let replacement = SharedSecret(request.replacement.shared())
    let eraseAfter = request.eraseAfter
    try takePasscode(request.options, .passcode) { [self] (current) throws(Failure) in
      try tell(
        ReplacePasscode(
          current: current.take(), asTyped: current.takeTyped(),
          replacement: replacement.shared(), eraseAfter: eraseAfter))
    }
    return Done()
  }

  /// Removes the passcode at the enclave, then the rows of what went with it.
  func removePasscode(
    _ request: RemovePasscode
  ) throws(Failure) -> ItemsChanged {
    try takePasscode(request.options, .passcode) { [self] (current) throws(Failure) in
      try tell(ErasePasscode(current: current.take(), asTyped: current.takeTyped()))
    }
    return try core.keychain.ask(RemovePasscodeBoundItems(), for: self)
  }
}
