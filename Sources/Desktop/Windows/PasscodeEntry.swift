import CGTK
import CoreClient
package import Protocol

/// A field for a passcode or a password, whose letters go from the key straight into locked memory.
///
/// What GTK draws and a screen reader hears of is a row of dots: the text that GTK keeps holds as many
/// dots as letters were typed, and cannot be edited, so that nothing can be pasted, dropped, or put
/// together by an input method, all of which would leave copies. Accents of dead keys are put together
/// here. Of a key that is pressed GTK and the display's server know; no program can change that.
package final class PasscodeEntry: Widget {
  private var typed = TypedSecret()
  /// How many letters were typed, marks counted with their letter.
  private var letters = 0
  private var mark: Unicode.Scalar?
  /// Enter was pressed with something typed.
  package var submit: (@MainActor () -> Void)?
  package var changed: (@MainActor () -> Void)?
  package var capsLockChanged: (@MainActor (Bool) -> Void)?

  /// `name`: how it is called, before it and by a screen reader.
  package init(name: String) {
    unsafe super.init(gtk_password_entry_new())
    unsafe gtk_password_entry_set_show_peek_icon(object.opaque, 0)
    unsafe gtk_editable_set_editable(object.opaque, 0)
    // To a screen reader it is a field to type into, which it is.
    unsafe cgtk_set_accessible_as_writable(pointer)
    unsafe cgtk_set_text_property(object.raw, "placeholder-text", name)
    setAccessibleName(name)
    listen()
    watchCapsLock()
  }

  /// Bytes that were typed.
  package var count: Int { typed.count }

  /// Whether more was typed than a passcode can have.
  package var isTooLong: Bool { typed.isCut }

  package var isCapsLocked: Bool {
    guard let keyboard = unsafe keyboard else { return false }
    return unsafe gdk_device_get_caps_lock_state(keyboard) != 0
  }

  /// What was typed, as it was typed; nothing is left here.
  package func take() -> SecretBytes {
    let secret = typed.take()
    forget()
    return secret
  }

  /// Takes everything back.
  package func removeAll() {
    typed.removeAll()
    forget()
  }

  /// Adds bytes of UTF-8 behind what was typed, as if they were typed.
  package func append(_ text: Span<UInt8>) {
    for index in text.indices {
      typed.append(text[index])
      // A letter begins with every byte that continues none.
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

  /// What it does to a text that is being typed.
  enum Meaning: Equatable {
    case enter
    case escape
    case removeLast
    case removeAll
    /// The mark that the next letter gets (a dead key).
    case mark(Unicode.Scalar)
    case letter(Unicode.Scalar)
    /// Nothing: it may mean something to others.
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
