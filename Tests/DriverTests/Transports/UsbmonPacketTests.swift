import SensorKit
import Testing
import USBCapture

@Suite("Packets of captures")
struct UsbmonPacketTests {
  @Test("every packet that is written is read again, and nothing else is in the file")
  func roundTrip() throws {
    var capture = TestCapture()
    capture.descriptors()
    let start = USBSetup(type: 0x40, request: 1, value: 0x102, index: 0x304, length: 2)
    capture.complete(capture.submit(.control(start, data: [9, 8])))
    capture.complete(capture.submit(.read(.interrupt(0x81), length: 8)), [1], status: -2)
    capture.complete(capture.submit(.write(.bulk(0x02), [5, 6, 7])), status: -32)
    var reader = PcapngReader(capture.bytes)
    var packets: [UsbmonPacket] = []
    while let packet = try reader.next() {
      #expect(packet.linkType == UsbmonPacket.linkType && !packet.isCutOff)
      packets.append(try #require(UsbmonPacket(packet.bytes)))
    }
    #expect(packets == capture.packets)
  }

  @Test("a file of a machine with the other byte order is read as well")
  func bigEndian() throws {
    let section: [UInt8] =
      [0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D, 0, 1, 0, 0]
      + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 28]
    let interface: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 20, 0, 220, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]
    let packet: [UInt8] =
      [0, 0, 0, 6, 0, 0, 0, 36] + [UInt8](repeating: 0, count: 12)
      + [0, 0, 0, 2, 0, 0, 0, 3, 0xAB, 0xCD, 0, 0, 0, 0, 0, 36]
    var reader = PcapngReader(section + interface + packet)
    let read = try #require(try reader.next())
    #expect(read.number == 1 && read.isCutOff && read.bytes.uint16(at: 0) == 0xABCD)
    #expect(try reader.next() == nil)
  }
}
