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
    unsafe cgtk_connect(object.raw, name, Closure.call, Closure(body).retained, Closure.release)
  }

  /// Calls `body` when a property has changed.
  static func connect(
    _ object: ObjectReference, property: String, _ body: @escaping @MainActor () -> Void
  ) {
    unsafe cgtk_connect_change(
      object.raw, property, Closure.call, Closure(body).retained, Closure.release)
  }

  /// Calls `body`, which returns true to stop the signal.
  static func connect(
    _ object: ObjectReference, question name: String, _ body: @escaping @MainActor () -> Bool
  ) {
    unsafe cgtk_connect_question(
      object.raw, name, Question.call, Question(body).retained, Question.release)
  }

  /// Calls `body` with the signal's text.
  static func connect(
    _ object: ObjectReference, text name: String, _ body: @escaping @MainActor (String) -> Void
  ) {
    unsafe cgtk_connect_text(
      object.raw, name, TextHandler.call, TextHandler(body).retained, TextHandler.release)
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
      UnsafeMutableRawPointer(controller), KeyHandler.call, KeyHandler(body).retained,
      KeyHandler.release)
    // The widget owns the controller.
    unsafe gtk_widget_add_controller(widget.as(GtkWidget.self), controller)
  }
}

/// A closure that GLib keeps.
private protocol Kept: AnyObject, Sendable {}

extension Kept {
  /// A reference for GLib, which calls `release`.
  fileprivate var retained: UnsafeMutableRawPointer {
    unsafe Unmanaged<AnyObject>.passRetained(self).toOpaque()
  }

  /// The closure that GLib was given as `data`.
  fileprivate static func from(_ data: UnsafeMutableRawPointer?) -> Self? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(data).takeUnretainedValue() as? Self
  }

  fileprivate static var release: cgtk_release {
    { data in
      guard let data = unsafe data else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
    }
  }
}

// GTK emits signals on the main thread only.

private final class Closure: Kept {
  private let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }

  static let call: cgtk_handler = { _, data in
    let closure = unsafe Closure.from(data)
    MainActor.assumeIsolated { closure?.body() }
  }
}

private final class Question: Kept {
  private let body: @MainActor () -> Bool
  init(_ body: @escaping @MainActor () -> Bool) { self.body = body }

  static let call: cgtk_question = { _, data in
    let question = unsafe Question.from(data)
    return MainActor.assumeIsolated { question?.body() == true } ? 1 : 0
  }
}

private final class TextHandler: Kept {
  private let body: @MainActor (String) -> Void
  init(_ body: @escaping @MainActor (String) -> Void) { self.body = body }

  static let call: cgtk_text_handler = { _, text, data in
    let handler = unsafe TextHandler.from(data)
    let text = unsafe text.map { unsafe String(cString: $0) } ?? ""
    MainActor.assumeIsolated { handler?.body(text) }
  }
}

private final class KeyHandler: Kept {
  private let body: @MainActor (PressedKey) -> Bool
  init(_ body: @escaping @MainActor (PressedKey) -> Bool) { self.body = body }

  static let call: cgtk_key_handler = { _, value, _, modifiers, data in
    let handler = unsafe KeyHandler.from(data)
    return MainActor.assumeIsolated {
      handler?.body(PressedKey(value: value, modifiers: modifiers)) == true
    } ? 1 : 0
  }
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
