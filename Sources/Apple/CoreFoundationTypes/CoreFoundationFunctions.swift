public import Foundation

/// Whether two objects say the same; two that are nil do.
@discardableResult public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
  if let first = cf1 as? NSObject, let second = cf2 as? NSObject { return first.isEqual(second) }
  return cf1 === cf2
}

/// A number that is the same for objects that say the same.
@discardableResult public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
  guard let cf else { return 0 }
  return UInt(bitPattern: (cf as? NSObject)?.hash ?? ObjectIdentifier(cf).hashValue)
}

/// What an object says of itself, for people who look for a mistake.
@discardableResult public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
  guard let cf else { return nil }
  return String(describing: cf) as NSString
}

@discardableResult public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
  theData?.length ?? 0
}

/// Bytes that are copied.
/// - Parameters:
///   - allocator: without effect.
///   - bytes: where they are; nil: as many zeros.
///   - length: how many; none if it is negative.
/// - Returns: the bytes, in memory of their own.
@discardableResult public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  let length = max(0, length)
  guard let bytes = unsafe bytes else { return Data(count: length) as NSData }
  return unsafe NSData(bytes: bytes, length: length)
}

/// How many objects an array holds.
@discardableResult public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex {
  theArray?.count ?? 0
}

/// How many keys a dictionary has.
@discardableResult public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
  theDict?.count ?? 0
}

/// Which class an object is of, as a number. Numbers hold for one run of the program.
/// - Returns: the number of its class, or of the one its class is a kind of if that is one of
///   Foundation's; 0 for nil.
@discardableResult public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
  guard let cf else { return 0 }
  return switch cf {
  case is NSString: CFStringGetTypeID()
  case is NSDictionary: CFDictionaryGetTypeID()
  case is NSArray: CFArrayGetTypeID()
  case is NSData: CFDataGetTypeID()
  case let number as NSNumber:
    isBoolean(number) ? CFBooleanGetTypeID() : CFNumberGetTypeID()
  case is NSDate: CFDateGetTypeID()
  case is NSURL: CFURLGetTypeID()
  case is NSSet: CFSetGetTypeID()
  case is NSNull: CFNullGetTypeID()
  case is NSError: CFErrorGetTypeID()
  default: typeIdentifier(of: type(of: cf))
  }
}

/// The number of a class.
package func typeIdentifier(of type: AnyClass) -> CFTypeID {
  UInt(bitPattern: ObjectIdentifier(type))
}

/// The number of texts.
@discardableResult public func CFStringGetTypeID() -> CFTypeID { typeIdentifier(of: NSString.self) }
/// The number of dictionaries.
@discardableResult public func CFDictionaryGetTypeID() -> CFTypeID {
  typeIdentifier(of: NSDictionary.self)
}
/// The number of arrays.
@discardableResult public func CFArrayGetTypeID() -> CFTypeID { typeIdentifier(of: NSArray.self) }
/// The number of sets.
@discardableResult public func CFSetGetTypeID() -> CFTypeID { typeIdentifier(of: NSSet.self) }
/// The number of bytes.
@discardableResult public func CFDataGetTypeID() -> CFTypeID { typeIdentifier(of: NSData.self) }
/// The number of numbers that are neither yes nor no.
@discardableResult public func CFNumberGetTypeID() -> CFTypeID { typeIdentifier(of: NSNumber.self) }
/// The number of yes and no.
@discardableResult public func CFBooleanGetTypeID() -> CFTypeID { typeIdentifier(of: Truth.self) }
/// The number of moments.
@discardableResult public func CFDateGetTypeID() -> CFTypeID { typeIdentifier(of: NSDate.self) }
/// The number of addresses.
@discardableResult public func CFURLGetTypeID() -> CFTypeID { typeIdentifier(of: NSURL.self) }
/// The number of what stands for nothing.
@discardableResult public func CFNullGetTypeID() -> CFTypeID { typeIdentifier(of: NSNull.self) }
/// The number of errors.
@discardableResult public func CFErrorGetTypeID() -> CFTypeID { typeIdentifier(of: NSError.self) }

/// Stands for the class of yes and no, which Foundation has not: there they are numbers.
private final class Truth {}

/// Whether a number was made of a Boolean: Foundation gives it back as one if it was.
private func isBoolean(_ number: NSNumber) -> Bool {
  unsafe number === kCFBooleanTrue || number === kCFBooleanFalse
    || String(cString: number.objCType) == "B"
}

// Core Foundation's functions for errors. Every argument may be nil, which on Apple's systems ends
// the program and here gives an error that says nothing.

extension NSError {
  /// An error that says nothing.
  @_nonoverride public convenience init() { self.init(domain: "", code: 0) }
}

/// The domain of Cocoa's own errors.
public var kCFErrorDomainCocoa: CFErrorDomain! { NSCocoaErrorDomain as NSString }
/// The domain of `errno(3)`.
public var kCFErrorDomainPOSIX: CFErrorDomain! { NSPOSIXErrorDomain as NSString }
/// The domain of `OSStatus`.
public var kCFErrorDomainOSStatus: CFErrorDomain! { NSOSStatusErrorDomain as NSString }
/// The key of what an error says.
public var kCFErrorLocalizedDescriptionKey: CFString! { NSLocalizedDescriptionKey as NSString }
/// The key of why it happened.
public var kCFErrorLocalizedFailureReasonKey: CFString! {
  NSLocalizedFailureReasonErrorKey as NSString
}
/// The key of what to do about it.
public var kCFErrorLocalizedRecoverySuggestionKey: CFString! {
  NSLocalizedRecoverySuggestionErrorKey as NSString
}
/// The key of what an error says to programmers.
public var kCFErrorDescriptionKey: CFString! { "NSDescription" as NSString }
/// The key of the error below this one.
public var kCFErrorUnderlyingErrorKey: CFString! { NSUnderlyingErrorKey as NSString }

/// An error of a domain.
/// - Parameters:
///   - allocator: without effect.
///   - domain: whose number the code is.
///   - code: the number.
///   - userInfo: what else is to be known of it; keys that are no texts are left out.
/// - Returns: the error.
@discardableResult public func CFErrorCreate(
  _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  var known: [String: Any] = [:]
  for (key, value) in userInfo ?? [:] {
    if let key = key as? String { known[key] = value }
  }
  return NSError(domain: domain.map { String(describing: $0) } ?? "", code: code, userInfo: known)
}

/// Whose numbers the code of an error is one of.
@discardableResult public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
  (error?.domain ?? "") as NSString
}

/// The number of an error.
@discardableResult public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error?.code ?? 0 }

/// What else is to be known of an error.
@discardableResult public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
  (error?.userInfo ?? [:]) as NSDictionary
}

/// What an error says to people.
@discardableResult public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
  (error?.localizedDescription ?? "") as NSString
}

/// Why it happened; nil if the error does not say.
@discardableResult public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! {
  error?.localizedFailureReason as NSString?
}

/// What to do about it; nil if the error does not say.
@discardableResult public func CFErrorCopyRecoverySuggestion(_ error: CFError!) -> CFString! {
  error?.localizedRecoverySuggestion as NSString?
}

/// Where memory comes from. There is one way, so that none of these can be made and every constant
/// is nil.
public final class CFAllocator: NSObject, @unchecked Sendable {
  private override init() {}
}

/// The way that everybody uses.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The system's way, which is the one that everybody uses.
public let kCFAllocatorSystemDefault: CFAllocator! = nil
/// That of `malloc(3)`, which is the one that everybody uses.
public let kCFAllocatorMalloc: CFAllocator! = nil
