public import Foundation

// As a key of a dictionary from `AnyHashable`, a text is one whether it came as `String` or as
// `NSString`. Foundation for Linux does not say so itself. It holds in the whole process, as it does
// on Apple's systems.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// The same text as Swift's own type has it.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(describing: self)) }
}
