import CGTK

/// A reference to an object of GLib's, given up with the value.
///
/// The one place where pointers of GTK are kept: each is that of an object that this value keeps
/// alive, and is used on the main thread only.
@safe
final class ObjectReference: @unchecked Sendable {
  // Sendable: the pointer never changes, and giving it up goes to the main thread by itself.
  private let pointer: UnsafeMutableRawPointer

  /// Keeps an object that was just made, or belongs to another: a floating reference is taken over.
  init(sinking object: UnsafeMutablePointer<GtkWidget>) {
    unsafe pointer = g_object_ref_sink(object)
  }

  /// Takes over a reference that the caller has.
  init<Object>(keeping object: UnsafeMutablePointer<Object>) {
    unsafe pointer = UnsafeMutableRawPointer(object)
  }

  /// Takes over a reference that the caller has.
  init(keeping object: OpaquePointer) { unsafe pointer = UnsafeMutableRawPointer(object) }

  deinit { unsafe cgtk_release_object(pointer) }

  /// The object as one of a class that it is of (GObject's own rule for casts: the structures of a
  /// class begin with those of the one above).
  func `as`<Object>(_: Object.Type) -> UnsafeMutablePointer<Object> {
    unsafe pointer.assumingMemoryBound(to: Object.self)
  }

  /// The object for functions whose class shows no structure.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  /// The object for functions that take any.
  var raw: UnsafeMutableRawPointer { unsafe pointer }
}
