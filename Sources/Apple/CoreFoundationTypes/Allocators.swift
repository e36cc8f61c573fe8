public import Foundation

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
