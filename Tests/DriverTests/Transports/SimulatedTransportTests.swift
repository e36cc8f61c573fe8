import AuthcoreABI
import Testing

@Suite("The simulated transport, and what usb.h promises of every transport")
struct SimulatedTransportTests {
  @Test("the device's descriptor and interfaces are told; an interface beyond is not found")
  func info() throws {
    try withDevice("") { device in
      var info = ac_usb_device_info_t()
      let table = unsafe device.service.pointee
      #expect(unsafe Int(table.device_info(table.device, &info)) == AC_OK)
      #expect(info.vendor_id == 0x1209 && info.product_id == 1 && info.interface_count == 1)
      var interface = ac_usb_interface_info_t()
      #expect(unsafe Int(table.interface_info(table.device, 0, &interface)) == AC_OK)
      #expect(interface.class_code == 0xFF && interface.endpoint_count == 2)
      #expect(interface.endpoints.0 == 0x81 && interface.endpoints.1 == 0x82)
      #expect(unsafe Int(table.interface_info(table.device, 1, &interface)) == AC_ERR_NOT_FOUND)
    }
  }

  @Test("at most sixteen reads are pending, and a cancelled one makes room")
  func pendingReads() throws {
    try withDevice("") { device in
      let reads = (1...16).map { _ in device.submit(AC_USB_INTERRUPT, 0x81, length: 8) }
      #expect(reads.allSatisfy { $0.status == AC_OK && $0.ticket != 0 })
      #expect(device.submit(AC_USB_INTERRUPT, 0x81, length: 8).status == AC_ERR_STATE)
      #expect(device.cancel(reads[7].ticket) == AC_OK)
      #expect(device.cancel(reads[7].ticket) == AC_ERR_ARGUMENT)
      #expect(device.submit(AC_USB_INTERRUPT, 0x81, length: 8).status == AC_OK)
    }
  }

  @Test("a read times out when its time has passed, and stays pending")
  func timeout() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "press", "delay=500")
      let read = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.write(0x40, 1, 1, 0) == AC_OK)
      let start = host.clock.now
      #expect(device.wait(read.ticket, capacity: 8, timeout: 300).status == AC_ERR_TIMEOUT)
      #expect(host.clock.now - start == 300_000_000)
      #expect(device.wait(read.ticket, capacity: 8, timeout: 300).bytes.first == 1)
    }
  }

  @Test("an interrupt ends the next blocking call, once, and the read stays pending")
  func interrupt() throws {
    try withDevice("") { device in
      let read = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      device.interrupt()
      #expect(device.write(0x40, 1, 1, 0) == AC_ERR_INTERRUPTED)
      #expect(device.write(0x40, 1, 1, 0) == AC_OK)
      device.interrupt()
      #expect(device.wait(read.ticket, capacity: 8).status == AC_ERR_INTERRUPTED)
      #expect(device.wait(read.ticket, capacity: 8).bytes.first == 1)
    }
  }

  @Test("an interrupt also ends a wait that has no deadline")
  func interruptWithoutDeadline() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "press", "touches=0")
      let interruptible = unsafe SendableDevice(device)
      host.clock.after(milliseconds: 5000) { unsafe interruptible.device.interrupt() }
      let read = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.wait(read.ticket, capacity: 8, timeout: .max).status == AC_ERR_INTERRUPTED)
    }
  }

  @Test("a halted endpoint stays halted until it is cleared")
  func stall() throws {
    try withDevice("delay=10,fault=stall@3") { device in
      let read = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.write(0x40, 1, 1, 0) == AC_OK)
      #expect(device.wait(read.ticket, capacity: 8).status == AC_ERR_STALL)
      #expect(device.transfer(AC_USB_INTERRUPT, 0x81, length: 8).status == AC_ERR_STALL)
      #expect(device.clearHalt(0x81) == AC_OK)
      let again = device.submit(AC_USB_INTERRUPT, 0x81, length: 8)
      #expect(device.write(0x40, 1, 1, 0) == AC_OK)
      #expect(device.wait(again.ticket, capacity: 8).bytes.first == 1)
    }
  }

  @Test("bad arguments are refused and nothing is written")
  func badArguments() throws {
    try withDevice("") { device in
      let table = unsafe device.service.pointee
      var count: UInt32 = 77
      #expect(
        unsafe Int(table.control(table.device, 0xC0, 2, 0, 0, nil, 4, 100, &count))
          == AC_ERR_ARGUMENT)
      #expect(
        unsafe Int(table.transfer(table.device, 9, 0x81, nil, 0, 100, &count)) == AC_ERR_ARGUMENT)
      #expect(device.submit(AC_USB_INTERRUPT, 0x01, length: 8).status == AC_ERR_ARGUMENT)
      #expect(device.submit(AC_USB_BULK, 0x82, length: 4 << 20 | 1).status == AC_ERR_ARGUMENT)
      #expect(device.wait(99, capacity: 8).status == AC_ERR_ARGUMENT)
      #expect(unsafe Int(table.reset(nil)) == AC_ERR_ARGUMENT)
      #expect(count == 77)
    }
  }

  @Test(
    "a text that names no setting or fault is refused with those there are",
    arguments: [
      ("swipe", "name=value"), ("color=1", "touches"), ("touches=-1", "touches"),
      ("fault=fire@1", "stall@CALL"), ("fault=gone@0", "gone@CALL"), ("delay", "name=value"),
    ])
  func badText(text: String, known: String) throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedTransport.simulated(model: "press", text)
      }
      #expect(failure.status == AC_ERR_OPTION)
      #expect(failure.message.contains(known), "\(failure.message)")
    }
  }

  @Test("without a model beside the driver there is no device")
  func noModel() throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedTransport.simulatedWithoutModel()
      }
      #expect(failure.status == AC_ERR_NOT_FOUND && failure.message.contains("NAME-model.so"))
    }
  }

  private func withDevice(_ text: String, _ body: (LoadedTransport) throws -> Void) throws {
    try TestHost.run { _ in try body(LoadedTransport.simulated(model: "press", text)) }
  }
}

/// usb.h allows interrupt, and nothing else, from another thread.
@unsafe private struct SendableDevice: @unchecked Sendable {
  let device: LoadedTransport

  init(_ device: LoadedTransport) {
    unsafe self.device = device
  }
}
