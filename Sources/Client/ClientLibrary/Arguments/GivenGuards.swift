import CClientLibrary
import CoreClient
import Protocol

/// What guards an item or a key, in a caller's words.
enum GivenGuards {
  /// What has to be proved.
  /// - Parameters:
  ///   - text: as `--access` of the command takes it.
  ///   - isStrict: whether a match at a relaxed rate is refused.
  ///   - name: the argument's.
  /// - Returns: nil for NULL.
  /// - Throws: `errSecParam` for a combination that there is not.
  @unsafe static func accessControl(
    _ text: UnsafePointer<CChar>?, isStrict: Bool, _ name: String
  ) throws(Failure) -> AccessControl? {
    guard let text = try unsafe GivenText.copy(text, name) else {
      guard !isStrict else { throw .unusable("the flag for a strict match", "\(name) is NULL") }
      return nil
    }
    do throws(AccessControl.Problem) {
      return try AccessControl(parsing: text, with: isStrict ? .strictMatch : [])
    } catch {
      throw Failure(
        .errSecParam, "\(name) is no access control: \u{201C}\(text)\u{201D}",
        hint: """
          presence alone; or biometry-any or biometry-current, passcode, app-password, joined by \
          and, or by or; a strict match is one of a finger
          """)
    }
  }

  /// When it can be reached; nil for NULL.
  @unsafe static func accessibility(
    _ text: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> Accessibility? {
    guard let text = try unsafe GivenText.copy(text, name) else { return nil }
    guard let found = Accessibility(name: text) else {
      throw .outOfRange(name, Accessibility.allCases.map(\.name).joined(separator: ", "))
    }
    return found
  }
}

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
