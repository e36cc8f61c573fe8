import FingerprintMatching

/// Feeds the template decoder, which reads what the enclave unsealed.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let template = try? FingerTemplate(decoding: input) else { return 0 }
  precondition((try? FingerTemplate(decoding: template.encoded())) != nil)
  return 0
}
