import CoreFoundationTypes
import Protocol
import Synchronization

/// A text that is never changed, so that every thread may have it.
private struct Constant: @unchecked Sendable {
  let text: NSString
}

/// Every constant that was asked for. The same object is given each time, as it is where constants
/// are symbols of a library: code may compare them as objects, or keep one without counting it.
private let constants = Mutex<[String: Constant]>([:])

/// The object that stands for this text.
func constant(_ text: String) -> CFString {
  constants.withLock { constants in
    if let known = constants[text] { return known }
    let made = Constant(text: text as NSString)
    constants[text] = made
    return made
  }.text
}

/// The object that an attribute of the keychain's is asked for by.
func constant(_ name: AttributeName) -> CFString { constant(name.appleName) }
