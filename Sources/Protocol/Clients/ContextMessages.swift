/// Opens an evidence context, which requests of this connection may name from here on: what is
/// proved for one of them serves the others. It ends with ``InvalidateContext``, with the
/// connection, when the device is locked, and when its passcode or its fingers are changed. A proof
/// in it counts for five minutes. Reply: ``ContextOpened``. Failure: `busy`, where the connection
/// or all together have too many.
package struct NewContext: WireMessage, Equatable {
  package static var number: UInt8 { 34 }

  /// An unlock by touch at most this many seconds before a request counts as a touch for it: 0…300.
  package let reuseSeconds: UInt32

  package init(reuseSeconds: UInt32 = 0) { self.reuseSeconds = reuseSeconds }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(reuseSeconds) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    reuseSeconds = try decoder.read()
  }
}

/// The context is open.
package struct ContextOpened: WireMessage, Equatable {
  package static var number: UInt8 { 35 }

  /// Its number, which means nothing to any other connection; never 0.
  package let context: UInt64

  package init(context: UInt64) { self.context = context }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}

/// Ends a context and forgets what was proved in it. Reply: ``Done``, also where this
/// connection has none of that number.
package struct InvalidateContext: WireMessage, Equatable {
  package static var number: UInt8 { 36 }

  package let context: UInt64

  package init(context: UInt64) { self.context = context }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}
