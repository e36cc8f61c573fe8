// Core Foundation's functions for errors. Every argument may be nil, which on Apple's systems ends
// the program and here gives an error that says nothing.

public import Foundation

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

/// Why it happened; nil where the error does not say.
@discardableResult public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! {
  error?.localizedFailureReason as NSString?
}

/// What to do about it; nil where the error does not say.
@discardableResult public func CFErrorCopyRecoverySuggestion(_ error: CFError!) -> CFString! {
  error?.localizedRecoverySuggestion as NSString?
}
