import LinuxSystem
import Protocol
import Sandbox
import Testing

@testable import PluginHosting

@Suite("What comes from a host, bit by bit")
struct DecodingTests {
  private func assemble(_ stream: [UInt8], pieces: Int, limit: Int = 64) throws -> [[UInt8]] {
    var assembler = MessageAssembler(limit: limit)
    var messages: [[UInt8]] = []
    var offset = 0
    while offset < stream.count {
      let message = unsafe try assembler.take {
        (space: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        let count = min(space.count, pieces, stream.count - offset)
        for index in 0..<count { unsafe space[index] = stream[offset + index] }
        offset += count
        return count
      }
      if let message { messages.append((0..<message.count).map { message.bytes[$0] }) }
    }
    return messages
  }

  @Test("messages are put together from pieces of any size", arguments: [1, 2, 3, 5, 100])
  func assembly(pieces: Int) throws {
    let stream: [UInt8] = [0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 3, 1]
    #expect(try assemble(stream, pieces: pieces) == [[7, 8], [], [9]])
  }

  @Test("a length beyond the limit is refused before anything is taken for it")
  func tooLong() {
    #expect(throws: StreamError.tooLong(count: 0xffff_ffff, limit: 64)) {
      try assemble([255, 255, 255, 255], pieces: 4)
    }
  }

  private static let description = DriverDescription(
    abiVersion: 1 << 16, name: "x", fullName: "X", version: "1",
    usbMatches: [
      .init(vendor: 1, product: 2),
      .init(
        vendor: 3, product: 4, releases: 5...6,
        interface: USBInterfacePattern(number: 0, subclassCode: 0xff)),
    ], scanType: .swipe, width: 88, height: 0,
    pixelsPerInch: 508, flags: [.synthetic, .readsFiles],
    options: [.init(name: "tape", kind: .file, summary: "a tape")], realOption: "tape")

  private func encodings() -> [[UInt8]] {
    func bytes(_ secret: consuming SecretBytes) -> [UInt8] {
      (0..<secret.count).map { secret.bytes[$0] }
    }
    return [
      bytes(SensorDescribed(Self.description).encoded()),
      bytes(HostLog(.warning, "dry").encoded()), bytes(HostStage(.entry).encoded()),
      bytes(HostEnding("rule").encoded()), bytes(Failure(.busy, "m", hint: "h").encoded()),
      bytes(
        HostReady(
          pluginName: "x", pluginVersion: "1", abiVersion: 1, path: "/x", report: .init(.closed)
        ).encoded()),
      bytes(SensorOpened().encoded()),
      bytes(
        SensorOpened(
          SensorIdentity(
            scanType: .press, width: 88, height: 0, pixelsPerInch: 508, serial: "S",
            firmware: "1")
        ).encoded()), bytes(SensorClosed().encoded()),
      bytes(EngineReply(SecretBytes(count: 3)).encoded()),
      bytes(
        DeviceChange(
          .arrived,
          USBPresence(
            match: .init(vendor: 1, product: 2), bus: 1, address: 4, port: "1-2.3",
            interfaces: [USBInterface(number: 0, classCode: 3, subclassCode: 0, protocolCode: 1)])
        ).encoded()),
    ]
  }

  @Test("a description survives the way")
  func descriptionRoundTrip() throws {
    let bytes = SensorDescribed(Self.description).encoded()
    #expect(try SensorDescribed.decode(bytes.bytes).description == Self.description)
  }

  @Test("every message cut short, lengthened or with a byte changed gives a value or an error")
  func damagedMessages() {
    for message in encodings() {
      #expect(throws: Never.self) { _ = try HostReport.decode(SecretBytes(copying: message.span)) }
      for count in 0..<message.count {
        #expect(throws: DecodeError.self) {
          _ = try HostReport.decode(SecretBytes(copying: Array(message[..<count]).span))
        }
      }
      #expect(throws: DecodeError.self) {
        _ = try HostReport.decode(SecretBytes(copying: (message + [0]).span))
      }
      for index in message.indices {
        for value: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
          var damaged = message
          damaged[index] = value
          // Either way is fine; a trap is not.
          _ = try? HostReport.decode(SecretBytes(copying: damaged.span))
        }
      }
    }
  }

  @Test("the boot identity is read from its text, and nothing else is taken for one")
  func bootIdentity() {
    let text = "01234567-89ab-cdef-0123-456789abcdef\n"
    #expect(
      BootIdentity.parse(Array(text.utf8))
        == [
          1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        ])
    #expect(BootIdentity.parse(Array("0123".utf8)) == nil)
    #expect(BootIdentity.bytes?.count == 16)
  }
}

@Suite("Log lines of a plugin")
struct LogBudgetTests {
  @Test("a burst passes, the rest is dropped, a flood ends the plugin")
  func flood() {
    var budget = LogBudget(now: 0)
    let verdicts = (0..<LogBudget.burst + LogBudget.mostDropped).map { _ in budget.take(now: 1) }
    #expect(verdicts.filter { $0 == .take }.count == Int(LogBudget.burst))
    #expect(verdicts.filter { $0 == .drop }.count == Int(LogBudget.mostDropped) - 1)
    #expect(verdicts.last == .end)
  }

  @Test("a plugin that stays below the rate is never cut, however long it runs")
  func steady() {
    var budget = LogBudget(now: 0)
    let interval = 1_000_000_000 / LogBudget.rate
    let verdicts = (1...50_000 as ClosedRange<UInt64>).map { budget.take(now: $0 * interval) }
    #expect(verdicts.allSatisfy { $0 == .take })
  }
}
