import CClientLibrary
import CoreClient
import Protocol

/// A caller's description of a key, checked.
struct GivenKey {
  private let name: String?
  private let tag: [UInt8]
  private let label: String?
  private let identifier: String?
  private let group: String?
  private let accessControl: AccessControl?
  private let accessibility: Accessibility?

  /// - Parameters:
  ///   - pointer: the description, which must not be NULL.
  ///   - argument: its name.
  /// - Throws: `errSecParam` for what no key can have.
  @unsafe init(
    _ pointer: UnsafePointer<ac_client_key_t>?, _ argument: String
  ) throws(Failure) {
    guard let key = try unsafe GivenStruct.copy(pointer, ac_client_key_t(), argument) else {
      throw .missing(argument)
    }
    let strict = UInt32(AC_CLIENT_KEY_STRICT_MATCH)
    let flags = unsafe key.flags
    try GivenStruct.require(flags: flags, within: strict, "\(argument)->flags")
    name = try unsafe GivenText.named(key.name, "\(argument)->name")
    tag = try unsafe GivenBytes.copy(
      key.tag, key.tag_count, "\(argument)->tag", atMost: AttributeValue.longestData)
    label = try unsafe GivenText.copy(key.label, "\(argument)->label")
    identifier = try unsafe GivenText.named(key.identifier, "\(argument)->identifier")
    group = try unsafe GivenText.named(
      key.group, "\(argument)->group", atMost: ItemAttributes.longestGroup)
    accessControl = try unsafe GivenGuards.accessControl(
      key.access, isStrict: flags & strict != 0, "\(argument)->access")
    accessibility = try unsafe GivenGuards.accessibility(key.accessible, "\(argument)->accessible")
  }

  func creation() throws(Failure) -> CreateKey {
    guard identifier == nil else { throw .unusable("key->identifier", "the keychain chooses it") }
    var request = CreateKey(
      name: name ?? "", accessibility: accessibility ?? .whenUnlockedThisDeviceOnly,
      accessControl: accessControl)
    request.applicationTag = tag
    request.label = label ?? ""
    request.group = group ?? ""
    return request
  }

  func query() throws(Failure) -> KeyQuery {
    guard accessControl == nil, accessibility == nil else {
      throw .unusable("query->access and query->accessible", "keys are not found by them")
    }
    var query = KeyQuery(name: name)
    query.applicationTag = tag.isEmpty ? nil : tag
    query.label = label
    query.identifier = identifier
    query.group = group
    guard !query.isEverything else {
      throw Failure(
        .errSecParam, "query does not select a key", hint: "give its name or its tag")
    }
    return query
  }
}

/// Reads what guards an item or a key.
enum GivenGuards {
  /// The access control of `text`, in the syntax of `--access`, or nil for NULL.
  /// - Parameters:
  ///   - text: as above.
  ///   - isStrict: whether a match at a relaxed rate is refused.
  ///   - name: the argument's name.
  /// - Returns: the access control.
  /// - Throws: `errSecParam` for an invalid combination.
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
        .errSecParam, "\(name) is not an access control: \u{201C}\(text)\u{201D}",
        hint: """
          presence alone; or biometry-any or biometry-current, passcode, app-password, joined by \
          and, or by or; a strict match is one of a finger
          """)
    }
  }

  /// When the item or key can be reached, or nil for NULL.
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
  /// How the caller wants the owner asked; the default for NULL.
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
    let longest = PromptOptions.longestTimeoutMilliseconds
    guard unsafe prompt.timeout_ms <= longest else {
      throw .outOfRange("prompt->timeout_ms", "at most \(longest) ms")
    }
    if unsafe prompt.timeout_ms > 0 { timeout = .milliseconds(Int64(unsafe prompt.timeout_ms)) }
  }
}
