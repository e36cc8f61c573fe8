import CoreFoundationTypes
import Protocol

extension ItemAttributes {
  /// The attributes as SecItem gives them: texts, bytes, dates and integers alone, since a Boolean
  /// would not be had as a number again.
  func dictionary(_ kind: ItemRequest.Kind) -> NSMutableDictionary {
    let dictionary = NSMutableDictionary()
    dictionary[kSecClass] = constant(kind.name)
    for name in itemClass.owedTexts { dictionary[constant(name)] = "" as NSString }
    for name in values.names where name.isForPeople {
      guard let value = values[name] else { continue }
      dictionary[constant(name)] = value.object(as: name.form)
    }
    dictionary[kSecAttrAccessGroup] = group as NSString
    dictionary[kSecAttrSynchronizable] = NSNumber(value: isSynchronizable ? 1 : 0)
    dictionary[kSecAttrAccessible] = statedProtection.constant
    dictionary[kSecAttrCreationDate] = Self.date(createdAt)
    dictionary[kSecAttrModificationDate] = Self.date(modifiedAt)
    if let accessControl {
      dictionary[kSecAttrAccessControl] = SecAccessControl(statedProtection, accessControl)
    }
    return dictionary
  }

  /// When it can be reached, as it was said: what was said counts as long as it is protected so.
  private var statedProtection: AccessibilityValue {
    if let stated = AccessibilityValue(values[text: .statedAccessibility]),
      stated.accessibility == accessibility
    {
      return stated
    }
    return AccessibilityValue(accessibility)
  }

  private static func date(_ seconds: Int64) -> NSDate {
    NSDate(timeIntervalSince1970: TimeInterval(seconds))
  }
}

extension ItemClass {
  /// What an item of Apple's always has, be it empty.
  fileprivate var owedTexts: [AttributeName] {
    switch self {
    case .generic: [.account, .service]
    case .internet: [.account, .server, .securityDomain, .path]
    case .certificate, .key, .note: []
    }
  }
}

extension AttributeValue {
  /// As SecItem gives it.
  fileprivate func object(as form: AttributeName.Form) -> NSObject {
    switch self {
    case .text(let text): text as NSString
    case .data(let bytes): Data(bytes) as NSData
    case .number(let number) where form == .time:
      NSDate(timeIntervalSince1970: TimeInterval(number))
    case .number(let number): NSNumber(value: Int(number))
    }
  }
}

extension SecretBytes {
  /// A copy of the secret as applications of Apple's interface take it: in memory that is neither
  /// locked nor wiped.
  borrowing func foundationData() -> NSData {
    unsafe withUnsafeBytes { bytes in
      unsafe NSData(bytes: bytes.baseAddress, length: bytes.count)
    }
  }
}

extension NSData {
  /// A copy of the bytes in locked memory.
  func secretBytes() -> SecretBytes {
    var secret = SecretBytes(count: length)
    unsafe secret.withUnsafeMutableBytes { target in
      if let start = target.baseAddress { unsafe getBytes(start, length: target.count) }
    }
    return secret
  }
}
