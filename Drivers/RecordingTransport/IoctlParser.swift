internal import SensorKit
internal import USBCapture

/// Reads umockdev's record of the `ioctl(2)` calls on a USB device: one line for each finished
/// transfer (umockdev(7); the kernel's include/uapi/linux/usbdevice_fs.h).
struct IoctlParser {
  /// The fields of a line before its bytes: name, result, type, endpoint, status, flags, length,
  /// moved, errors.
  private static let fieldCount = 9

  private var exchanges: [Recording.Exchange] = []
  private var line = 0

  private init() {}

  /// Whether the first line that is not a comment is one of such a file.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(1000) {
      let text = line.drop { $0 == 0x20 }
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      return text.starts(with: "@DEV ".utf8) || text.starts(with: "USBDEVFS_".utf8)
    }
    return false
  }

  static func parse(_ bytes: [UInt8], device: DeviceChoice) throws(RecordingError) -> Recording {
    guard let model = device.onlyModel else { throw Self.unnamed(device) }
    var parser = IoctlParser()
    var place: (bus: UInt8, address: UInt8)?
    for bytes in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      parser.line += 1
      let text = bytes.drop { $0 == 0x20 }
      if text.starts(with: "@DEV ".utf8) {
        // The rest belongs to another device.
        guard place == nil else { break }
        place = Self.place(text)
      } else {
        try parser.read(text)
      }
    }
    return Recording(
      info: USBDeviceInfo(
        vendor: model.vendor, product: model.product, release: model.release,
        bus: place?.bus ?? 0, address: place?.address ?? 0,
        interfaces: [USBInterfaceInfo(usedBy: parser.exchanges.map { $0.transfer })]),
      content: .sequence(parser.exchanges))
  }

  private static func unnamed(_ device: DeviceChoice) -> RecordingError {
    var possible = ""
    if case .models(let models) = device {
      let rest = models.count > 16 ? ", …" : ""
      possible = "; possible are " + models.prefix(16).map(\.name).joined(separator: ", ") + rest
    }
    return RecordingError(
      place: .wholeFile,
      reason: "an .ioctl file does not say which model of device it is of; name it behind the "
        + "file, as in FILE:298d:1010" + possible)
  }

  /// From "@DEV /dev/bus/usb/001/003".
  private static func place(_ line: ArraySlice<UInt8>) -> (bus: UInt8, address: UInt8) {
    let path = line.split(separator: 0x20).dropFirst().first ?? []
    let numbers = path.split(separator: UInt8(ascii: "/")).suffix(2)
      .map { UInt8(String(decoding: $0, as: UTF8.self)) ?? 0 }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : (0, 0)
  }

  private mutating func read(_ text: ArraySlice<UInt8>) throws(RecordingError) {
    guard let first = text.first, first != UInt8(ascii: "#"), first != 0x0D else { return }
    guard text.starts(with: "USBDEVFS_".utf8) else {
      throw error("it is neither a comment nor a call of usbdevfs")
    }
    let words = text.split(maxSplits: Self.fieldCount) { $0 == 0x20 || $0 == 0x0D }
    let name = words.first.map { String(decoding: $0, as: UTF8.self) }
    // Others are claims, resets and the like, which always succeed here.
    guard name == "USBDEVFS_REAPURB" || name == "USBDEVFS_REAPURBNDELAY" else { return }
    let fields = words.prefix(Self.fieldCount).dropFirst()
      .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    guard fields.count == Self.fieldCount - 1 else {
      throw error("a transfer has a result and seven numbers before its bytes")
    }
    guard let endpoint = UInt8(exactly: fields[2]),
      0...RecordingReader.maximumTransfer ~= Int(fields[5])
    else { throw error("the endpoint or the length of the transfer is not possible") }
    let data = try bytes(words.count > Self.fieldCount ? words[Self.fieldCount] : [])
    try append(type: fields[1], endpoint, status: fields[3], length: Int(fields[5]), data)
  }

  /// The types are `USBDEVFS_URB_TYPE_…`.
  private mutating func append(
    type: Int32, _ endpoint: UInt8, status: Int32, length: Int, _ data: [UInt8]
  ) throws(RecordingError) {
    guard data.count <= length else {
      throw error("it has \(data.count) bytes, but \(length) were asked for")
    }
    let transfer: USBTransfer
    var answer = data
    switch type {
    case 1, 3:
      let endpoint = USBEndpoint(address: endpoint, kind: type == 1 ? .interrupt : .bulk)
      if endpoint.address & 0x80 != 0 {
        transfer = .read(endpoint, length: length)
      } else {
        guard data.count == length else { throw error("not all of its \(length) bytes are here") }
        transfer = .write(endpoint, data)
      }
    case 2:
      guard let setup = USBSetup(packet: data.prefix(8)) else {
        throw error("a control transfer begins with a setup packet of 8 bytes")
      }
      answer = Array(data.dropFirst(8))
      guard setup.isRead || answer.count == Int(setup.length) else {
        throw error("not all of its \(setup.length) bytes are here")
      }
      transfer = .control(setup, data: setup.isRead ? [] : answer)
    default: return
    }
    exchanges.append(
      .init(
        place: .line(line), transfer: transfer,
        outcome: Recording.Outcome(status: status, data: transfer.isRead ? answer : [])))
  }

  private func bytes(_ word: ArraySlice<UInt8>) throws(RecordingError) -> [UInt8] {
    let digits = word.filter { $0 != 0x20 && $0 != 0x0D }
    guard digits.allSatisfy(RecordingWords.isHexadecimal) else {
      throw error("its bytes are not hexadecimal")
    }
    guard digits.count.isMultiple(of: 2) else { throw error("its last byte has one digit") }
    return RecordingWords.bytes(digits)
  }

  private func error(_ reason: String) -> RecordingError {
    RecordingError(place: .line(line), reason: reason)
  }
}
