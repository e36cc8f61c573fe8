public import Foundation

/// Whether two objects are equal; nil equals nil.
@discardableResult public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
  if let first = cf1 as? NSObject, let second = cf2 as? NSObject { return first.isEqual(second) }
  return cf1 === cf2
}

/// A number that is the same for equal objects.
@discardableResult public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
  guard let cf else { return 0 }
  return UInt(bitPattern: (cf as? NSObject)?.hash ?? ObjectIdentifier(cf).hashValue)
}

/// The description of an object, for debugging.
@discardableResult public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
  guard let cf else { return nil }
  return String(describing: cf) as NSString
}

@discardableResult public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
  theData?.length ?? 0
}

/// Copies `length` bytes, or makes as many zeros if `bytes` is nil. A negative length counts as 0.
@discardableResult public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  let length = max(0, length)
  guard let bytes = unsafe bytes else { return Data(count: length) as NSData }
  return unsafe NSData(bytes: bytes, length: length)
}

@discardableResult public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex {
  theArray?.count ?? 0
}

@discardableResult public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
  theDict?.count ?? 0
}

/// The number of an object's class, or of the class of Foundation that it is a kind of; 0 for nil.
/// Numbers are valid for one run of the program.
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

package func typeIdentifier(of type: AnyClass) -> CFTypeID {
  UInt(bitPattern: ObjectIdentifier(type))
}

@discardableResult public func CFStringGetTypeID() -> CFTypeID { typeIdentifier(of: NSString.self) }
@discardableResult public func CFDictionaryGetTypeID() -> CFTypeID {
  typeIdentifier(of: NSDictionary.self)
}
@discardableResult public func CFArrayGetTypeID() -> CFTypeID { typeIdentifier(of: NSArray.self) }
@discardableResult public func CFSetGetTypeID() -> CFTypeID { typeIdentifier(of: NSSet.self) }
@discardableResult public func CFDataGetTypeID() -> CFTypeID { typeIdentifier(of: NSData.self) }
/// The number of the class of numbers that are not Booleans.
@discardableResult public func CFNumberGetTypeID() -> CFTypeID { typeIdentifier(of: NSNumber.self) }
@discardableResult public func CFBooleanGetTypeID() -> CFTypeID { typeIdentifier(of: Truth.self) }
@discardableResult public func CFDateGetTypeID() -> CFTypeID { typeIdentifier(of: NSDate.self) }
@discardableResult public func CFURLGetTypeID() -> CFTypeID { typeIdentifier(of: NSURL.self) }
@discardableResult public func CFNullGetTypeID() -> CFTypeID { typeIdentifier(of: NSNull.self) }
@discardableResult public func CFErrorGetTypeID() -> CFTypeID { typeIdentifier(of: NSError.self) }

/// Stands for the class of Booleans, which are numbers in Foundation.
private final class Truth {}

/// Whether a number was made from a Boolean.
private func isBoolean(_ number: NSNumber) -> Bool {
  unsafe number === kCFBooleanTrue || number === kCFBooleanFalse
    || String(cString: number.objCType) == "B"
}

// Core Foundation's functions for errors. Any argument may be nil, which ends the program on
// Apple's systems and gives an empty error here.

extension NSError {
  /// An empty error.
  @_nonoverride public convenience init() { self.init(domain: "", code: 0) }
}

public var kCFErrorDomainCocoa: CFErrorDomain! { NSCocoaErrorDomain as NSString }
public var kCFErrorDomainPOSIX: CFErrorDomain! { NSPOSIXErrorDomain as NSString }
public var kCFErrorDomainOSStatus: CFErrorDomain! { NSOSStatusErrorDomain as NSString }
public var kCFErrorLocalizedDescriptionKey: CFString! { NSLocalizedDescriptionKey as NSString }
public var kCFErrorLocalizedFailureReasonKey: CFString! {
  NSLocalizedFailureReasonErrorKey as NSString
}
public var kCFErrorLocalizedRecoverySuggestionKey: CFString! {
  NSLocalizedRecoverySuggestionErrorKey as NSString
}
public var kCFErrorDescriptionKey: CFString! { "NSDescription" as NSString }
public var kCFErrorUnderlyingErrorKey: CFString! { NSUnderlyingErrorKey as NSString }

/// Makes an error. Keys of `userInfo` that are not texts are left out.
@discardableResult public func CFErrorCreate(
  _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  var known: [String: Any] = [:]
  for (key, value) in userInfo ?? [:] {
    if let key = key as? String { known[key] = value }
  }
  return NSError(domain: domain.map { String(describing: $0) } ?? "", code: code, userInfo: known)
}

@discardableResult public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
  (error?.domain ?? "") as NSString
}

@discardableResult public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error?.code ?? 0 }

@discardableResult public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
  (error?.userInfo ?? [:]) as NSDictionary
}

@discardableResult public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
  (error?.localizedDescription ?? "") as NSString
}

/// Nil if the error does not say.
@discardableResult public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! {
  error?.localizedFailureReason as NSString?
}

/// Nil if the error does not say.
@discardableResult public func CFErrorCopyRecoverySuggestion(_ error: CFError!) -> CFString! {
  error?.localizedRecoverySuggestion as NSString?
}

/// An allocator. There is only one, so that none of these can be made and every constant is nil.
public final class CFAllocator: NSObject, @unchecked Sendable {
  private override init() {}
}

public let kCFAllocatorDefault: CFAllocator! = nil
public let kCFAllocatorSystemDefault: CFAllocator! = nil
public let kCFAllocatorMalloc: CFAllocator! = nil
