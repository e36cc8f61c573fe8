package import Wire

/// Core to driver host: open the device. With it travel the descriptor of the device, that of the file for its traffic, and those of the
/// file options in order.
package struct OpenSensorRequest: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 4 }
  /// Checked against the driver's description.
  package let options: [SensorOption]
  /// What the transport opens first; nil for a driver without one.
  package let device: DeviceOpening?

  /// Describes an opening.
  package init(options: [SensorOption], device: DeviceOpening? = nil) {
    self.options = options
    self.device = device
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(options) { encoder, option in option.encode(into: &encoder) }
    encoder.writeBoolean(device != nil)
    device?.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    options = try decoder.readArray(
      limit: SensorDescription.maximumOptions, elementSize: 20
    ) { (decoder) throws(DecodeError) in try SensorOption(from: &decoder) }
    device = try decoder.readBoolean() ? DeviceOpening(from: &decoder) : nil
  }

  /// How many descriptors travel with it.
  package var descriptorCount: Int {
    (device?.descriptorCount ?? 0) + options.count { $0.kind == .file }
  }
}

/// Driver host to core: the device is open.
package struct SensorOpened: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 27 }
  /// What it is; nil where the driver's description says it all.
  package let identity: SensorIdentity?

  /// Describes an opened device.
  package init(_ identity: SensorIdentity? = nil) { self.identity = identity }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeOptional(identity) { $1.encode(into: &$0) }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identity = try decoder.readOptional { (decoder) throws(DecodeError) in
      try SensorIdentity(from: &decoder)
    }
  }
}

/// Core to driver host: wait for one touch. Answered on the frame socket by one frame, retry or end.
package struct CaptureTouch: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 5 }
  /// Chosen by the core; comes back with the answer.
  package let session: UInt64
  /// How long to wait for the finger.
  package let timeoutMilliseconds: UInt32

  /// Describes a capture.
  package init(session: UInt64, timeoutMilliseconds: UInt32) {
    self.session = session
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(session)
    encoder.writeUInt32(timeoutMilliseconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
    timeoutMilliseconds = try decoder.readUInt32()
  }
}

/// Core to driver host: end this capture; without effect when it is over.
package struct StopCapture: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 6 }
  /// The session of the ``CaptureTouch``.
  package let session: UInt64

  /// Describes a stop.
  package init(session: UInt64) { self.session = session }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt64(session) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
  }
}

/// Core to driver host: let go of the device.
package struct CloseSensor: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 7 }
  /// Describes nothing further.
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// Driver host to core: the device is closed.
package struct SensorClosed: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 28 }
  /// Describes nothing further.
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// The answer of `authcore-host --describe`.
package struct SensorDescribed: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 29 }
  /// What the driver says about itself.
  package let description: SensorDescription

  /// Describes a driver.
  package init(_ description: SensorDescription) { self.description = description }

  package borrowing func encode(into encoder: inout WireEncoder) {
    description.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    description = try SensorDescription(from: &decoder)
  }
}
