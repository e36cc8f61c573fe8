import Protocol

/// What the owner is told when a request of an application asks for something to be proved.
package struct Prompting: Sendable {
  /// What the owner permits; nil: the client says what the request is about.
  package var reason: String?
  /// Empty: no fallback button (`localizedFallbackTitle`); nil: the usual one.
  package var fallbackTitle: String?
  /// nil: the usual one.
  package var cancelTitle: String?
  /// How the application calls itself; nil: by the name of its file. Names it to the owner and
  /// selects nothing: whose items are reached, the kernel's word decides (K2).
  package var applicationName: String?
  /// How long a touch is awaited.
  package var timeout: Duration
  /// Whether the owner may be asked. Else what wants a proof fails with
  /// `errSecInteractionNotAllowed`, and an evaluation with `notInteractive`.
  package var isAllowed: Bool
  /// Whether the owner is asked to unlock a locked device before anything is looked for. Else a locked
  /// device answers with what is open.
  package var unlocks: Bool

  /// A request that may ask.
  package init(
    reason: String? = nil, fallbackTitle: String? = nil, cancelTitle: String? = nil,
    applicationName: String? = nil, timeout: Duration = .seconds(30), isAllowed: Bool = true,
    unlocks: Bool = false
  ) {
    self.reason = reason
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
    self.applicationName = applicationName
    self.timeout = timeout
    self.isAllowed = isAllowed
    self.unlocks = unlocks
  }

  /// A request that must not ask.
  package static let forbidden = Prompting(isAllowed: false)
}
