/// An object that callers in C hold as a pointer to a struct that the header leaves open.
///
/// A caller owns one reference, from ``handOut()`` to ``takeBack(_:)``; every call that is made with
/// the pointer holds one of its own for as long as it takes.
class LibraryObject {
  /// A pointer for the caller, who owns a reference with it.
  final func handOut() -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// The object behind a caller's pointer; nil for NULL. That it is one of this kind is the caller's
  /// word.
  @unsafe static func object(_ pointer: OpaquePointer?) -> Self? {
    unsafe pointer.map {
      unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
    }
  }

  /// Ends the caller's reference. NULL is accepted.
  @unsafe static func takeBack(_ pointer: OpaquePointer?) {
    if let pointer = unsafe pointer {
      unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
  }
}
