import Protocol

/// Feeds decoders of module Protocol; whatever decodes must encode to something that decodes again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  roundTrip(input, Failure.self)
  roundTrip(input, SensorFrame.self)
  roundTrip(input, SensorRetry.self)
  roundTrip(input, SensorEnd.self)
  var decoder = WireDecoder(input)
  _ = try? ItemAttributes(from: &decoder)
  decoder = WireDecoder(input)
  _ = try? ItemQuery(from: &decoder)
  decoder = WireDecoder(input)
  _ = try? AccessControl(from: &decoder)
  return 0
}

private func roundTrip<Message: WireMessage>(_ input: Span<UInt8>, _ type: Message.Type) {
  guard let message = try? Message.decode(input) else { return }
  let bytes = message.encoded()
  precondition((try? Message.decode(bytes.bytes)) != nil)
}
