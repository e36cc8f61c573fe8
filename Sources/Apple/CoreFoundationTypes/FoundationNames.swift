// The names of Core Foundation that code for Apple's systems uses beside Security's.
//
// They stand for Foundation's classes, so that the compiler bridges to and from Swift's own types
// (`as CFDictionary`) as it does there: with value types `as` would mean something else.

@_exported public import Foundation

/// Any object.
public typealias CFTypeRef = AnyObject
/// A text.
public typealias CFString = NSString
/// A text that can be changed.
public typealias CFMutableString = NSMutableString
/// A dictionary from any objects to any.
public typealias CFDictionary = NSDictionary
/// A dictionary that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array of any objects.
public typealias CFArray = NSArray
/// An array that can be changed.
public typealias CFMutableArray = NSMutableArray
/// A set of any objects.
public typealias CFSet = NSSet
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A number.
public typealias CFNumber = NSNumber
/// Yes or no; a number as everywhere in Foundation.
public typealias CFBoolean = NSNumber
/// A moment.
public typealias CFDate = NSDate
/// An address.
public typealias CFURL = NSURL
/// What stands for nothing in a collection.
public typealias CFNull = NSNull
/// An error.
public typealias CFError = NSError
/// Whose numbers an error's code is one of.
public typealias CFErrorDomain = NSString

/// A position or a count.
public typealias CFIndex = Int
/// A set of flags.
public typealias CFOptionFlags = UInt
/// A hash.
public typealias CFHashCode = UInt
/// Which class an object is of.
public typealias CFTypeID = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since the beginning of 2001, universal time.
public typealias CFAbsoluteTime = Double
/// Four characters in a number, the first one in its highest byte.
public typealias FourCharCode = UInt32
/// Four characters that name a kind.
public typealias OSType = UInt32
/// What a function of Security answers: 0, or why not (`errSec…`).
public typealias OSStatus = Int32

/// It worked.
public let noErr: OSStatus = 0

/// A whole number, as code that grew out of Objective-C names it.
public typealias NSInteger = Int
/// A whole number that is not negative, as code that grew out of Objective-C names it.
public typealias NSUInteger = UInt

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether a simulator of another device runs this, which is never so: 0.
public let TARGET_OS_SIMULATOR: Int32 = 0

/// Where an error goes, if the caller wants it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
/// A pointer whose object is released later; objects of Swift's are counted, so it is any pointer.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer

/// Yes.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// No.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// What stands for nothing in a collection.
public var kCFNull: CFNull! { NSNull() }

/// The key of an application's identifier in its `Info.plist`.
public var kCFBundleIdentifierKey: CFString! { "CFBundleIdentifier" as NSString }
/// The key of an application's name in its `Info.plist`.
public var kCFBundleNameKey: CFString! { "CFBundleName" as NSString }
/// The key of an application's version in its `Info.plist`.
public var kCFBundleVersionKey: CFString! { "CFBundleVersion" as NSString }

/// The moment of asking.
@discardableResult public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date().timeIntervalSinceReferenceDate
}

// As a key of a dictionary from `AnyHashable`, a text is one whether it came as `String` or as
// `NSString`. Foundation for Linux does not say so itself. It holds in the whole process, as it does
// on Apple's systems.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// The same text as Swift's own type has it.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(describing: self)) }
}
