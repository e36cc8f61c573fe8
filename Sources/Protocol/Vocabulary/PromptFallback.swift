/// What the fallback button of a prompt does.
package enum PromptFallback: UInt8, WireField {
  /// There is none.
  case hidden = 1
  /// Ends the request with `userFallback`: the application has its own (L4).
  case application = 2
  /// Asks for the passcode; one may also be typed at once.
  case passcode = 3
}
