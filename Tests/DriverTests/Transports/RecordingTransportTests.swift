import AuthcoreABI
import TestSupport
import Testing

@Suite("The recording transport")
struct RecordingTransportTests {
  @Test("a queued read is matched before a later write, as strict recordings want it")
  func queuedRead() throws {
    try play("submit image bulk 82 64\ncontrol 40 04 004e 0000 1 : 20 =\ncomplete image = aa bb\n")
    {
      device in
      let early = device.submit(AC_USB_BULK, 0x82, length: 64)
      #expect(device.write(0x40, 4, 0x4E, 0, [0x20]) == AC_OK)
      #expect(device.wait(early.ticket, capacity: 64) == .init(status: AC_OK, bytes: [0xAA, 0xBB]))
    }
  }

  @Test("without the read in the queue the write is refused, since a real replay would stand still")
  func missingRead() throws {
    try play("submit image bulk 82 64\ncontrol 40 04 004e 0000 1 : 20 =\ncomplete image = aa bb\n")
    {
      device in
      #expect(device.write(0x40, 4, 0x4E, 0, [0x20]) == AC_ERR_PROTOCOL)
    }
  }

  @Test("a read of another length is no match and times out, and then it is still pending")
  func length() throws {
    try play("submit a interrupt 81 64\ncomplete a = 01\n") { device in
      let other = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.wait(other.ticket, capacity: 8).status == AC_ERR_TIMEOUT)
      #expect(device.wait(other.ticket, capacity: 8, timeout: .max).status == AC_ERR_PROTOCOL)
      #expect(device.wait(other.ticket, capacity: 8).status == AC_ERR_ARGUMENT)
    }
  }

  @Test(
    "of several reads the oldest is matched, and each gets its own answer in the recording's order")
  func order() throws {
    try play("submit a bulk 82 4\nsubmit b bulk 82 4\ncomplete b = 02\ncomplete a = 01\n") {
      device in
      let first = device.submit(AC_USB_BULK, 0x82, length: 4)
      let second = device.submit(AC_USB_BULK, 0x82, length: 4)
      #expect(device.wait(first.ticket, capacity: 4).bytes == [1])
      #expect(device.wait(second.ticket, capacity: 4).bytes == [2])
    }
  }

  @Test(
    "stalls, timeouts, short and cancelled reads and runs of bytes come back as they were recorded")
  func outcomes() throws {
    try play(
      """
      control c0 04 0007 0000 1 = stall
      read bulk 82 8 = 7f*3 0102
      read interrupt 81 8 = timeout
      submit a interrupt 81 8
      complete a = cancelled
      write bulk 02 : 00 00 =
      """
    ) { device in
      #expect(device.claim(0) == AC_OK)
      #expect(device.read(0xC0, 4, 7, 0, length: 1) == .init(status: AC_ERR_STALL))
      #expect(
        device.transfer(AC_USB_BULK, 0x82, length: 8)
          == .init(status: AC_OK, bytes: [0x7F, 0x7F, 0x7F, 1, 2]))
      #expect(device.transfer(AC_USB_INTERRUPT, 0x81, length: 8).status == AC_ERR_TIMEOUT)
      let read = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.wait(read.ticket, capacity: 8) == .init(status: AC_OK, bytes: []))
      #expect(device.transfer(AC_USB_BULK, 0x02, length: 2).status == AC_OK)
    }
  }

  @Test("closed before its end, a recording says where; at its end it says nothing")
  func rest() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "a.usb", "authcore-usb-recording 1\ndevice 05ba:000a 0103\ncontrol 40 04 0000 0000 0 =\n")
    try TestHost.run { host in
      #expect(try LoadedTransport.recording(file).write(0x40, 4, 0, 0) == AC_OK)
      #expect(host.log == [])
      _ = try LoadedTransport.recording(file)
      #expect(host.log == ["The recording was closed at line 3, before its end"])
    }
  }

  @Test(
    "a recording that cannot be understood is refused with its line and the reason",
    arguments: [
      ("", 1, "begins with"),
      ("authcore-usb-recording 2\n", 1, "begins with"),
      ("authcore-usb-recording 1\n", 2, "no line \"device\""),
      ("authcore-usb-recording 1\ndevice 1209:1\n", 2, "a device is written"),
      ("authcore-usb-recording 1\ninterface 0 ff ff\n", 2, "an interface is written"),
      ("authcore-usb-recording 1\nhello\n", 2, "\"hello\" is not a word"),
      ("authcore-usb-recording 1\ncomplete a = 1\n", 2, "no read of that name"),
      ("authcore-usb-recording 1\nsubmit a bulk 02 4\n", 2, "an endpoint is written"),
      ("authcore-usb-recording 1\nsubmit a bulk 82 99999999\n", 2, "an endpoint is written"),
      ("authcore-usb-recording 1\nread bulk 82 4 = 123\n", 2, "\"123\" is neither bytes"),
      ("authcore-usb-recording 1\nread bulk 82 4 = 00*99999999\n", 2, "is neither bytes"),
      ("authcore-usb-recording 1\ncontrol 40 04 0 0 2 : 01 =\n", 2, "2 bytes are to be written"),
      ("authcore-usb-recording 1\n+ 00\n", 2, "no bytes on the line above"),
    ])
  func refusals(text: String, line: Int, reason: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.usb", text)
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedTransport.recording(file)
      }
      #expect(failure.status == AC_ERR_DATA)
      #expect(failure.message.contains("line \(line): "), "\(failure.message)")
      #expect(failure.message.contains(reason), "\(failure.message)")
    }
  }

  private func play(_ events: String, _ body: (LoadedTransport) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "a.usb", "authcore-usb-recording 1\ndevice 05ba:000a 0103\n" + events)
    try TestHost.run { _ in try body(LoadedTransport.recording(file)) }
  }
}
