import Foundation
import LocalAuthentication
import Security

/// What did not work, and why, as the person is told.
struct Refusal: LocalizedError {
  let what: String
  let error: any Error

  var errorDescription: String? { "\(what): \(Self.text(error))" }

  static func text(_ error: (any Error)?) -> String {
    switch error {
    case let error as LAError: text(error)
    case let status as KeychainStatus: text(status)
    default: error?.localizedDescription ?? "no reason was given."
    }
  }

  private static func text(_ error: LAError) -> String {
    switch error.code {
    case .authenticationFailed: "that was not the owner."
    case .userCancel: "you cancelled."
    case .userFallback: "you chose the other way."
    case .appCancel, .systemCancel: "it was interrupted."
    case .passcodeNotSet: "no passcode is set. Set one with: authcore passcode set"
    case .biometryNotAvailable: "there is no fingerprint reader that can be used."
    case .biometryNotEnrolled: "no finger is enrolled. Enroll one with: authcore finger enroll"
    case .biometryLockout: "too many wrong fingers. Unlock with the passcode: authcore unlock"
    case .invalidContext: "the context was invalidated."
    case .notInteractive: "nobody can be asked here. Run it in the foreground of a terminal."
    default: error.localizedDescription
    }
  }

  private static func text(_ status: KeychainStatus) -> String {
    switch status.code {
    case errSecDuplicateItem: "it is there already. Delete it first."
    case errSecUserCanceled: "you cancelled."
    case errSecAuthFailed: "that was not the owner, or not the password of the item."
    case errSecInteractionNotAllowed:
      "somebody would have to be asked, and nobody can be: is this machine locked?"
    default: status.localizedDescription
    }
  }
}
