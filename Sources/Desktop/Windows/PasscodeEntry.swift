import CGTK
import CoreClient
package import Protocol

/// A field for a passcode or password. Letters go from the key straight into locked memory.
///
/// GTK and screen readers see only dots. The text that GTK keeps cannot be edited, so nothing can
/// be pasted, dropped, or composed by an input method, all of which would leave copies. Dead keys
/// are composed here. GTK and the display server know each key that is pressed, which no program
/// can change.
package final class PasscodeEntry: Widget {
  private var typed = TypedSecret()
  /// How many letters were typed. A mark belongs to its letter.
  private var letters = 0
  private var mark: Unicode.Scalar?
  /// Called for Enter if something was typed.
  package var submit: (@MainActor () -> Void)?
  package var changed: (@MainActor () -> Void)?
  package var capsLockChanged: (@MainActor (Bool) -> Void)?

  /// `name` is its placeholder and what screen readers say.
  package init(name: String) {
    unsafe super.init(gtk_password_entry_new())
    unsafe gtk_password_entry_set_show_peek_icon(object.opaque, 0)
    unsafe gtk_editable_set_editable(object.opaque, 0)
    // Screen readers must know that one can type here.
    unsafe cgtk_set_accessible_as_writable(pointer)
    unsafe cgtk_set_text_property(object.raw, "placeholder-text", name)
    setAccessibleName(name)
    listen()
    watchCapsLock()
  }

  /// How many bytes were typed.
  package var count: Int { typed.count }

  /// Whether more was typed than a passcode can have.
  package var isTooLong: Bool { typed.isCut }

  package var isCapsLocked: Bool {
    guard let keyboard = unsafe keyboard else { return false }
    return unsafe gdk_device_get_caps_lock_state(keyboard) != 0
  }

  /// Returns what was typed, and leaves nothing here.
  package func take() -> SecretBytes {
    let secret = typed.take()
    forget()
    return secret
  }

  package func removeAll() {
    typed.removeAll()
    forget()
  }

  /// Appends UTF-8 as if it were typed.
  package func append(_ text: Span<UInt8>) {
    for index in text.indices {
      typed.append(text[index])
      // Each byte that is no continuation begins a letter.
      if !typed.isCut, text[index] & 0xC0 != 0x80 { letters += 1 }
    }
    draw()
  }

  private func forget() {
    letters = 0
    mark = nil
    draw()
  }

  private func listen() {
    Signal.connect(keysOf: object, isFirst: true) { [weak self] key in self?.press(key) ?? false }
  }

  private func press(_ key: PressedKey) -> Bool {
    switch key.meaning {
    case .escape, .other: return false
    case .enter:
      guard typed.count > 0, let submit else { return false }
      submit()
      return true
    case .removeLast: removeLast()
    case .removeAll: removeAll()
    case .mark(let mark): self.mark = mark
    case .letter(let letter): append(letter)
    }
    return true
  }

  private func append(_ letter: Unicode.Scalar) {
    for scalar in [letter, mark].compactMap(\.self) {
      for byte in UTF8.encode(scalar) ?? .init() { typed.append(byte) }
    }
    mark = nil
    if !typed.isCut { letters += 1 }
    draw()
  }

  private func removeLast() {
    if mark != nil { return mark = nil }
    if typed.endsWithMark { typed.removeLast() }
    typed.removeLast()
    letters = typed.count == 0 ? 0 : max(1, letters - 1)
    draw()
  }

  private func draw() {
    unsafe gtk_editable_set_text(object.opaque, String(repeating: "\u{25CF}", count: letters))
    unsafe gtk_editable_set_position(object.opaque, -1)
    changed?()
  }

  private var keyboard: OpaquePointer? {
    guard let display = unsafe gtk_widget_get_display(pointer),
      let seat = unsafe gdk_display_get_default_seat(display)
    else { return nil }
    return unsafe gdk_seat_get_keyboard(seat)
  }

  private func watchCapsLock() {
    guard let keyboard = unsafe keyboard else { return }
    let device = unsafe ObjectReference(
      keeping: g_object_ref(UnsafeMutableRawPointer(keyboard))
        .assumingMemoryBound(to: GObject.self))
    Signal.connect(device, property: "caps-lock-state") { [weak self] in
      guard let self else { return }
      self.capsLockChanged?(self.isCapsLocked)
    }
  }
}

struct PressedKey {
  /// GDK_KEY_… of gdkkeysyms.h.
  let value: UInt32
  private let modifiers: GdkModifierType

  init(value: UInt32, modifiers: GdkModifierType) {
    (self.value, self.modifiers) = (value, modifiers)
  }

  enum Meaning: Equatable {
    case enter
    case escape
    case removeLast
    case removeAll
    /// A dead key: the next letter gets this mark.
    case mark(Unicode.Scalar)
    case letter(Unicode.Scalar)
    /// A key with no meaning here.
    case other
  }

  var meaning: Meaning {
    let isControl = has(GDK_CONTROL_MASK)
    switch Int32(bitPattern: value) {
    case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: return .enter
    case GDK_KEY_Escape: return .escape
    case GDK_KEY_BackSpace: return isControl ? .removeAll : .removeLast
    case GDK_KEY_u where isControl: return .removeAll
    default: break
    }
    guard !isControl, !has(GDK_ALT_MASK), !has(GDK_SUPER_MASK) else { return .other }
    if let mark = Self.marks[Int32(bitPattern: value)].flatMap(Unicode.Scalar.init) {
      return .mark(mark)
    }
    guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(value)), scalar.value >= 0x20,
      scalar.value != 0x7F
    else { return .other }
    return .letter(scalar)
  }

  private func has(_ modifier: GdkModifierType) -> Bool {
    modifiers.rawValue & modifier.rawValue != 0
  }

  /// Dead keys and the combining characters that they stand for (Unicode 15, "Combining Diacritical
  /// Marks").
  private static let marks: [Int32: UInt32] = [
    GDK_KEY_dead_grave: 0x300, GDK_KEY_dead_acute: 0x301, GDK_KEY_dead_circumflex: 0x302,
    GDK_KEY_dead_tilde: 0x303, GDK_KEY_dead_macron: 0x304, GDK_KEY_dead_breve: 0x306,
    GDK_KEY_dead_abovedot: 0x307, GDK_KEY_dead_diaeresis: 0x308, GDK_KEY_dead_abovering: 0x30A,
    GDK_KEY_dead_doubleacute: 0x30B, GDK_KEY_dead_caron: 0x30C, GDK_KEY_dead_belowdot: 0x323,
    GDK_KEY_dead_cedilla: 0x327, GDK_KEY_dead_ogonek: 0x328,
  ]
}
