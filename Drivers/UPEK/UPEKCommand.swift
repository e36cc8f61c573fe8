/// What the host sends, apart from checksum and sequence number.
struct UPEKCommand {
  let kind: UPEKFrame.Kind
  let payload: [UInt8]

  /// Opens a session. It is done twice with different numbers, whose meaning is not known.
  static let openFirst = UPEKCommand(
    kind: .open, payload: [0x01, 0x00, 0x46, 0x00, 0, 0, 0, 0, 0x01, 0x01, 0, 0, 0])
  static let openAgain = UPEKCommand(
    kind: .open, payload: [0x01, 0x00, 0xBC, 0x02, 0, 0, 0, 0, 0x01, 0x01, 0, 0, 0])
  static let close = UPEKCommand(kind: .close, payload: [0x01])
  /// Asks what sensor there is.
  static let describe = UPEKCommand(kind: .data, payload: [0x28, 4, 0, 0, 0, 0x06, 0x04])
  /// Answers a status: go on.
  static let goOn = UPEKCommand(kind: .data, payload: [0x28, 5, 0, 0, 0, 0x00, 0x30, 0x01])
  /// Acknowledges a part of an image.
  static let acknowledge = UPEKCommand(kind: .data, payload: [0x30])
  /// Answers ``UPEKFrame/Kind/busy``.
  static let listening = UPEKCommand(kind: .listening, payload: [])

  /// Asks for an image, without a limit of time (-2).
  static func capture(on sensor: UPEKSensorModel) -> UPEKCommand {
    UPEKCommand(
      kind: .data,
      payload: [
        0x28, 11, 0, 0, 0, 0x0E, 0x02, 0xFE, 0xFF, 0xFF, 0xFF, 0x02, sensor.isSwipe ? 0 : 1, 0x02,
      ])
  }
}
