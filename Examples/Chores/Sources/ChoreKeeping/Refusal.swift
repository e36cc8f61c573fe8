import Foundation
import LocalAuthentication

/// What the person is told if the owner did not permit it.
package struct Refusal: LocalizedError {
  package let error: LAError

  package var errorDescription: String? { "Nothing was added: \(reason)" }

  private var reason: String {
    switch error.code {
    case .authenticationFailed: "that was not the owner."
    case .userCancel: "you cancelled."
    case .appCancel, .systemCancel: "it was interrupted. Try again."
    case .passcodeNotSet: "this machine has no passcode yet. Set one with: authcore passcode set"
    case .biometryNotAvailable: "there is no fingerprint reader that can be used."
    case .biometryNotEnrolled:
      "no finger is enrolled yet. Enroll one with: authcore finger enroll"
    case .biometryLockout:
      "too many wrong fingers. Unlock with the passcode: authcore unlock"
    case .notInteractive:
      """
      nobody can be asked here. Run it in the foreground of a terminal, or where authcore-agent \
      shows prompts.
      """
    default: error.localizedDescription
    }
  }
}
