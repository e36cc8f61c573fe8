import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import PluginHosting

@Suite("The device of a driver")
struct DeviceTests {
  private static let inside = USBPresence(
    match: .init(vendor: 0x1209, product: 1), bus: 1, address: 4, place: .builtIn, port: "1-1")
  private static let outside = USBPresence(
    match: .init(vendor: 0x1209, product: 1), bus: 2, address: 5, place: .external, port: "2-1.4")
  private static let mouse = USBPresence(
    match: .init(vendor: 0x046D, product: 0xC077), bus: 1, address: 9, port: "1-3")

  private func driver(
    _ name: String = "press", _ flags: DriverDescription.Flags = [], products: [UInt16] = [1]
  ) throws -> InstalledDriver {
    InstalledDriver(
      file: try TrustedFile(checking: "/bin/true"),
      description: DriverDescription(
        abiVersion: 1 << 16, name: name, fullName: name, version: "1",
        usbMatches: products.map { .init(vendor: 0x1209, product: $0) }, scanType: .press,
        width: 0, height: 0,
        pixelsPerInch: 500, flags: flags, options: [], realOption: nil))
  }

  @Test(
    "what device= takes",
    arguments: [
      ("1:4", DeviceArgument.address(bus: 1, address: 4)), ("1-2.3", .port("1-2.3")),
      ("simulated", .simulated(settings: "")),
      ("simulated:touches=3,fault=gone@7", .simulated(settings: "touches=3,fault=gone@7")),
      ("/a/b.pcapng", .recording(path: "/a/b.pcapng", device: "")),
      ("b.pcapng", .recording(path: "b.pcapng", device: "")),
      ("b.ioctl:298d:1010", .recording(path: "b.ioctl", device: "298d:1010")),
      ("b.ioctl:298d:1010:0001", .recording(path: "b.ioctl", device: "298d:1010:0001")),
      ("./1:4:1.44", .recording(path: "./1:4", device: "1.44")),
      ("a:b", .recording(path: "a:b", device: "")),
      ("./1:4", .recording(path: "./1:4", device: "")),
      ("1209:0007", .recording(path: "1209:0007", device: "")),
    ])
  func parsing(text: String, device: DeviceArgument) throws {
    #expect(try DeviceArgument(parsing: text) == device)
    #expect(device.description == text)
  }

  @Test("nothing at all is a usage error that lists what there is")
  func nothing() throws {
    let failure = try #require(throws: Failure.self) { try DeviceArgument(parsing: "") }
    #expect(failure.code == .usage && failure.hint?.contains("simulated") == true)
  }

