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

/// How many bytes there are.
@discardableResult public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
  theData?.length ?? 0
}

/// Bytes that are copied.
/// - Parameters:
///   - allocator: without effect.
///   - bytes: where they are; nil: as many zeros.
///   - length: how many; none where it is negative.
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
