import AuthcoreABI
import RecordingTransport
import SensorKit
import TestSupport
import Testing

@Suite("umockdev's .ioctl files, played by the recording transport")
struct IoctlPlaybackTests {
  private let text = """
    # made up
    @DEV /dev/bus/usb/003/007
    USBDEVFS_GET_CAPABILITIES 0 FD010000
    USBDEVFS_REAPURBNDELAY 0 3 2 0 0 2 2 0 4019
     USBDEVFS_REAPURBNDELAY 0 3 131 0 0 8 2 0 01fF
    USBDEVFS_REAPURBNDELAY 0 3 2 0 0 2 2 0 403F
     USBDEVFS_REAPURB 0 1 129 -2 0 4 0 0
     USBDEVFS_REAPURB 0 2 0 0 0 10 2 0 C00400000000020049AA
    @DEV /dev/bus/usb/003/008
    anything

    """

  @Test("the model is that of the text, place and endpoints are those of the file")
  func info() throws {
    let recording = try RecordingReader.read(
      Array(text.utf8),
      device: .models([RecordedModel(vendor: 0x298D, product: 0x1010, release: 1)]))
    #expect(recording.info.vendor == 0x298D && recording.info.release == 1)
    #expect(recording.info.bus == 3 && recording.info.address == 7)
    #expect(recording.info.interfaces.first?.endpoints == [0x02, 0x81, 0x83])
  }

  @Test("transfers are answered by the next that is equal, past the end from the start again")
  func order() throws {
    try TestHost.run { host in
      let device = try open()
      #expect(write(device, [0x40, 0x3F]) == AC_OK)
      #expect(device.transfer(AC_USB_INTERRUPT, 0x81, length: 4) == .init(status: AC_OK))
      #expect(device.read(0xC0, 4, 0, 0, length: 2).bytes == [0x49, 0xAA])
      #expect(host.log == [])
      #expect(write(device, [0x40, 0x19]) == AC_OK)
      #expect(device.transfer(AC_USB_BULK, 0x83, length: 8).bytes == [0x01, 0xFF])
      #expect(device.transfer(AC_USB_BULK, 0x83, length: 8).bytes == [0x01, 0xFF])
      #expect(host.log == ["The recording begins again at line 4, for write bulk 02 : 40 19"])
    }
  }

  @Test("a transfer that is not there: a read times out, a write is an error that names the next")
  func mismatch() throws {
    try TestHost.run { host in
      let device = try open()
      #expect(device.transfer(AC_USB_BULK, 0x83, length: 7).status == AC_ERR_TIMEOUT)
      #expect(write(device, [0]) == AC_ERR_PROTOCOL)
      #expect(host.log.contains { $0.contains("line 4: expected write bulk 02 : 40 19") })
    }
  }

  @Test("a second transfer while one is under way is refused, as umockdev refuses it")
  func oneAtATime() throws {
    try play { device in
      let read = device.submit(AC_USB_BULK, 0x83, length: 8)
      #expect(write(device, [0x40, 0x19]) == AC_ERR_PROTOCOL)
      #expect(device.wait(read.ticket, capacity: 8).bytes == [0x01, 0xFF])
      #expect(write(device, [0x40, 0x3F]) == AC_OK)
    }
  }

