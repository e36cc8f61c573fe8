/// Where frames come from. They match only fingers that were enrolled from the same origin, as far
/// as that is known.
package enum FrameOrigin: UInt8, CaseIterable, WireField {
  /// A reader.
  case reader = 0
  /// A driver that says that it makes its prints up, a recording, or a simulated device.
  case synthetic = 1
  /// A tape of files, played by the replay driver that belongs to the core.
  case tape = 2
}

/// What is behind a channel.
package struct FrameSource: Equatable, WireField {
  package let origin: FrameOrigin
  /// Whether a frame that came before counts as another touch: on a tape it does. No sensor delivers
  /// two equal frames.
  package let mayRepeat: Bool
  package init(_ origin: FrameOrigin, mayRepeat: Bool = false) {
    self.origin = origin
    self.mayRepeat = mayRepeat
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(origin, mayRepeat) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (origin, mayRepeat) = try decoder.read()
  }
}

/// Says what is behind a frame socket that the host was given. Reply: ``Done``.
package struct OpenChannel: WireMessage {
  package static var number: UInt8 { 32 }
  package let channel: UInt32
  package let source: FrameSource
  package init(channel: UInt32, source: FrameSource) {
    self.channel = channel
    self.source = source
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, source) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (channel, source) = try decoder.read()
  }
}

/// Forgets a channel and its sessions. Reply: ``Done``.
package struct CloseChannel: WireMessage {
  package static var number: UInt8 { 33 }
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { channel = try decoder.read() }
}

/// From here frames of this session are compared with the enrolled fingers, for this context.
/// Reply: ``Done``. Failures: `biometryNotEnrolled`, `biometryLockout` (also before first unlock),
/// `invalidContext`.
package struct BeginMatch: WireMessage {
  package static var number: UInt8 { 34 }
  package let session: UInt64
  package let channel: UInt32
  package let context: ContextName
  /// Whether a match at a relaxed rate is a miss here: the item that is to open refuses it.
  package let requiresStrictMatch: Bool
  /// Whether scores are told, which they are only while the device is unlocked (`finger test`).
  package let tellsScore: Bool
  package init(
    session: UInt64, channel: UInt32, context: ContextName, requiresStrictMatch: Bool = false,
    tellsScore: Bool = false
  ) {
    self.session = session
    self.channel = channel
    self.context = context
    self.requiresStrictMatch = requiresStrictMatch
    self.tellsScore = tellsScore
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(session, channel, context, requiresStrictMatch, tellsScore)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (session, channel, context, requiresStrictMatch, tellsScore) = try decoder.read()
  }
}

/// From here frames of this session are touches of a finger to be enrolled. The context must hold
/// passcode evidence. Reply: ``Done``. Failures: `tooManyFingers`, `passcodeNotSet`,
/// `authenticationFailed` (no evidence), `errSecDuplicateItem` never: a duplicate *finger* is an
/// event.
package struct BeginEnrollment: WireMessage {
  package static var number: UInt8 { 35 }
  package let session: UInt64
  package let channel: UInt32
  package let context: ContextName
  /// Empty: the enclave chooses one. A taken one is `errSecParam`.
  package let name: String
  /// The owner wants the finger matched at a relaxed rate, where the sensor is small enough.
  package let isRelaxed: Bool
  package init(
    session: UInt64, channel: UInt32, context: ContextName, name: String, isRelaxed: Bool = false
  ) {
    self.session = session
    self.channel = channel
    self.context = context
    self.name = name
    self.isRelaxed = isRelaxed
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(session, channel, context, name, isRelaxed)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (session, channel, context, name, isRelaxed) = try decoder.read()
  }
}

/// A request that says nothing but which session is meant; `code` is its number.
package struct SessionRequest<let code: Int>: WireMessage {
  package static var number: UInt8 { UInt8(code) }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}

/// Makes the touches taken so far a finger. Reply: ``EnrolledFinger``. Failures:
/// `enrolmentIncomplete` (fewer than three usable touches), `duplicateFinger`, `tooManyFingers`.
package typealias CommitEnrollment = SessionRequest<36>
/// Ends a match or drops an enrollment. Reply: ``Done``, also where there is none.
package typealias EndSession = SessionRequest<37>
/// The driver is about to be asked for one touch: the next frame, retry or end of this session is
/// answered by one ``TouchEvent``, and what comes beyond it is dropped. Reply: ``Done``.
/// Failures: `errSecParam` (no such session), and why an enrollment is over.
package typealias AwaitTouch = SessionRequest<38>
