internal import SensorKit

/// Reads a recording in text form, whose grammar is in docs/recordings.md. Any bytes give a
/// recording or an error with a line.
struct RecordingParser {
  private var device: (vendor: UInt16, product: UInt16, release: UInt16)?
  private var interfaces: [USBInterfaceInfo] = []
  private var entries: [Recording.Entry] = []
  /// Queued reads that have not ended.
  private var open: Set<String> = []
  private var line = 0

  private init() {}

  static func parse(_ bytes: [UInt8]) throws(RecordingError) -> Recording {
    var parser = RecordingParser()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      parser.line += 1
      try parser.read(line)
    }
    guard let device = parser.device else { throw parser.error("it has no line \"device\"") }
    return Recording(
      info: USBDeviceInfo(
        vendor: device.vendor, product: device.product, release: device.release,
        interfaces: parser.interfaces),
      content: .script(parser.entries, standardRequests: []))
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(RecordingError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("it is not UTF-8; a recording is a text file")
    }
    var words = RecordingWords(text)
    guard let first = words.next() else {
      if line == 1 { throw error("a recording begins with the line \"authcore-usb-recording 1\"") }
      return
    }
    if line == 1 {
      guard first == "authcore-usb-recording", words.next() == "1", words.next() == nil else {
        throw error("a recording begins with the line \"authcore-usb-recording 1\"")
      }
      return
    }
    switch first {
    case "device": try readDevice(&words)
    case "interface": try readInterface(&words)
    case "control": try readControl(&words)
    case "read": try readRead(&words)
    case "write": try readWrite(&words)
    case "submit": try readSubmission(&words)
    case "complete": try readCompletion(&words)
    case "+": try readContinuation(&words)
    case "unplug":
      try expectEnd(&words)
      entries.append(.init(place: .line(line), event: .unplugged))
    default: throw error("\"\(first)\" is not a word of a recording")
    }
  }

  private mutating func readDevice(_ words: inout RecordingWords) throws(RecordingError) {
    guard device == nil else { throw error("there is a line \"device\" above") }
    let ids = (words.next() ?? "").split(separator: ":", omittingEmptySubsequences: false)
    guard
      ids.count == 2, let vendor = words.hexadecimal(ids[0], as: UInt16.self),
      let product = words.hexadecimal(ids[1], as: UInt16.self),
      let release: UInt16 = words.hexadecimal()
    else { throw error("a device is written as in \"device 1209:0001 0100\"") }
    try expectEnd(&words)
    device = (vendor, product, release)
  }

  private mutating func readInterface(_ words: inout RecordingWords) throws(RecordingError) {
    guard
      let number: UInt8 = words.hexadecimal(), let code: UInt8 = words.hexadecimal(),
      let subclass: UInt8 = words.hexadecimal(), let protocolCode: UInt8 = words.hexadecimal()
    else { throw error("an interface is written as in \"interface 0 ff ff ff 81 82\"") }
    var endpoints: [UInt8] = []
    while let word = words.next() {
      guard let address = words.hexadecimal(word, as: UInt8.self), endpoints.count < 30 else {
        throw error("\"\(word)\" is no endpoint address")
      }
      endpoints.append(address)
    }
    guard interfaces.count < 32 else { throw error("no device has so many interfaces") }
    interfaces.append(
      USBInterfaceInfo(
        number: number, classCode: code, subclassCode: subclass, protocolCode: protocolCode,
        endpoints: endpoints))
  }

  private mutating func readControl(_ words: inout RecordingWords) throws(RecordingError) {
    guard
      let type: UInt8 = words.hexadecimal(), let request: UInt8 = words.hexadecimal(),
      let value: UInt16 = words.hexadecimal(), let index: UInt16 = words.hexadecimal(),
      let length = words.decimal(upTo: Int(UInt16.max))
    else {
      throw error("a control transfer is written as in \"control c0 02 0000 0000 4 = 60 70\"")
    }
    let setup = USBSetup(
      type: type, request: request, value: value, index: index, length: UInt16(length))
    var data: [UInt8] = []
    if !setup.isRead && length > 0 {
      guard words.next() == ":" else {
        throw error("the \(length) bytes that are written are missing")
      }
      data = try readBytes(&words, upTo: length)
      guard data.count == length else {
        throw error("\(length) bytes are to be written, \(data.count) are here")
      }
    } else {
      guard words.next() == "=" else { throw error("\"=\" and what came back are missing") }
    }
    try append(.control(setup, data: data), &words)
  }

  private mutating func readRead(_ words: inout RecordingWords) throws(RecordingError) {
    let (endpoint, length) = try readEndpoint(&words)
    guard words.next() == "=" else { throw error("\"=\" and what came back are missing") }
    try append(.read(endpoint, length: length), &words)
  }

  private mutating func readWrite(_ words: inout RecordingWords) throws(RecordingError) {
    guard let kind = words.endpointKind(), let address: UInt8 = words.hexadecimal(),
      words.next() == ":"
    else { throw error("a write is written as in \"write bulk 02 : 01 02 =\"") }
    let data = try readBytes(&words, upTo: RecordingReader.maximumTransfer)
    try append(.write(USBEndpoint(address: address, kind: kind), data), &words)
  }

  private mutating func readSubmission(_ words: inout RecordingWords) throws(RecordingError) {
    guard let name = words.next(), name != "+" else {
      throw error("the name of the read is missing")
    }
    guard open.insert(String(name)).inserted else {
      throw error("the read \"\(name)\" above has not ended")
    }
    let (endpoint, length) = try readEndpoint(&words)
    try expectEnd(&words)
    entries.append(
      .init(
        place: .line(line),
        event: .submission(.read(endpoint, length: length), name: String(name))))
  }

  private mutating func readCompletion(_ words: inout RecordingWords) throws(RecordingError) {
    guard let name = words.next(), open.remove(String(name)) != nil else {
      throw error("no read of that name was submitted above")
    }
    guard words.next() == "=" else { throw error("\"=\" and what came back are missing") }
    let outcome = try readOutcome(&words)
    entries.append(.init(place: .line(line), event: .completion(name: String(name), outcome)))
  }

  /// Adds bytes to the completion on the line above.
  private mutating func readContinuation(_ words: inout RecordingWords) throws(RecordingError) {
    guard let last = entries.last, case .completion(let name, .bytes(var bytes)) = last.event else {
      throw error("there are no bytes on the line above that these could follow")
    }
    bytes += try readBytes(&words, upTo: RecordingReader.maximumTransfer - bytes.count)
    entries[entries.count - 1].event = .completion(name: name, .bytes(bytes))
  }

  /// Adds a transfer that the program waited for, and its end.
  private mutating func append(_ transfer: USBTransfer, _ words: inout RecordingWords)
    throws(RecordingError)
  {
    let outcome = try readOutcome(&words)
    // Unique, since the names of submitted reads have no white space.
    let name = "line \(line)"
    entries.append(.init(place: .line(line), event: .submission(transfer, name: name)))
    entries.append(.init(place: .line(line), event: .completion(name: name, outcome)))
  }

  private func readEndpoint(_ words: inout RecordingWords) throws(RecordingError)
    -> (USBEndpoint, length: Int)
  {
    guard
      let kind = words.endpointKind(), let address: UInt8 = words.hexadecimal(),
      address & 0x80 != 0, let length = words.decimal(upTo: RecordingReader.maximumTransfer)
    else { throw error("an endpoint is written as in \"bulk 82 64\": kind, address, length") }
    return (USBEndpoint(address: address, kind: kind), length)
  }

  private func readOutcome(_ words: inout RecordingWords) throws(RecordingError)
    -> Recording.Outcome
  {
    var rest = words
    let outcome: Recording.Outcome? =
      switch rest.next() {
      case "stall": .stall
      case "timeout": .timeout
      case "cancelled": .cancelled
      default: nil
      }
    guard let outcome else {
      return .bytes(try readBytes(&words, upTo: RecordingReader.maximumTransfer))
    }
    try expectEnd(&rest)
    return outcome
  }

  /// Reads bytes up to the end of the line or up to "=".
  private func readBytes(_ words: inout RecordingWords, upTo limit: Int) throws(RecordingError)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    while let word = words.next(), word != "=" {
      guard let more = words.bytes(word, upTo: limit - bytes.count) else {
        throw error(
          "\"\(word)\" is neither bytes such as \"49 6e\" nor a run such as \"7f*64\", or there are too many"
        )
      }
      bytes += more
    }
    return bytes
  }

  private func expectEnd(_ words: inout RecordingWords) throws(RecordingError) {
    if let word = words.next() { throw error("\"\(word)\" is too much on this line") }
  }

  private func error(_ reason: String) -> RecordingError {
    RecordingError(place: .line(line), reason: reason)
  }
}
