/// Core to driver host: open the device. With it travel the descriptor of the device, that of the
/// file for its traffic, and those of the file options in order.
package struct OpenSensorRequest: WireMessage, Equatable {
  package static var number: UInt8 { 4 }
  /// Checked against the driver's description.
  package let options: [SensorOption]
  /// What the transport opens first; nil for a driver without one.
  package let device: DeviceOpening?
  package init(options: [SensorOption], device: DeviceOpening? = nil) {
    self.options = options
    self.device = device
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options, device) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (options, device) = try decoder.read()
    try decoder.require(options, atMost: DriverDescription.maximumOptions)
  }

  /// How many descriptors travel with it.
  package var descriptorCount: Int {
    (device?.descriptorCount ?? 0) + options.count { $0.kind == .file }
  }
}

/// Driver host to core: the device is open.
package struct SensorOpened: WireMessage, Equatable {
  package static var number: UInt8 { 27 }
  /// What it is; nil where the driver's description says it all.
  package let identity: SensorIdentity?
  package init(_ identity: SensorIdentity? = nil) { self.identity = identity }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(identity) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identity = try decoder.read()
  }
}

/// Core to driver host: wait for one touch. Answered on the frame socket by one frame, retry or
/// end.
package struct CaptureTouch: WireMessage, Equatable {
  package static var number: UInt8 { 5 }
  /// Chosen by the core; comes back with the answer.
  package let session: UInt64
  /// How long to wait for the finger.
  package let timeoutMilliseconds: UInt32
  package init(session: UInt64, timeoutMilliseconds: UInt32) {
    self.session = session
    self.timeoutMilliseconds = timeoutMilliseconds
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(session, timeoutMilliseconds)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (session, timeoutMilliseconds) = try decoder.read()
  }
}

/// Core to driver host: end this capture; without effect when it is over.
package struct StopCapture: WireMessage, Equatable {
  package static var number: UInt8 { 6 }
  /// The session of the ``CaptureTouch``.
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}

/// Core to driver host: let go of the device.
package struct CloseSensor: EmptyMessage, Equatable {
  package static var number: UInt8 { 7 }
  package init() {}
}

/// Driver host to core: the device is closed.
package struct SensorClosed: EmptyMessage, Equatable {
  package static var number: UInt8 { 28 }
  package init() {}
}

/// The answer of `authcore-host --describe`.
package struct SensorDescribed: WireMessage, Equatable {
  package static var number: UInt8 { 29 }
  /// What the driver says about itself.
  package let description: DriverDescription
  package init(_ description: DriverDescription) { self.description = description }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(description) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    description = try decoder.read()
  }
}
