import CClientLibrary
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
  ///   - pointer: the description, which has to be there.
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

  /// What it is found by.
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
        .errSecParam, "query says of no key which is meant", hint: "give its name or its tag")
    }
    return query
  }
}
