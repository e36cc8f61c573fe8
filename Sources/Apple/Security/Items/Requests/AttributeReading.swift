import CoreFoundationTypes
import Protocol

extension AttributeName {
  /// What an application gives for this attribute, as the keychain keeps it.
  ///
  /// As with Apple's keychain a number may be given as a text of digits, and a text where bytes are
  /// wanted stands for its UTF-8.
  /// - Throws: `errSecParam` for something else than the attribute holds.
  func value(_ given: Any) throws(RequestProblem) -> AttributeValue {
    switch form {
    case .text: try Self.text(given)
    case .textOrData:
      if self == .applicationTag || given is Data {
        try Self.data(given)
      } else {
        try Self.text(given)
      }
    case .data: try Self.data(given)
    case .number: .number(try number(given))
    case .flag: .number(try Self.flag(given) ? 1 : 0)
    case .time: .number(try Self.seconds(given))
    }
  }

  private static func text(_ given: Any) throws(RequestProblem) -> AttributeValue {
    guard let text = given as? String else { throw .wrongValue }
    guard text.utf8.count <= AttributeValue.longestText else { throw .tooLarge }
    return .text(text)
  }

  private static func data(_ given: Any) throws(RequestProblem) -> AttributeValue {
    let bytes: [UInt8]
    if let data = given as? Data {
      guard data.count <= AttributeValue.longestData else { throw .tooLarge }
      bytes = [UInt8](data)
    } else if let text = given as? String {
      bytes = Array(text.utf8)
    } else {
      throw .wrongValue
    }
    guard bytes.count <= AttributeValue.longestData else { throw .tooLarge }
    return .data(bytes)
  }

  private func number(_ given: Any) throws(RequestProblem) -> Int64 {
    if let text = given as? String {
      if let number = Int64(text) { return number }
      // Four characters are a number, too (`OSType`): what these two are for.
      guard self == .creator || self == .type, text.utf8.count == 4 else { throw .wrongValue }
      return text.utf8.reduce(0) { $0 << 8 | Int64($1) }
    }
    // A number of Foundation's may hold what no integer does.
    guard let number = given as? NSNumber, let whole = Int64(exactly: number) else {
      throw .wrongValue
    }
    return whole
  }

  /// Yes or no.
  static func flag(_ given: Any) throws(RequestProblem) -> Bool {
    if let flag = given as? Bool { return flag }
    guard let number = given as? NSNumber, number == 0 || number == 1 else { throw .wrongValue }
    return number == 1
  }

  /// Seconds since 1970.
  static func seconds(_ given: Any) throws(RequestProblem) -> Int64 {
    guard let date = given as? Date,
      let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down))
    else { throw .wrongValue }
    return seconds
  }
}
