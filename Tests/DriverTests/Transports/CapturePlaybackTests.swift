import AuthcoreABI
import RecordingTransport
import SensorKit
import TestSupport
import Testing

@Suite("Captures of USB traffic, played by the recording transport")
struct CapturePlaybackTests {
  @Test("the device's ids, release and interfaces are those of the recorded descriptors")
  func descriptors() throws {
    var capture = TestCapture()
    capture.descriptors()
    capture.complete(capture.submit(.write(.bulk(0x02), [1, 2])))
    let recording = try RecordingReader.read(capture.bytes, device: .only)
    #expect(
      recording.info
        == USBDeviceInfo(
          vendor: 0x1209, product: 1, release: 0x103, bus: 1, address: 5,
          interfaces: [
            USBInterfaceInfo(
              number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
              endpoints: [0x81, 0x82, 0x02])
          ]))
  }

  @Test("what the driver asks is answered in the recorded order, a queued read after the write")
  func order() throws {
    var capture = TestCapture()
    let image = capture.submit(.read(.bulk(0x82), length: 8))
    let setup = USBSetup(type: 0x40, request: 4, value: 0x4E, index: 0, length: 1)
    capture.complete(capture.submit(.control(setup, data: [0x20])))
    capture.complete(image, [7, 8])
    try play(capture, of: "1209:0001:0103") { device in
      let read = device.submit(AC_USB_BULK, 0x82, length: 8)
      #expect(device.write(0x40, 4, 0x4E, 0, [0x20]) == AC_OK)
      #expect(device.wait(read.ticket, capacity: 8) == .init(status: AC_OK, bytes: [7, 8]))
      #expect(device.write(0x40, 4, 0x4E, 0, [0x20]) == AC_ERR_PROTOCOL)
    }
  }

  @Test(
    "statuses of the kernel come back as failures, and a cancelled read as no bytes",
    arguments: [
      (Int32(-2), Int(AC_OK)), (Int32(-32), Int(AC_ERR_STALL)), (Int32(-19), Int(AC_ERR_GONE)),
      (Int32(-108), Int(AC_ERR_GONE)), (Int32(-71), Int(AC_ERR_IO)), (Int32(-75), Int(AC_ERR_IO)),
      (Int32(-110), Int(AC_ERR_TIMEOUT)),
    ])
  func statuses(status: Int32, expected: Int) throws {
    var capture = TestCapture()
    capture.complete(capture.submit(.read(.interrupt(0x81), length: 8)), status: status)
    try play(capture) { device in
      #expect(device.transfer(AC_USB_INTERRUPT, 0x81, length: 8) == .init(status: expected))
    }
  }

  @Test("standard requests are answered whenever they come, and need not be sent")
  func standardRequests() throws {
    var capture = TestCapture()
    capture.descriptors()
    capture.complete(capture.submit(.write(.bulk(0x02), [1])))
    try play(capture) { device in
      #expect(device.transfer(AC_USB_BULK, 0x02, length: 1).status == AC_ERR_PROTOCOL)
    }
    capture = TestCapture()
    capture.complete(capture.submit(.write(.bulk(0x02), [0])))
    capture.descriptors()
    capture.complete(capture.submit(.write(.bulk(0x02), [0, 0])))
    try play(capture) { device in
      let read = { device.read(0x80, 6, 0x100, 0, length: 18).bytes }
      #expect(read() == TestCapture.device)
      #expect(device.transfer(AC_USB_BULK, 0x02, length: 1).status == AC_OK)
      #expect(device.transfer(AC_USB_BULK, 0x02, length: 2).status == AC_OK)
      #expect(read() == TestCapture.device)
    }
  }

  @Test(
    "of a bus with other devices the one that is written to is played, or the one that is named")
  func choice() throws {
    var capture = TestCapture()
    capture.descriptors(address: 4)
    capture.descriptors()
    _ = capture.submit(.read(.interrupt(0x81), length: 16), address: 4)
    let hub = USBSetup(type: 0x23, request: 1, value: 16, index: 1, length: 0)
    capture.complete(capture.submit(.control(hub, data: []), address: 1))
    capture.complete(capture.submit(.write(.bulk(0x02), [1])))
    #expect(try RecordingReader.read(capture.bytes, device: .only).info.address == 5)
    capture.complete(capture.submit(.write(.bulk(0x02), [1]), address: 6))
    refuse(capture, .only, with: "1.5 (1209:0001), 1.6")
    let place = DeviceChoice.place(bus: 1, address: 6)
    refuse(capture, place, with: "the device at 1.6 was not recorded")
    let model = DeviceChoice.models([RecordedModel(vendor: 0x1209, product: 2, release: 7)])
    #expect(try RecordingReader.read(capture.bytes, device: model).info.release == 7)
    var other = TestCapture.device
    other[10] = 2
    capture.descriptors(other, address: 6)
    #expect(try RecordingReader.read(capture.bytes, device: place).info.product == 2)
    let found = try RecordingReader.read(capture.bytes, device: model).info
    #expect(found.address == 6 && found.release == 0x103)
  }

  @Test("of several devices it is the one that the driver handles, and of those the one in use")
  func models() throws {
    var capture = TestCapture()
    var other = TestCapture.device
    other[10] = 2
    capture.descriptors()
    capture.descriptors(other, address: 6)
    capture.complete(capture.submit(.write(.bulk(0x02), [1])))
    capture.complete(capture.submit(.write(.bulk(0x02), [1]), address: 6))
    refuse(capture, .only, with: "it has 2 devices with traffic of their own")
    func address(_ text: String) throws -> UInt8 {
      let choice = try #require(DeviceChoice(text))
      return try RecordingReader.read(capture.bytes, device: choice).info.address
    }
    #expect(try address("1209:0002") == 6)
    #expect(try address("05ba:000a,1209:0001,1209:0003") == 5)
    let both = [1, 2].map { RecordedModel(vendor: 0x1209, product: $0) }
    refuse(capture, .models(both), with: "FILE:1.44")
    let absent = RecordedModel(vendor: 0x05BA, product: 10)
    refuse(capture, .models([absent]), with: "0 devices 05ba:000a")
    // Two of one kind: the other one only lay there.
    capture.descriptors(other, address: 7)
    #expect(try address("1209:0002") == 6)
  }

  private func refuse(_ capture: TestCapture, _ choice: DeviceChoice, with reason: String) {
    let error = #expect(throws: RecordingError.self) {
      try RecordingReader.read(capture.bytes, device: choice)
    }
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(
    "a text that names no device is refused",
    arguments: ["1", "1.", "1.x", "12345:1", "1209:", "1:2:3:4", "256.256", " "])
  func badChoices(text: String) throws {
    #expect(DeviceChoice(text) == nil)
    let folder = try TemporaryFolder()
    let file = try folder.write("a.pcapng", TestCapture().bytes)
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedTransport.recording(file, text: text)
      }
      #expect(failure.status == AC_ERR_OPTION)
    }
  }

  @Test("a capture cut off at any byte, or with any byte changed, is a recording or an error")
  func damage() throws {
    var capture = TestCapture()
    capture.descriptors()
    capture.complete(capture.submit(.read(.interrupt(0x81), length: 8)), [1, 2, 3])
    let bytes = capture.bytes
    for count in 4..<bytes.count {
      let cut = Array(bytes.prefix(count))
      _ = try? RecordingReader.read(cut, device: .only)
    }
    #expect(throws: RecordingError.self) {
      try RecordingReader.read(Array(bytes.dropLast(5)), device: .only)
    }
    for index in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try? RecordingReader.read(changed, device: .only)
      }
    }
  }

  private func play(
    _ capture: TestCapture, of text: String = "1209:0001", _ body: (LoadedTransport) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.pcapng", capture.bytes)
    try TestHost.run { _ in try body(LoadedTransport.recording(file, text: text)) }
  }
}
