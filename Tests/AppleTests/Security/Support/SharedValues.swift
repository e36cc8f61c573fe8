import Foundation
import Security

/// Access controls with what is right of them, for tests of many.
struct FlagCase: Sendable, CustomStringConvertible {
  let flags: SecAccessControlCreateFlags
  let isValid: Bool
  var description: String { "0x\(String(flags.rawValue, radix: 16)) \(isValid)" }

  init(_ flags: SecAccessControlCreateFlags, _ isValid: Bool) {
    self.flags = flags
    self.isValid = isValid
  }
}
