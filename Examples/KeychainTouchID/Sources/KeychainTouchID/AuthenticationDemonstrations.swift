import Foundation
import LocalAuthentication

/// Local Authentication on its own.
struct AuthenticationDemonstrations {
  /// Says what happens.
  let say: @Sendable (String) -> Void

  /// Nobody is asked.
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

  /// Asks for what a policy wants.
  /// - Parameters:
  ///   - policy: what that is.
  ///   - fallback: the title of the other way; nil: the usual one; empty: there is none.
  /// - Throws: ``Refusal``.
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

  /// One proof serves the requests that name its context, until it is invalidated.
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

  /// A finger that has unlocked the machine shortly before is proof enough.
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
