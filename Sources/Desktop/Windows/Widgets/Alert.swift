import CGTK

/// A question over a window, with answers to press; it takes itself away.
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

  /// `content` comes between the text and the answers, of which the first is what Escape and closing
  /// mean. Enter means the last, or the first where the last cannot be undone.
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

  /// Keeps what it shows until it is answered.
  package func keep(_ owner: AnyObject) {
    kept = owner
    Signal.connect(object, "destroy") { [weak self] in self?.kept = nil }
  }

  package func present() { unsafe gtk_window_present(object.as(GtkWindow.self)) }

  /// Takes it away unanswered.
  package func close() { unsafe gtk_window_destroy(object.as(GtkWindow.self)) }

  /// Whether an answer can be chosen.
  package func setEnabled(_ isEnabled: Bool, answer: Int) {
    unsafe adw_message_dialog_set_response_enabled(
      object.as(AdwMessageDialog.self), "\(answer)", isEnabled ? 1 : 0)
  }
}
