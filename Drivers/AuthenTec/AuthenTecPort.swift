internal import SensorKit

/// The two endpoints of a chip, one for register writes and one for messages.
struct AuthenTecPort {
  private static let messages = USBEndpoint.bulk(0x81)
  private static let registers = USBEndpoint.bulk(0x02)
  /// How long the chip may take for anything but a finger.
  private static let answerTime = Duration.seconds(4)

  let chip: AuthenTecChip
  private let usb: USBDevice

  init(context: SensorContext) throws(SensorFailure) {
    usb = try context.usb()
    let info = try usb.info()
    guard info.vendor == AuthenTecChip.vendor, let chip = AuthenTecChip(rawValue: info.product)
    else {
      throw SensorFailure(
        .unsupported,
        "This reader (\(String(info.vendor, radix: 16)):\(String(info.product, radix: 16))) is none of "
          + "AuthenTec's that this driver knows: `driver info authentec` lists them")
    }
    guard
      let interface = info.interfaces.first(where: {
        $0.endpoints.contains(Self.messages.address)
          && $0.endpoints.contains(Self.registers.address)
      })
    else {
      throw SensorFailure(
        .unsupported, "The reader has no endpoints 81 and 02, as all AuthenTec readers do")
    }
    self.chip = chip
    try usb.claimInterface(interface.number)
  }

  /// Sends each list of register and value pairs in a transfer of its own. A list has at most 16
  /// pairs.
  func send(_ transfers: [UInt8]...) throws(SensorFailure) {
    for pairs in transfers {
      do throws(SensorFailure) {
        try usb.write(pairs, to: Self.registers, deadline: Self.answerTime)
      } catch {
        throw try explained(error, Self.registers)
      }
    }
  }

  /// Reads a message of exactly `length` bytes. `what` names it in failures.
  func receive(_ what: String, length: Int) throws(SensorFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try usb.read(from: Self.messages, length: length, deadline: Self.answerTime)
    } catch {
      throw try explained(error, Self.messages)
    }
    return try AuthenTecMessage.checked(bytes, what, length: length)
  }

  /// Reads a message that comes with a finger. If the deadline passes, returns what has come, and
  /// the chip still waits. In recordings a cancelled read ends without bytes.
  func receiveOnTouch(length: Int, deadline: Duration) throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      return try usb.read(from: Self.messages, length: length, deadline: deadline)
    } catch {
      if error.code == .timeout { return [] }
      throw try explained(error, Self.messages)
    }
  }

  /// Discards leftover messages until the chip is silent.
  func drain() throws(SensorFailure) {
    // Bounded, for a chip that never stops. No message has more than three transfers of this size.
    for _ in 0..<8 {
      do throws(SensorFailure) {
        let bytes = try usb.read(
          from: Self.messages, length: 8329, deadline: .milliseconds(20))
        if bytes.isEmpty { return }
      } catch {
        switch error.code {
        case .timeout: return
        case .stall: try usb.clearHalt(Self.messages)
        default: throw error
        }
      }
    }
  }

  /// Clears a halt, and makes the failure one that a person understands.
  private func explained(_ failure: SensorFailure, _ endpoint: USBEndpoint) throws(SensorFailure)
    -> SensorFailure
  {
    switch failure.code {
    case .stall:
      try usb.clearHalt(endpoint)
      return SensorFailure(.stall, "The reader refused a transfer; try again")
    case .timeout:
      return SensorFailure(
        .inputOutput,
        "The reader did not answer within \(Self.answerTime.components.seconds) s: "
          + "unplug it and plug it in again")
    default:
      return failure
    }
  }
}

/// What the messages of all chips have in common.
package enum AuthenTecMessage {
  /// Checks a message's length.
  static func checked(_ bytes: [UInt8], _ what: String, length: Int) throws(SensorFailure)
    -> [UInt8]
  {
    guard bytes.count == length else {
      throw violation("\(what) has \(bytes.count) bytes instead of \(length)")
    }
    return bytes
  }

  static func violation(_ what: String) -> SensorFailure {
    SensorFailure(.protocolViolation, "The reader answered wrongly: \(what); try again")
  }

  /// Unpacks the 4-bit pixels of a stripe of 16 rows. They come column by column from the left, two
  /// pixels a byte, the upper one in the low nibble. A nibble n becomes the gray value 17 n.
  ///
  /// - Precondition: `packed` has 8 bytes for each column, at least one.
  package static func stripe(_ packed: ArraySlice<UInt8>) -> [UInt8] {
    let columns = packed.count / 8
    var pixels = [UInt8](repeating: 0, count: columns * 16)
    for (index, pair) in packed.prefix(columns * 8).enumerated() {
      let place = index % 8 * 2 * columns + index / 8
      pixels[place] = (pair & 15) * 17
      pixels[place + columns] = (pair >> 4) * 17
    }
    return pixels
  }
}
