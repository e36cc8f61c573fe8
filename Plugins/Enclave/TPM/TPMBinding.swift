import Protocol
import TrustedPlatform

/// How a root key is bound to a TPM; the contents of a root key's file of version 2. Nothing in it is
/// secret.
struct TPMBinding: Equatable, Sendable {
  /// The name of the storage key: no other TPM has it, nor this one after it was cleared.
  let primaryName: [UInt8]
  /// The root key, which the TPM gives to whoever has the file.
  let sealed: SealedObject
  /// The counter that tells the newest state from older ones.
  let counter: TPMIndex

  func encode(into encoder: inout WireEncoder) {
    encoder.writeBytes(primaryName)
    sealed.encode(into: &encoder)
    encoder.writeUInt32(counter)
  }

  init(primaryName: [UInt8], sealed: SealedObject, counter: TPMIndex) {
    self.primaryName = primaryName
    self.sealed = sealed
    self.counter = counter
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    primaryName = try decoder.readBytes(limit: 64)
    sealed = try SealedObject(from: &decoder)
    counter = try decoder.readUInt32()
  }
}

extension SealedObject {
  func encode(into encoder: inout WireEncoder) {
    encoder.writeBytes(publicArea)
    encoder.writeBytes(privateArea)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    self.init(
      publicArea: try decoder.readBytes(limit: Self.largestArea),
      privateArea: try decoder.readBytes(limit: Self.largestArea))
  }
}
