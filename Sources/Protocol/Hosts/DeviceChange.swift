/// Watching host to core: a USB device came or went (`ac_usb_change_t` of usb.h).
package struct DeviceChange: WireMessage, Equatable {
  package static var number: UInt8 { 30 }

  /// What happened (`ac_usb_event_t`).
  package enum Event: Int32, WireField {
    /// It is there, or has come.
    case arrived = 1
    case left = 2
    /// All that was there at the start has been reported; the device says nothing.
    case settled = 3
  }

  package let event: Event
  package let device: USBPresence
  package init(_ event: Event, _ device: USBPresence) {
    self.event = event
    self.device = device
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(event, device) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (event, device) = try decoder.read()
  }
}
