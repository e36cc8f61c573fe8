// The names of Core Foundation that code for Apple's systems uses beside Security's.
//
// They stand for Foundation's classes, so that the compiler bridges to and from Swift's types (`as
// CFDictionary`) as on Apple's systems; with value types `as` would mean something else.

@_exported public import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFMutableString = NSMutableString
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = NSArray
public typealias CFMutableArray = NSMutableArray
public typealias CFSet = NSSet
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFNumber = NSNumber
/// A number, as everywhere in Foundation.
public typealias CFBoolean = NSNumber
public typealias CFDate = NSDate
public typealias CFURL = NSURL
public typealias CFNull = NSNull
public typealias CFError = NSError
public typealias CFErrorDomain = NSString

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFHashCode = UInt
public typealias CFTypeID = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since the beginning of 2001, universal time.
public typealias CFAbsoluteTime = Double
/// Four characters in a number, the first one in its highest byte.
public typealias FourCharCode = UInt32
/// Four characters that name a kind.
public typealias OSType = UInt32
/// The result of a function of Security: 0, or why it failed (`errSec…`).
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
/// A pointer whose object is released later; Swift counts objects, so it is any pointer.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
public var kCFNull: CFNull! { NSNull() }

/// The key of an application's identifier in its `Info.plist`.
public var kCFBundleIdentifierKey: CFString! { "CFBundleIdentifier" as NSString }
/// The key of an application's name in its `Info.plist`.
public var kCFBundleNameKey: CFString! { "CFBundleName" as NSString }
/// The key of an application's version in its `Info.plist`.
public var kCFBundleVersionKey: CFString! { "CFBundleVersion" as NSString }

@discardableResult public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date().timeIntervalSinceReferenceDate
}

// Makes `String` and `NSString` the same key in a dictionary from `AnyHashable`, in the whole
// process, as on Apple's systems. Foundation for Linux does not do so.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(describing: self)) }
}