  @Test(
    "what is no device is a recording that is not there: an error that lists what there is",
    arguments: ["1", "1:", "1:400", "1-", "-1", "1-2.", "300-1", "simulate", "1:2:3"])
  func nonsense(text: String) throws {
    let argument = try DeviceArgument(parsing: text).resolved(relativeTo: "/nonexistent")
    let path = try #require(argument.recordingPath)
    #expect(path.hasPrefix("/nonexistent/"))
    let failure = try #require(throws: Failure.self) {
      _ = try DescriptorList(opening: [], recording: path)
    }
    #expect(failure.code == .usage && failure.message.contains(path))
    #expect(failure.hint?.contains("simulated") == true)
  }

  @Test("a recording is asked for any device that the driver handles, unless one of it was named")
  func recordedDevice() throws {
    let driver = try driver(products: [1, 2])
    func text(_ argument: String) throws -> String? {
      let device = try DeviceArgument(parsing: argument)
      guard case .recording(_, let text) = try driver.source(device, connected: { [] }) else {
        return nil
      }
      return text
    }
    #expect(try text("a.pcapng") == "1209:0001,1209:0002")
    #expect(try text("a.pcapng:1209:0002:0103") == "1209:0002:0103")
    #expect(try text("a.pcapng:1.44") == "1.44")
  }

  @Test("the option is the host's: it never reaches the driver")
  func separation() throws {
    let argument = try DriverArgument(parsing: "uru4000:seed=1,device=1-2,x=2").separatingDevice()
    #expect(argument.device == .port("1-2"))
    #expect(argument.options.map(\.name) == ["seed", "x"])
  }

  @Test("without device= an external reader comes before a built-in one; other devices are none")
  func choice() throws {
    let connected = [Self.mouse, Self.inside, Self.outside]
    let driver = try driver()
    #expect(try driver.source(nil) { connected } == .usb(Self.outside))
    #expect(try driver.source(.port("1-1")) { connected } == .usb(Self.inside))
    #expect(try driver.source(.address(bus: 2, address: 5)) { connected } == .usb(Self.outside))
    let foreign = try #require(throws: Failure.self) {
      try driver.source(.port("1-3")) { connected }
    }
    #expect(foreign.message.contains("046d:c077"))
    let absent = try #require(throws: Failure.self) {
      try driver.source(.port("1-9")) { connected }
    }
    #expect(absent.hint == "connected: 1209:0001 at 1-1, 1209:0001 at 2-1.4")
  }

  @Test("a recording or a model asks for no device, and is told what its file does not say")
  func standIns() throws {
    func nobody() throws(Failure) -> [USBPresence] { throw Failure(.coreFailed, "asked") }
    #expect(
      try driver().source(.recording(path: "/a", device: ""), connected: nobody)
        == .recording(path: "/a", text: "1209:0001"))
    #expect(
      try driver().source(.simulated(settings: "x=1"), connected: nobody)
        == .simulated(settings: "x=1"))
    #expect(throws: Failure.self) {
      try driver("bridge", .opensDevices).source(.simulated(settings: ""), connected: nobody)
    }
    #expect(try driver("bridge", .opensDevices).source(nil, connected: nobody) == nil)
  }

  @Test("of two drivers that claim a device the first has it; a bridge claims none")
  func rivals() throws {
    let drivers = [try driver("bridge", .opensDevices), try driver("one"), try driver("two")]
    let readers = Reader.all(drivers: drivers, devices: [Self.inside, Self.outside])
    #expect(readers.map(\.driver.description.name) == ["one", "one"])
    #expect(readers.map(\.device) == [Self.outside, Self.inside])
  }

  @Test("bcdDevice and interfaces tell devices of the same numbers apart, as far as they are known")
  func conditions() {
    typealias Match = DriverDescription.USBMatch
    func device(_ release: UInt16, _ interfaces: [USBInterface]? = nil) -> USBPresence {
      USBPresence(
        match: Match(vendor: 1, product: 2), release: release, bus: 1, address: 1,
        interfaces: interfaces)
    }
    let second = Match(vendor: 1, product: 2, releases: 0x0200...0x02ff)
    #expect(second.accepts(device(0x0200)) && second.accepts(device(0x02ff)))
    #expect(!second.accepts(device(0x01ff)) && !second.accepts(device(0x0300)))
    let pattern = USBInterfacePattern(number: 1, classCode: 0xff)
    let vendors = Match(vendor: 1, product: 2, interface: pattern)
    let mouse = USBInterface(number: 0, classCode: 3, subclassCode: 1, protocolCode: 2)
    let reader = USBInterface(number: 1, classCode: 0xff, subclassCode: 0, protocolCode: 0)
    let elsewhere = USBInterface(number: 2, classCode: 0xff, subclassCode: 0, protocolCode: 0)
    #expect(vendors.accepts(device(0, [mouse, reader])))
    #expect(!vendors.accepts(device(0, [mouse])) && !vendors.accepts(device(0, [elsewhere])))
    // Class and number have to be those of one and the same interface.
    let split = USBInterface(number: 1, classCode: 3, subclassCode: 0, protocolCode: 0)
    #expect(!vendors.accepts(device(0, [split, elsewhere])))
    #expect(vendors.accepts(device(0)))
    #expect(!Match(vendor: 1, product: 3).accepts(device(0)))
  }

  @Test("a preference is for a model at a place, survives its file, and damage is no preference")
  func preference() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/reader"
    #expect(ReaderPreference.read(file) == nil)
    let reader = Reader(driver: try driver(), device: Self.inside)
    ReaderPreference(reader).write(file)
    let read = try #require(ReaderPreference.read(file))
    #expect(read.means(reader))
    #expect(!read.means(Reader(driver: try driver(), device: Self.outside)))
    let preferred = Reader.all(
      drivers: [try driver()], devices: [Self.outside, Self.inside], preferred: read)
    #expect(preferred.first == reader)
    for damage in ["", "press", "press 1209:0001 1-1 more"] {
      _ = try folder.write("reader", damage)
      #expect(ReaderPreference.read(file) == nil)
    }
  }

  @Test(
    "changes are kept, a device that comes again replaces itself, and hostile numbers do not grow")
  func connected() {
    var connected = ConnectedDevices()
    connected.apply(DeviceChange(.arrived, Self.inside))
    connected.apply(DeviceChange(.arrived, Self.inside))
    #expect(connected.devices == [Self.inside] && !connected.isSettled)
    connected.apply(DeviceChange(.settled, Self.mouse))
    connected.apply(DeviceChange(.left, Self.mouse))
    #expect(connected.devices == [Self.inside] && connected.isSettled)
    connected.apply(DeviceChange(.left, Self.inside))
    #expect(connected.devices.isEmpty)
    for bus in UInt8(0)...20 {
      for address in UInt8(0)...255 {
        connected.apply(
          DeviceChange(
            .arrived,
            USBPresence(match: .init(vendor: 1, product: 1), bus: bus, address: address)))
      }
    }
    #expect(connected.devices.count == 1024)
  }
}
