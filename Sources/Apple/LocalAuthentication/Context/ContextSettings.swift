import CoreClient

/// What an application has told a context beside what it asks it for.
struct ContextSettings: Sendable {
  /// What the owner is told where a request of the keychain asks.
  var reason = ""
  /// The title of the fallback; empty: there is none.
  var fallbackTitle: String?
  var cancelTitle: String?
  var interactionNotAllowed = false
  var maxBiometryFailures: Int?
  /// In seconds, between 0 and ``LATouchIDAuthenticationMaximumAllowableReuseDuration``.
  private(set) var reuseDuration: TimeInterval = 0

  /// Takes a duration as far as it is one.
  mutating func setReuseDuration(_ seconds: TimeInterval) {
    reuseDuration =
      seconds > 0 ? min(seconds, LATouchIDAuthenticationMaximumAllowableReuseDuration) : 0
  }

  /// What the owner is told; a `reason` takes the place of the context's own.
  func prompting(reason: String? = nil) -> Prompting {
    let reason = reason ?? self.reason
    var prompting = Prompting.ofApplication
    prompting.reason = reason.isEmpty ? nil : reason
    prompting.fallbackTitle = fallbackTitle
    prompting.cancelTitle = cancelTitle
    prompting.isAllowed = !interactionNotAllowed
    return prompting
  }
}
