import Protocol

/// Why a state file cannot be used.
enum StateDamage: Error, Equatable, Sendable {
  /// It is not one of these files at all.
  case notOurs
  /// It was written by another version of authcore.
  case otherVersion(UInt32)
  /// It was cut, changed, or belongs to another root key.
  case changed
  /// It is missing while others need it.
  case missing
  /// It is from before the root key was moved into the TPM.
  case old
  /// It was written beside a later keybag than the one that is here.
  case newer

  /// What every request answers as long as the file `name` is so. The file is left alone.
  func failure(file name: String) -> Failure {
    let reason =
      switch self {
      case .notOurs: "is no state file of authcore"
      case .otherVersion(let version):
        "has version \(version), which this version of authcore does not read"
      case .changed: "is damaged, or belongs to another state folder"
      case .missing: "is missing"
      case .old: "is an old copy, of before the root key was moved into the TPM"
      case .newer: "is newer than the keybag, an old copy of which has been put back"
      }
    return Failure(
      .stateDamaged, "the enclave's state file \(name) \(reason); nothing was changed",
      hint: """
        restore \(name) from a backup of the state folder; without one, move the folder away and start afresh: \
        what was stored in it cannot be opened any more
        """)
  }
}
