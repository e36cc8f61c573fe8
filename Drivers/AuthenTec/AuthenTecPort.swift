internal import SensorKit

/// The two endpoints of a chip: register writes go out, messages come in.
struct AuthenTecPort {
  private static let messages = USBEndpoint.bulk(0x81)
  private static let registers = USBEndpoint.bulk(0x02)
  /// How long the chip may take for everything but a finger.
  private static let patience = Duration.seconds(4)

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

  /// Sends each list of register and value pairs in a transfer of its own; a list has at most 16
  /// pairs.
  func send(_ transfers: [UInt8]...) throws(SensorFailure) {
    for pairs in transfers {
      do throws(SensorFailure) {
        try usb.write(pairs, to: Self.registers, deadline: Self.patience)
      } catch {
        throw try explained(error, Self.registers)
      }
    }
  }

  /// Reads a message of exactly `length` bytes; `what` names it.
  func receive(_ what: String, length: Int) throws(SensorFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try usb.read(from: Self.messages, length: length, deadline: Self.patience)
    } catch {
      throw try explained(error, Self.messages)
    }
    return try AuthenTecMessage.checked(bytes, what, length: length)
  }

  /// Reads a message that comes when a finger does: none, or a part of it, when it does not come by
  /// the deadline. Then the chip waits on. A read that was cancelled ends without bytes in
  /// recordings.
  func receiveOnTouch(length: Int, deadline: Duration) throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      return try usb.read(from: Self.messages, length: length, deadline: deadline)
    } catch {
      if error.code == .timeout { return [] }
      throw try explained(error, Self.messages)
    }
  }

  /// Discards what the chip still has to say from before, until it is silent.
  func drain() throws(SensorFailure) {
    // No message has more than three transfers of this size; a chip that never stops is not waited
    // for.
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

  /// The failure as the person is told, after the halt of the endpoint was cleared, if that was it.
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
        "The reader did not answer within \(Self.patience.components.seconds) s: "
          + "unplug it and plug it in again")
    default:
      return failure
    }
  }
}

/// What all messages of the chips have in common.
package enum AuthenTecMessage {
  /// The message, if it has the length it must have.
  static func checked(_ bytes: [UInt8], _ what: String, length: Int) throws(SensorFailure)
    -> [UInt8]
  {
    guard bytes.count == length else {
      throw violation("\(what) has \(bytes.count) bytes instead of \(length)")
    }
    return bytes
  }

  /// A message that is not as it should be, and the way out.
  static func violation(_ what: String) -> SensorFailure {
    SensorFailure(.protocolViolation, "The reader answered wrongly: \(what); try again")
  }

  /// Unpacks 4-bit pixels of a stripe of 16 rows: column by column from the left, two pixels a
  /// byte, the upper one in the low nibble. A nibble n becomes the gray value 17 n.
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
