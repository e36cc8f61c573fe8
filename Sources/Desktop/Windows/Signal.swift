import CGTK

/// Connects GTK's signals to closures.
///
/// The object keeps the closure as long as it lives. So a closure must hold the owner of its widget
/// weakly.
@MainActor
enum Signal {
  /// Calls `body` for a signal without arguments.
  static func connect(
    _ object: ObjectReference, _ name: String, _ body: @escaping @MainActor () -> Void
  ) {
    unsafe cgtk_connect(object.raw, name, plainHandler, Kept(body).retained, releaseKept)
  }

  /// Calls `body` when a property has changed.
  static func connect(
    _ object: ObjectReference, property: String, _ body: @escaping @MainActor () -> Void
  ) {
    unsafe cgtk_connect_change(object.raw, property, plainHandler, Kept(body).retained, releaseKept)
  }

  /// Calls `body`, which returns true to stop the signal.
  static func connect(
    _ object: ObjectReference, question name: String, _ body: @escaping @MainActor () -> Bool
  ) {
    unsafe cgtk_connect_question(
      object.raw, name, questionHandler, Kept(body).retained, releaseKept)
  }

  /// Calls `body` with the signal's text.
  static func connect(
    _ object: ObjectReference, text name: String, _ body: @escaping @MainActor (String) -> Void
  ) {
    unsafe cgtk_connect_text(object.raw, name, textHandler, Kept(body).retained, releaseKept)
  }

  /// Calls `body` with each key.
  /// - Parameters:
  ///   - widget: gets the keys that its children did not take.
  ///   - isFirst: whether it gets each key before its children.
  ///   - body: returns true if it took the key.
  static func connect(
    keysOf widget: ObjectReference, isFirst: Bool = false,
    _ body: @escaping @MainActor (PressedKey) -> Bool
  ) {
    guard let controller = unsafe gtk_event_controller_key_new() else { return }
    if isFirst {
      unsafe gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
    }
    unsafe cgtk_connect_key(
      UnsafeMutableRawPointer(controller), keyHandler, Kept(body).retained, releaseKept)
    // The widget owns the controller.
    unsafe gtk_widget_add_controller(widget.as(GtkWidget.self), controller)
  }
}

/// A value that GLib keeps for a callback.
final class Kept<Value: Sendable>: Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  /// A reference for GLib, which calls ``releaseKept``.
  var retained: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// The value that GLib passes to a callback as `data`.
  static func value(_ data: UnsafeMutableRawPointer?) -> Value? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<Kept>.fromOpaque(data).takeUnretainedValue().value
  }
}

/// Releases the reference that GLib has.
let releaseKept: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

// GTK emits signals on the main thread only.

private let plainHandler: cgtk_handler = { _, data in
  let body = unsafe Kept<@MainActor () -> Void>.value(data)
  MainActor.assumeIsolated { body?() }
}

private let questionHandler: cgtk_question = { _, data in
  let body = unsafe Kept<@MainActor () -> Bool>.value(data)
  return MainActor.assumeIsolated { body?() == true } ? 1 : 0
}

private let textHandler: cgtk_text_handler = { _, text, data in
  let body = unsafe Kept<@MainActor (String) -> Void>.value(data)
  let text = unsafe text.map { unsafe String(cString: $0) } ?? ""
  MainActor.assumeIsolated { body?(text) }
}

private let keyHandler: cgtk_key_handler = { _, value, _, modifiers, data in
  let body = unsafe Kept<@MainActor (PressedKey) -> Bool>.value(data)
  let key = PressedKey(value: value, modifiers: modifiers)
  return MainActor.assumeIsolated { body?(key) == true } ? 1 : 0
}

/// A reference to an object of GLib.
///
/// Only this class keeps pointers of GTK. Each points to an object that the reference keeps alive,
/// and is used on the main thread only.
@safe
final class ObjectReference: @unchecked Sendable {
  // Sendable: the pointer never changes, and is released on the main thread.
  private let pointer: UnsafeMutableRawPointer

  /// Keeps a new object, or one that another owns. A floating reference is taken over.
  init(sinking object: UnsafeMutablePointer<GtkWidget>) {
    unsafe pointer = g_object_ref_sink(object)
  }

  /// Takes over a reference of the caller.
  init<Object>(keeping object: UnsafeMutablePointer<Object>) {
    unsafe pointer = UnsafeMutableRawPointer(object)
  }

  /// Takes over a reference of the caller.
  init(keeping object: OpaquePointer) { unsafe pointer = UnsafeMutableRawPointer(object) }

  deinit { unsafe cgtk_release_object(pointer) }

  /// The object as one of its classes. GObject allows the cast: a class's structure begins with
  /// that of its parent.
  func `as`<Object>(_: Object.Type) -> UnsafeMutablePointer<Object> {
    unsafe pointer.assumingMemoryBound(to: Object.self)
  }

  /// The object as an opaque pointer.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  var raw: UnsafeMutableRawPointer { unsafe pointer }
}