  @Test(
    "what cannot be understood is refused with its line and the reason",
    arguments: [
      ("@DEV x\nhello", 2, "neither a comment"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 2 0 0 2", 2, "seven numbers"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 2 0 0 99999999 0 0 ", 2, "not possible"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 2 0 0 -1 0 0 ", 2, "not possible"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 300 0 0 1 0 0 ", 2, "not possible"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 2 0 0 2 2 0 00", 2, "not all of its 2 bytes"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 130 0 0 1 2 0 0000", 2, "2 bytes, but 1"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 130 0 0 2 2 0 000", 2, "one digit"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 3 130 0 0 2 2 0 0g", 2, "not hexadecimal"),
      ("@DEV x\nUSBDEVFS_REAPURB 0 2 0 0 0 2 2 0 00", 2, "setup packet"),
    ])
  func refusals(text: String, line: Int, reason: String) {
    let error = #expect(throws: RecordingError.self) {
      try RecordingReader.read(
        Array(text.utf8), device: .models([RecordedModel(vendor: 1, product: 2)]))
    }
    #expect(error?.place == .line(line))
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test("without a model the file is refused, since it does not say what it is of")
  func noModel() {
    let error = #expect(throws: RecordingError.self) {
      try RecordingReader.read(Array(text.utf8), device: .only)
    }
    #expect(error?.reason.contains("FILE:298d:1010") == true)
    let models = (1...20).map { RecordedModel(vendor: 0x04F3, product: $0) }
    let several = #expect(throws: RecordingError.self) {
      try RecordingReader.read(Array(text.utf8), device: .models(models))
    }
    #expect(several?.reason.contains("04f3:0001, 04f3:0002") == true)
    #expect(several?.reason.contains("04f3:0014") == false)
  }

  private func open() throws -> LoadedTransport {
    let folder = try TemporaryFolder()
    return try LoadedTransport.recording(folder.write("a.ioctl", text), text: "298d:1010:0001")
  }

  private func play(_ body: (LoadedTransport) throws -> Void) throws {
    try TestHost.run { _ in try body(open()) }
  }

  private func write(_ device: LoadedTransport, _ bytes: [UInt8]) -> Int {
    var bytes = bytes
    var count: UInt32 = 0
    let length = UInt32(bytes.count)
    return unsafe Int(
      device.service.pointee.transfer(
        device.service.pointee.device, ac_usb_endpoint_type_t(AC_USB_BULK), 0x02, &bytes, length,
        1000, &count))
  }
}

@Suite(
  "Recordings of real readers can be read",
  .enabled(if: SharedRecordings.areThere, "needs AUTHCORE_SHARED"))
struct SharedRecordingTests {
  @Test(
    "captures tell their device; where several were written to, the text chooses",
    arguments: [
      ("aes2501/capture.pcapng", "", UInt16(0x08FF), UInt16(0x2580), [UInt8]([0x81, 0x02])),
      ("egis0570/capture.pcapng", "1c7a:0570", 0x1C7A, 0x0570, [0x04, 0x83]),
      ("elanmoc/custom.pcapng", "", 0x04F3, 0x0C88, [0x81, 1, 0x82, 2, 0x83, 3, 0x84, 4]),
      ("fpcmoc/custom.pcapng", "", 0x10A5, 0xFFE0, [0x81]),
      ("synaptics/custom.pcapng", "", 0x06CB, 0x00BD, [0x01, 0x81, 0x83]),
      ("upektc_img/capture.pcapng", "147e:1000,147e:2016", 0x147E, 0x2016, [0x81, 0x02, 0x83]),
      ("upektc_img/capture.pcapng", "", 0x147E, 0x2016, [0x81, 0x02, 0x83]),
      ("uru4000-4500/capture.pcapng", "", 0x05BA, 0x000A, [0x81, 0x82]),
    ])
  func captures(
    name: String, text: String, vendor: UInt16, product: UInt16, endpoints: [UInt8]
  ) throws {
    let choice = try #require(DeviceChoice(text))
    let recording = try RecordingReader.read(SharedRecordings.bytes(name), device: choice)
    #expect(recording.info.vendor == vendor && recording.info.product == product)
    #expect(recording.info.interfaces.flatMap { $0.endpoints } == endpoints)
    guard case .script(let entries, _) = recording.content else {
      Issue.record("it is no script")
      return
    }
    #expect(entries.count > 20)
  }

  @Test(
    ".ioctl files are read wholly",
    arguments: [
      ("aes3500", 11), ("elan", 76), ("nb1010", 96), ("vfs0050", 103), ("vfs301", 197),
      ("vfs5011", 105), ("vfs7552", 4848),
    ])
  func ioctls(name: String, count: Int) throws {
    let recording = try RecordingReader.read(
      SharedRecordings.bytes("\(name)/capture.ioctl"),
      device: .models([RecordedModel(vendor: 1, product: 2)]))
    guard case .sequence(let exchanges) = recording.content else {
      Issue.record("it is no sequence")
      return
    }
    #expect(exchanges.count == count)
  }
}
