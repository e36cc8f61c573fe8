import CoreFoundation

import class LocalAuthentication.LAContext
import typealias Security.CFDictionary
import struct Security.SecAccessControlCreateFlags

/// Names that are imported one by one, beside Core Foundation itself.
enum ScopedImports {
  static func context() -> LAContext { LAContext() }

  static func query(_ values: [String: Any]) -> CFDictionary { values as CFDictionary }

  static let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]

  static func truth() -> CFBoolean { kCFBooleanTrue }

  static func text(_ text: String) -> CFString { text as CFString }
}
