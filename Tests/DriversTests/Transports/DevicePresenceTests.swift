import SensorKit
import Testing
import USBTransport

@Suite("What the watch of USB devices tells")
struct DevicePresenceTests {
  @Test("first what is there, then that this was all, then what goes and comes")
  func order() {
    var presence = DevicePresence()
    presence.update([device(3), device(4)])
    #expect(drain(&presence) == [.arrived(device(3)), .arrived(device(4)), .settled])
    presence.update([device(3), device(4)])
    #expect(drain(&presence).isEmpty)
    presence.update([device(4), device(5)])
    #expect(drain(&presence) == [.left(device(3)), .arrived(device(5))])
  }

  @Test("without any device everything is settled at once, and said only once")
  func nothing() {
    var presence = DevicePresence()
    presence.update([])
    presence.update([])
    #expect(drain(&presence) == [.settled])
  }

  @Test("a device that comes back at another address has left before it arrives")
  func replugged() {
    var presence = DevicePresence()
    presence.update([device(9)])
    presence.update([device(2)])
    #expect(
      drain(&presence) == [.arrived(device(9)), .settled, .left(device(9)), .arrived(device(2))])
  }

  @Test("where the kernel has no USB there are no devices")
  func noBus() {
    #expect(SysfsDevices(folder: "/nonexistent").list().isEmpty)
  }

  private func device(_ address: UInt8) -> USBPlacement {
    USBPlacement(
      vendor: 0x1209, product: 1, release: 0x100, bus: 1, address: address, place: .external,
      port: "1-2")
  }

  private func drain(_ presence: inout DevicePresence) -> [USBChange] {
    var changes: [USBChange] = []
    while let change = presence.next() { changes.append(change) }
    return changes
  }
}
