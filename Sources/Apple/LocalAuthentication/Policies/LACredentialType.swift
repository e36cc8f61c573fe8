import Protocol

/// What an application can give a context beside what the owner proves.
public enum LACredentialType: Int, Sendable {
  /// A password that the application has chosen; it enters the keys of what is opened and sealed in
  /// the context, and of nothing else. 1 to 1024 bytes.
  case applicationPassword = 0
  /// The PIN of a smart card, of which this system knows none: it is never taken.
  case smartCardPIN = -3
}

/// How long an unlock by touch may count once more at most, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration = TimeInterval(longestReuse)
