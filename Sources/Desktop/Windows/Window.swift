import CGTK

/// A window with libadwaita's frame.
@MainActor
package final class Window {
  private let object: ObjectReference
  private var kept: AnyObject?
  private let toasts: ObjectReference
  /// Called when the person closes it. True keeps it open.
  package var mayNotClose: @MainActor () -> Bool = { false }
  /// Called for Escape, if no widget took the key.
  package var escape: (@MainActor () -> Void)?

  /// The application ends with its last window. A window with a `parent` is modal.
  package init(
    of application: Application, title: String, width: Int32 = -1, height: Int32 = -1,
    over parent: Window? = nil
  ) {
    guard let window = unsafe adw_application_window_new(application.pointer),
      let overlay = unsafe adw_toast_overlay_new()
    else { preconditionFailure("GTK makes every widget it is asked for") }
    object = unsafe ObjectReference(sinking: window)
    toasts = unsafe ObjectReference(sinking: overlay)
    unsafe adw_application_window_set_content(
      object.as(AdwApplicationWindow.self), toasts.as(GtkWidget.self))
    unsafe gtk_window_set_title(pointer, title)
    unsafe gtk_window_set_default_size(pointer, width, height)
    if let parent {
      unsafe gtk_window_set_transient_for(pointer, parent.pointer)
      unsafe gtk_window_set_modal(pointer, 1)
    }
    Signal.connect(object, question: "close-request") { [weak self] in
      self?.mayNotClose() ?? false
    }
    listenForEscape()
  }

  private func listenForEscape() {
    Signal.connect(keysOf: object) { [weak self] key in
      guard key.meaning == .escape, let escape = self?.escape else { return false }
      escape()
      return true
    }
  }

  var pointer: UnsafeMutablePointer<GtkWindow> { unsafe object.as(GtkWindow.self) }

  package func setContent(_ content: Widget) {
    unsafe adw_toast_overlay_set_child(toasts.opaque, content.pointer)
  }

  /// Keeps the person from resizing it.
  package func keepSize() { unsafe gtk_window_set_resizable(pointer, 0) }

  /// Shows it in front of others.
  package func present() { unsafe gtk_window_present(pointer) }

  /// Closes it without ``mayNotClose``.
  package func close() { unsafe gtk_window_destroy(pointer) }

  /// Shows it, and keeps `owner` until it is closed.
  package func present(keeping owner: AnyObject) {
    present()
    kept = owner
    Signal.connect(object, "destroy") { [weak self] in self?.kept = nil }
  }

  /// Whether it has the focus.
  package var isActive: Bool { unsafe gtk_window_is_active(pointer) != 0 }

  /// Calls `body` when ``isActive`` changes.
  package func onActivation(_ body: @escaping @MainActor () -> Void) {
    Signal.connect(object, property: "is-active", body)
  }

  /// Shows a text for a few seconds.
  package func toast(_ text: String) {
    guard let toast = unsafe adw_toast_new(text) else { return }
    unsafe adw_toast_overlay_add_toast(toasts.opaque, toast)
  }
}

/// The title bar.
package final class HeaderBar: Widget {
  /// - Parameter showsClose: whether it has a button to close the window.
  package init(showsClose: Bool = true) {
    unsafe super.init(adw_header_bar_new())
    if !showsClose {
      unsafe adw_header_bar_set_show_end_title_buttons(object.opaque, 0)
      unsafe adw_header_bar_set_show_start_title_buttons(object.opaque, 0)
    }
  }
}

/// A question over a window. An answer closes it.
@MainActor
package final class Alert {
  package struct Answer {
    package enum Look {
      case plain, suggested, destructive
    }

    let title: String
    let look: Look
    let press: @MainActor () -> Void

    package init(_ title: String, _ look: Look = .plain, _ press: @escaping @MainActor () -> Void) {
      (self.title, self.look, self.press) = (title, look, press)
    }
  }

  private let object: ObjectReference
  private var kept: AnyObject?

  /// `content` goes between text and answers. Escape and closing mean the first answer. Enter means
  /// the last, or the first if the last is destructive.
  package init(
    over parent: Window, heading: String, body: String, content: Widget? = nil, _ answers: [Answer]
  ) {
    guard let alert = unsafe cgtk_new_alert(parent.pointer, heading, body) else {
      preconditionFailure("GTK makes every widget it is asked for")
    }
    object = unsafe ObjectReference(sinking: alert)
    let dialog = unsafe object.as(AdwMessageDialog.self)
    for (index, answer) in answers.enumerated() {
      unsafe adw_message_dialog_add_response(dialog, "\(index)", answer.title)
      let look =
        switch answer.look {
        case .plain: ADW_RESPONSE_DEFAULT
        case .suggested: ADW_RESPONSE_SUGGESTED
        case .destructive: ADW_RESPONSE_DESTRUCTIVE
        }
      unsafe adw_message_dialog_set_response_appearance(dialog, "\(index)", look)
    }
    unsafe adw_message_dialog_set_close_response(dialog, "0")
    let isDestructive = answers.last?.look == .destructive
    unsafe adw_message_dialog_set_default_response(
      dialog, isDestructive ? "0" : "\(answers.count - 1)")
    if let content { unsafe adw_message_dialog_set_extra_child(dialog, content.pointer) }
    Signal.connect(object, text: "response") { response in
      guard let index = Int(response), answers.indices.contains(index) else { return }
      answers[index].press()
    }
  }

  /// Keeps `owner` until it is answered.
  package func keep(_ owner: AnyObject) {
    kept = owner
    Signal.connect(object, "destroy") { [weak self] in self?.kept = nil }
  }

  package func present() { unsafe gtk_window_present(object.as(GtkWindow.self)) }

  package func close() { unsafe gtk_window_destroy(object.as(GtkWindow.self)) }

  package func setEnabled(_ isEnabled: Bool, answer: Int) {
    unsafe adw_message_dialog_set_response_enabled(
      object.as(AdwMessageDialog.self), "\(answer)", isEnabled ? 1 : 0)
  }
}
