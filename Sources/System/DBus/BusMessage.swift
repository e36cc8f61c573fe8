import CSystemd

/// A D-Bus message, written or read from front to back. One thread at a time.
@safe package struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  /// Takes over a reference.
  @unsafe init(owning message: OpaquePointer) { unsafe self.message = message }

  /// For a call that only reads it.
  @unsafe borrowing func withPointer<R>(_ body: (OpaquePointer) -> R) -> R {
    unsafe body(message)
  }

  private static func check(_ result: Int32, _ call: StaticString) throws(BusError) {
    if result < 0 { throw .failed(call: call, errno: -result) }
  }

  package enum Text: UInt8 {
    case string = 115
    case objectPath = 111
    case signature = 103

    fileprivate var type: CChar { CChar(rawValue) }
  }

  package enum Container: UInt8 {
    case array = 97
    case structure = 114
    case variant = 118
    case dictionaryEntry = 101

    fileprivate var type: CChar { CChar(rawValue) }
  }

  private static let byte = CChar(121)
  private static let boolean = CChar(98)
  private static let number = CChar(117)

  // MARK: Writing

  package func append(_ text: String, _ type: Text = .string) throws(BusError) {
    try Self.check(
      unsafe text.withCString { unsafe ac_bus_append_basic(message, type.type, $0) }, "append")
  }

  package func append(_ flag: Bool) throws(BusError) {
    var value: Int32 = flag ? 1 : 0
    try Self.check(unsafe ac_bus_append_basic(message, Self.boolean, &value), "append")
  }

  package func append(_ number: UInt32) throws(BusError) {
    var value = number
    try Self.check(unsafe ac_bus_append_basic(message, Self.number, &value), "append")
  }

  package func append(_ bytes: Span<UInt8>) throws(BusError) {
    let result = unsafe bytes.withUnsafeBytes {
      unsafe ac_bus_append_array(message, Self.byte, $0.baseAddress, $0.count)
    }
    try Self.check(result, "append")
  }

  /// Appends a container with this signature and what `body` appends.
  package func append(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try Self.check(
      unsafe contents.withCString { unsafe ac_bus_open_container(message, container.type, $0) },
      "open")
    try body()
    try Self.check(unsafe ac_bus_close_container(message), "close")
  }

  // MARK: Reading

  package func readText(_ type: Text = .string) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    let result = unsafe ac_bus_read_basic(message, type.type, &text)
    // The text belongs to the message and is copied.
    guard result > 0, let text = unsafe text else { throw .unreadable }
    return unsafe String(cString: text)
  }

  package func readFlag() throws(BusError) -> Bool {
    var value: Int32 = 0
    guard unsafe ac_bus_read_basic(message, Self.boolean, &value) > 0 else { throw .unreadable }
    return value != 0
  }

  package func readNumber() throws(BusError) -> UInt32 {
    var value: UInt32 = 0
    guard unsafe ac_bus_read_basic(message, Self.number, &value) > 0 else { throw .unreadable }
    return value
  }

  /// Gives `body` an array of bytes in place.
  package func readBytes<R: ~Copyable>(_ body: (Span<UInt8>) -> R) throws(BusError) -> R {
    var start: UnsafeRawPointer?
    var count = 0
    guard unsafe ac_bus_read_array(message, Self.byte, &start, &count) > 0 else {
      throw .unreadable
    }
    // An empty array may have no address.
    return unsafe body(
      UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count).bindMemory(
        to: UInt8.self
      ).span)
  }

  /// Reads the contents of a container.
  /// - Returns: nil if there is none, as at the end of an array.
  package func read<R: ~Copyable>(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> R
  ) throws(BusError) -> R? {
    let result = unsafe contents.withCString {
      unsafe ac_bus_enter_container(message, container.type, $0)
    }
    if result == 0 { return nil }
    guard result > 0 else { throw .unreadable }
    let value = try body()
    guard unsafe ac_bus_exit_container(message) >= 0 else { throw .unreadable }
    return value
  }

  package func readPaths() throws(BusError) -> [String] {
    try read(.array, of: "o") { () throws(BusError) in
      var paths: [String] = []
      while true {
        var path: UnsafePointer<CChar>?
        let result = unsafe ac_bus_read_basic(message, Text.objectPath.type, &path)
        guard result > 0, let path = unsafe path else { return paths }
        paths.append(unsafe String(cString: path))
      }
    } ?? []
  }

  /// Reads an array of structures or dictionary entries with this signature.
  package func readEach(
    _ entry: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    func readEntry() throws(BusError) -> Bool { try read(entry, of: contents, body) != nil }
    let array = entry == .structure ? "(\(contents))" : "{\(contents)}"
    _ = try read(.array, of: array) { () throws(BusError) in while try readEntry() {} }
  }

  package func readTexts() throws(BusError) -> [String: String] {
    var texts: [String: String] = [:]
    try readEach(.dictionaryEntry, of: "ss") { () throws(BusError) in
      texts[try readText()] = try readText()
    }
    return texts
  }

  /// Skips values of these types.
  package func skip(_ types: String) throws(BusError) {
    guard unsafe types.withCString({ unsafe ac_bus_skip(message, $0) }) >= 0 else {
      throw .unreadable
    }
  }

  deinit { unsafe ac_bus_message_unref(message) }
}
