/// What differs between Elan's chips. Both families share endpoints, product name and the codes of a
/// touch.
enum ElanChipFamily: Equatable {
  /// Recorded from 04f3:0c88.
  case current
  /// Known from notes alone; untested. `nameOffset` is where a name lies in the content of a slot.
  case older(nameOffset: Int, marksSlot: Bool)

  static let vendor: UInt16 = 0x04F3

  /// By product number, with the good touches that an enrollment takes. 04f3:0c00 is not among them:
  /// it says which slot matched and not what is in it.
  static let products: [UInt16: (family: ElanChipFamily, touches: Int)] = [
    0x0C7D: (.current, 9), 0x0C7E: (.current, 9), 0x0C82: (.current, 9), 0x0C88: (.current, 9),
    0x0C98: (.current, 9), 0x0C9C: (.current, 9), 0x0C9D: (.current, 9), 0x0C9F: (.current, 9),
    0x0CA3: (.current, 9), 0x0C8C: (.current, 11), 0x0C99: (.current, 14), 0x0C8D: (.current, 17),
    0x0C4C: (older, 8), 0x0C7C: (older, 8), 0x0C90: (older, 8),
    0x0C5E: (.older(nameOffset: 3, marksSlot: false), 8),
    0x0C6C: (.older(nameOffset: 2, marksSlot: true), 15),
  ]

  private static let older = ElanChipFamily.older(nameOffset: 2, marksSlot: false)

  var nameBytes: Int { self == .current ? 64 : 62 }

  /// Waits for a finger and searches all slots.
  var search: [UInt8] { self == .current ? [0x40, 0xFF, 0x73, 0, 0] : [0x40, 0xFF, 0x03] }

  /// Stores the touches of an enrollment.
  func commit(_ name: [UInt8]) -> [UInt8] {
    self == .current
      ? Self.padded([0x40, 0xFF, 0x11, 0, 0] + Self.userData(name), 128)
      : Self.padded([0x40, 0xFF, 0x11] + name, 72)
  }

  func delete(_ name: [UInt8]) -> [UInt8] {
    self == .current
      ? Self.padded([0x40, 0xFF, 0x13] + Self.userData(name), 128)
      : Self.padded([0x40, 0xFF, 0x13] + name, 72)
  }

  /// Asks for the content of a slot, and how many bytes the answer has at most.
  func slot(_ index: UInt8) -> (command: [UInt8], length: Int) {
    self == .current ? ([0x43, 0x21, index], 97) : ([0x40, 0xFF, 0x12, index], 64)
  }

  /// The name in the content of a slot; nil if the slot is empty or the answer is malformed.
  func name(in slot: [UInt8]) -> [UInt8]? {
    switch self {
    case .current:
      guard slot.count > 5, slot[0] == 0x43, slot[1] == 0 else { return nil }
      let count = Int(slot[4])
      return 1...nameBytes ~= count && slot.count >= 5 + count ? Array(slot[5..<5 + count]) : nil
    case .older(let offset, _):
      guard slot.count > offset, slot[0] == 0x40, ![0xDD, 0xFE, 0xFF].contains(slot[1]) else {
        return nil
      }
      // Names end with no zero (match_on_chip.h), and the chip fills up with them.
      let name = slot.dropFirst(offset).prefix(nameBytes)
      return name.lastIndex { $0 != 0 }.map { Array(name[...$0]) }
    }
  }

  /// Whether an enrollment under this name would replace another.
  static func isKnown(_ name: [UInt8]) -> [UInt8] {
    padded([0x40, 0xFF, 0x22] + userData(name), 98)
  }

  private static func userData(_ name: [UInt8]) -> [UInt8] { [0, 0, UInt8(name.count)] + name }

  private static func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
  }
}
