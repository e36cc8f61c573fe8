import Foundation

/// Which class an object is of, as a number. Numbers hold for one run of the program.
/// - Returns: the number of its class, or of the one its class is a kind of where that is one of
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

/// Whether a number was made of a Boolean: Foundation gives it back as one where it was.
private func isBoolean(_ number: NSNumber) -> Bool {
  unsafe number === kCFBooleanTrue || number === kCFBooleanFalse
    || String(cString: number.objCType) == "B"
}
