import Protocol

extension Call {
  /// Moves the root key. Where a passcode is set, the enclave verifies it itself: no evidence stands
  /// in for it.
  func migrateRootKey(_ request: MigrateRootKey) throws(Failure) -> RootKeyMigrated {
    let status = try enclaveStatus()
    let present: RootKeyPlace = status.rootKey == RootKeyPlace.tpm.name ? .tpm : .file
    let place = request.place ?? (present == .tpm ? .file : .tpm)
    guard place != present else { return RootKeyMigrated(place: place, didMove: false) }
    do throws(Failure) {
      if status.isPasscodeSet {
        try takePasscode(request.options, .rootKey) { [self] (passcode) throws(Failure) in
          try tell(
            MoveRootKey(to: place, passcode: passcode.take(), asTyped: passcode.takeTyped()))
        }
      } else {
        try tell(MoveRootKey(to: place, passcode: SecretBytes(count: 0)))
      }
    } catch  where error.code == .errSecNotAvailable && core.isService {
      throw Failure(
        error.code, error.message,
        hint:
          "see authcore doctor; once there is a TPM that the user authcore may use (group tss): "
          + "sudo systemctl restart authcored")
    }
    return RootKeyMigrated(place: place, didMove: true)
  }

  /// Sets aside what is bound to a TPM that is gone.
  func abandonLostDevice() throws(Failure) -> Done {
    try tell(SetStateAside())
    return Done()
  }
}
