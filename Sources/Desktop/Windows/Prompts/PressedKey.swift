import CGTK

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
