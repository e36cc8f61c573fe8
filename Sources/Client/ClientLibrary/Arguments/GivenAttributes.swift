import CClientLibrary
import Protocol

/// Attributes that callers name.
enum GivenAttributes {
  /// How many are read of one description.
  private static let most = 64

  /// Adds a caller's attributes to those that have fields of their own.
  /// - Throws: `errSecParam` for one that there is not, that is named twice, or that cannot hold
  ///   what it is to hold.
  @unsafe static func add(
    _ pointer: UnsafePointer<ac_client_attribute_t>?, _ count: UInt32,
    to terms: inout AttributeTerms, _ item: String
  ) throws(Failure) {
    guard count <= most else {
      throw .outOfRange("\(item)->attribute_count", "at most \(most) attributes")
    }
    guard count > 0 else { return }
    guard let pointer = unsafe pointer else { throw .missing("\(item)->attributes") }
    for index in 0..<Int(count) {
      let place = "\(item)->attributes[\(index)]"
      let given = unsafe pointer[index]
      let name = try unsafe attributeName(given.name, place)
      guard terms[name] == nil else {
        throw Failure(
          .errSecParam, "\(place) names \(name.name), which is given already",
          hint: "name each attribute once")
      }
      let value = try unsafe value(given, place)
      guard value.isEmpty || value.fits(name.form) else {
        throw Failure(
          .errSecParam, "\(place).kind is none that \(name.name) can hold",
          hint: "authcore item find --json shows what it holds")
      }
      terms[name] = value
    }
  }

  @unsafe private static func attributeName(
    _ text: UnsafePointer<CChar>?, _ place: String
  ) throws(Failure) -> AttributeName {
    guard let text = try unsafe GivenText.copy(text, "\(place).name") else {
      throw .missing("\(place).name")
    }
    guard let name = AttributeName(name: text), name.isForPeople else {
      throw .outOfRange(
        "\(place).name",
        AttributeName.allCases.filter(\.isForPeople).map(\.name).joined(separator: ", "))
    }
    return name
  }

  @unsafe private static func value(
    _ given: ac_client_attribute_t, _ place: String
  ) throws(Failure) -> AttributeValue {
    switch Int(unsafe given.kind) {
    case AC_CLIENT_ATTRIBUTE_TEXT:
      let bytes = try unsafe GivenBytes.checked(
        given.bytes, given.count, "\(place).bytes", atMost: AttributeValue.longestText)
      return .text(try unsafe GivenText.copy(bytes, "\(place).bytes"))
    case AC_CLIENT_ATTRIBUTE_DATA:
      return .data(
        try unsafe GivenBytes.copy(
          given.bytes, given.count, "\(place).bytes", atMost: AttributeValue.longestData))
    case AC_CLIENT_ATTRIBUTE_NUMBER: return .number(unsafe given.number)
    default: throw .outOfRange("\(place).kind", "one of AC_CLIENT_ATTRIBUTE_…")
    }
  }
}
