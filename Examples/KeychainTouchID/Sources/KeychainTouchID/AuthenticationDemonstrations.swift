import Foundation
import LocalAuthentication
import Security

/// Local Authentication without the keychain.
struct AuthenticationDemonstrations {
  let say: @Sendable (String) -> Void

  /// Asks no one.
  func canEvaluate() {
    let context = LAContext()
    for (policy, name) in [
      (LAPolicy.deviceOwnerAuthentication, "the owner"),
      (.deviceOwnerAuthenticationWithBiometrics, "a finger"),
    ] {
      var problem: NSError?
      if context.canEvaluatePolicy(policy, error: &problem) {
        say("It makes sense to ask for \(name).")
      } else {
        say("Asking for \(name) would fail: \(Refusal.text(problem))")
      }
    }
    say(context.biometryType == .touchID ? "There is Touch ID." : "There is no Touch ID.")
  }

  /// Evaluates a policy. `fallback` is the title of the other way; nil means the usual one, and ""
  /// means that there is none.
  func evaluate(_ policy: LAPolicy, fallback: String? = nil) async throws {
    let context = LAContext()
    context.localizedFallbackTitle = fallback
    do {
      try await context.evaluatePolicy(policy, localizedReason: "Show what a policy does")
      say("That was the owner.")
    } catch LAError.userFallback {
      say("The other way was chosen. A program would go on with: \(fallback ?? "its own")")
    } catch {
      throw Refusal(what: "The policy", error: error)
    }
  }

  /// One evaluation serves all requests with its context, until that is invalidated.
  func reuseContext() async throws {
    let item = ProtectedItem.presence
    let context = LAContext()
    do {
      if try !item.isThere {
        try item.add("the secret behind presence", in: context)
        say("Added “presence”.")
      }
      try await context.evaluatePolicy(
        .deviceOwnerAuthentication, localizedReason: "Open “presence” twice")
      say("That was the owner. From here on nobody is asked.")
      context.interactionNotAllowed = true
      for _ in 1...2 { say("“presence” holds: \(try item.secret(in: context))") }
      context.invalidate()
      do {
        _ = try item.secret(in: context)
        say("The context was invalidated and opens items all the same: that is a mistake.")
      } catch {
        say("The context was invalidated, and opens nothing any more.")
      }
    } catch {
      throw Refusal(what: "“presence”", error: error)
    }
  }

  /// A finger that has just unlocked the machine is enough.
  func reuseUnlock() async throws {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = 60
    do {
      try await context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics, localizedReason: "See who unlocked this machine")
      say("That was the owner, now or in the last minute.")
    } catch {
      throw Refusal(what: "The policy", error: error)
    }
  }
}

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
