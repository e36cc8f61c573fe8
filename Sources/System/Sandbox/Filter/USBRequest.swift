/// The requests of `ioctl(2)` for a USB device that libusb makes on a 64-bit machine
/// (linux/usbdevice_fs.h).
enum USBRequest: UInt32, CaseIterable {
  case control = 0xC018_5500
  case bulk = 0xC018_5502
  case setInterface = 0x8008_5504
  case setConfiguration = 0x8004_5505
  case getDriver = 0x4104_5508
  case submit = 0x8038_550A
  case discard = 0x0000_550B
  case reap = 0x4008_550C
  case reapWithoutDelay = 0x4008_550D
  case claimInterface = 0x8004_550F
  case releaseInterface = 0x8004_5510
  case connectionInfo = 0x4008_5511
  case driverRequest = 0xC010_5512
  case reset = 0x0000_5514
  case clearHalt = 0x8004_5515
  case capabilities = 0x8004_551A
  case disconnectAndClaim = 0x8108_551B
  case speed = 0x0000_551F
}
