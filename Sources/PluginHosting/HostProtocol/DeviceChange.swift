package import Wire

/// Watching host to core: a USB device came or went (`ac_usb_change_t` of usb.h).
package struct DeviceChange: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 30 }

  /// What happened (`ac_usb_event_t`).
  package enum Event: Int32, Sendable {
    /// It is there, or has come.
    case arrived = 1
    case left = 2
    /// All that was there at the start has been reported; the device says nothing.
    case settled = 3
  }

  /// What happened.
  package let event: Event
  /// To which device.
  package let device: USBPresence

  /// Describes a change.
  package init(_ event: Event, _ device: USBPresence) {
    self.event = event
    self.device = device
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeInt32(event.rawValue)
    device.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let event = Event(rawValue: try decoder.readInt32()) else {
      throw .invalidValue(field: "event of a device")
    }
    self.event = event
    device = try USBPresence(from: &decoder)
  }
}
