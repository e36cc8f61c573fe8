import Security

/// What works in a file that imports nothing else.
enum SecurityAlone {
  static func isClass(_ text: String) -> Bool { text as CFString == kSecClass }

  static func text(_ constant: CFString) -> String { constant as String }

  static func query(_ service: String?) -> CFDictionary {
    var query: [String: Any] = [String(kSecClass): kSecClassGenericPassword]
    if let service = service as CFString? { query[String(kSecAttrService)] = service }
    return query as CFDictionary
  }

  static func isAccount(_ value: Any) -> Bool { value as? String as CFString? == kSecAttrAccount }

  static var qualified: Security.CFString { Security.kSecClass }
}
