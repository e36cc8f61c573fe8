// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/stored.schema, which documents it.
import Cryptography
import Protocol
struct BootMoment: WireField, Equatable {
  let boot: [UInt8], time: UInt64
  init(boot: [UInt8], time: UInt64) { self.boot = boot; self.time = time }
  func encode(into encoder: inout WireEncoder) { encoder.write(boot, time) }; init(from decoder: inout WireDecoder) throws(DecodeError) { boot = try decoder.readBytes(limit: 16); time = try decoder.read() }
}
struct TPMBinding: WireField, Equatable {
  let primaryName: [UInt8], sealed: SealedObject, counter: UInt32
  init(primaryName: [UInt8], sealed: SealedObject, counter: UInt32) { self.primaryName = primaryName; self.sealed = sealed; self.counter = counter }
  func encode(into encoder: inout WireEncoder) { encoder.write(primaryName, sealed, counter) }; init(from decoder: inout WireDecoder) throws(DecodeError) { primaryName = try decoder.readBytes(limit: 64); (sealed, counter) = try decoder.read() }
}
struct AppPasswordRecord: WireField, Equatable {
  let cost: Scrypt, salt: [UInt8]
  init(cost: Scrypt, salt: [UInt8]) { self.cost = cost; self.salt = salt }
  func encode(into encoder: inout WireEncoder) { encoder.write(cost, salt) }; init(from decoder: inout WireDecoder) throws(DecodeError) { cost = try decoder.read(); salt = try decoder.readBytes(limit: AppPasswordRecord.saltSize); try check() }
}
struct ChipBinding: WireField, Equatable {
  let device: String, wrapped: [UInt8], opensItems: Bool
  init(device: String, wrapped: [UInt8], opensItems: Bool) { self.device = device; self.wrapped = wrapped; self.opensItems = opensItems }
  func encode(into encoder: inout WireEncoder) { encoder.write(device, wrapped, opensItems) }; init(from decoder: inout WireDecoder) throws(DecodeError) { device = try decoder.readText(limit: 256); wrapped = try decoder.readBytes(limit: 128); opensItems = try decoder.read() }
}
