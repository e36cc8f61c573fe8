import CoreClient
import Glibc
import Protocol

/// Findings from the core's status.
enum StatusFindings {
  static func findings(_ status: CoreStatus) -> [Finding] {
    [sensor(status), passcode(status), fingers(status), memory(status), rootKey(status)]
      + oldState(status) + keychain(status) + sandboxes(status)
  }

  /// The device of a TPM 2.0 on this machine.
  private static let device = "/dev/tpmrm0"

  private static func rootKey(_ status: CoreStatus) -> Finding {
    guard status.rootKey != "tpm" else { return .good("root key", "in the TPM") }
    guard unsafe access(device, F_OK) == 0 else {
      return .good("root key", "in a file; this machine has no TPM 2.0")
    }
    // The permissions of this process say nothing about the service.
    guard unsafe status.isService || access(device, R_OK | W_OK) == 0 else {
      return .remark(
        "root key", "It is in a file: the user who runs the core may not use the TPM \(device)",
        remedy: "sudo usermod -aG tss \"$USER\", log in again, authcore quit, "
          + "authcore root-key migrate --to tpm")
    }
    return .remark(
      "root key", "It is in a file, although this machine has a TPM 2.0",
      remedy: "authcore root-key migrate --to tpm")
  }

  private static func oldState(_ status: CoreStatus) -> [Finding] {
    guard status.isRollbackDetected else { return [] }
    return [
      .problem(
        "state", "An old copy of the enclave's files was put back, so no finger counts",
        remedy: status.rootKey == "tpm"
          ? "authcore unlock, with the passcode"
          : "authcore passcode change, which accepts what is here")
    ]
  }

  private static func keychain(_ status: CoreStatus) -> [Finding] {
    guard status.isKeychainMissing else { return [] }
    return [
      .problem(
        "keychain", "This device has a keychain, but its file is missing or empty",
        remedy: "Put it back from a copy, or begin an empty one: authcore keychain repair")
    ]
  }

  private static func sensor(_ status: CoreStatus) -> Finding {
    guard let name = status.driverName else {
      return .problem(
        "sensor", "The core has no sensor",
        remedy: status.isService
          ? "Plug a reader in. Drivers that the policy leaves out are not used."
          : "Plug a reader in, or name a driver: --driver")
    }
    guard status.sensor != nil else {
      return .problem(
        "sensor", "The driver \(name) has no device", remedy: "Plug the reader in again.")
    }
    return .good("sensor", "driver \(name)")
  }

  private static func passcode(_ status: CoreStatus) -> Finding {
    guard status.isPasscodeSet else {
      return .problem("passcode", "No passcode is set", remedy: "authcore passcode set")
    }
    guard status.passcodeDelay == 0 else {
      return .problem(
        "passcode", "No passcode is tried after \(status.wrongPasscodes) wrong ones",
        remedy: "Wait \(status.passcodeDelay) seconds.")
    }
    return .good("passcode", "it is set")
  }

  private static func fingers(_ status: CoreStatus) -> Finding {
    if status.isLockedOut {
      return .problem(
        "fingers", "Fingers are locked out until the passcode is given", remedy: "authcore unlock")
    }
    guard status.fingers > 0 else {
      return .problem("fingers", "No finger is enrolled", remedy: "authcore finger enroll")
    }
    guard status.matchableFingers > 0 || status.sensor == nil else {
      return .problem(
        "fingers", "No finger was enrolled with a sensor of this kind (synthetic or real)",
        remedy: "authcore finger enroll")
    }
    guard status.isFirstUnlocked else {
      return .remark(
        "fingers", "No finger can be compared before the first unlock", remedy: "authcore unlock")
    }
    return .good("fingers", "\(status.fingers) enrolled")
  }

  /// Fingers that an earlier version enrolled with less detail.
  static func enrolledEarlier(_ fingers: [Finger]) -> [Finding] {
    let names = fingers.filter(\.wantsEnrollment).map(\.name.printable).sorted()
    guard !names.isEmpty else { return [] }
    return [
      .remark(
        "fingers",
        "Enrolled by an earlier version, which kept less of them: " + names.joined(separator: ", "),
        remedy: "Enroll them again: authcore finger remove NAME; authcore finger enroll --name NAME"
      )
    ]
  }

  private static func memory(_ status: CoreStatus) -> Finding {
    status.isMemoryLocked
      ? .good("memory", "secrets are locked into it")
      : .remark(
        "memory", "Secrets may be swapped out: the limit for locked memory is too low",
        remedy: status.isService
          ? "Raise LimitMEMLOCK= of authcored.service, then: sudo systemctl restart authcored"
          : "Raise memlock to 8192 or more in /etc/security/limits.conf, log in again, "
            + "then: authcore quit")
  }

  private static func sandboxes(_ status: CoreStatus) -> [Finding] {
    status.sandboxes.map { sandbox in
      if sandbox.isOff {
        return .remark(
          "sandbox", "The \(sandbox.process) runs without one",
          remedy: "unset AUTHCORE_SANDBOX; authcore quit")
      }
      guard !sandbox.lacks.isEmpty else { return .good("sandbox", "\(sandbox.process): complete") }
      return .remark(
        "sandbox", "The \(sandbox.process) does without: " + sandbox.lacks.joined(separator: ", "),
        remedy: "Run a kernel with seccomp and Landlock (Debian 12's has both).")
    }
  }
}
