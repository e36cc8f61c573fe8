import CClientLibrary
import CoreClient
import Protocol

extension Prompting {
  /// The longest wait for a touch, in milliseconds: a day.
  private static let longestTimeout: UInt32 = 86_400_000

  /// How a caller wants its owner asked; as usual for NULL.
  @unsafe init(given pointer: UnsafePointer<ac_client_prompt_t>?) throws(Failure) {
    self.init()
    guard let prompt = try unsafe GivenStruct.copy(pointer, ac_client_prompt_t(), "prompt") else {
      return
    }
    let forbidden = UInt32(AC_CLIENT_PROMPT_FORBIDDEN)
    try GivenStruct.require(flags: unsafe prompt.flags, within: forbidden, "prompt->flags")
    isAllowed = unsafe prompt.flags & forbidden == 0
    reason = try unsafe GivenText.copy(prompt.reason, "prompt->reason")
    fallbackTitle = try unsafe GivenText.copy(prompt.fallback_title, "prompt->fallback_title")
    cancelTitle = try unsafe GivenText.copy(prompt.cancel_title, "prompt->cancel_title")
    guard unsafe prompt.timeout_ms <= Self.longestTimeout else {
      throw .outOfRange("prompt->timeout_ms", "at most \(Self.longestTimeout) ms")
    }
    if unsafe prompt.timeout_ms > 0 { timeout = .milliseconds(Int64(unsafe prompt.timeout_ms)) }
  }
}
