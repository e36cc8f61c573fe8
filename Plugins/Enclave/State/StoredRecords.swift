// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/stored.schema, which documents it.
import Cryptography
import Protocol
struct BootMoment: WireField, Equatable {
  let boot: [UInt8], time: UInt64
  init(boot: [UInt8], time: UInt64) { self.boot = boot; self.time = time }
  func encode(into encoder: inout WireEncoder) { encoder.write(boot, time) }
  init(from decoder: inout WireDecoder) throws(DecodeError) { let boot = try decoder.readBytes(limit: 16); let time = try UInt64(from: &decoder); self.init(boot: boot, time: time) }
}
struct TPMBinding: WireField, Equatable {
  let primaryName: [UInt8], sealed: SealedObject, counter: UInt32
  init(primaryName: [UInt8], sealed: SealedObject, counter: UInt32) { self.primaryName = primaryName; self.sealed = sealed; self.counter = counter }
  func encode(into encoder: inout WireEncoder) { encoder.write(primaryName, sealed, counter) }
  init(from decoder: inout WireDecoder) throws(DecodeError) { let primaryName = try decoder.readBytes(limit: 64); let (sealed, counter): (SealedObject, UInt32) = try decoder.read(); self.init(primaryName: primaryName, sealed: sealed, counter: counter) }
}
struct AppPasswordRecord: WireField, Equatable {
  let cost: Scrypt, salt: [UInt8]
  init(cost: Scrypt, salt: [UInt8]) { self.cost = cost; self.salt = salt }
  func encode(into encoder: inout WireEncoder) { encoder.write(cost, salt) }
  init(from decoder: inout WireDecoder) throws(DecodeError) { let cost = try Scrypt(from: &decoder); let salt = try decoder.readBytes(limit: AppPasswordRecord.saltSize); let it = Self(cost: cost, salt: salt); try it.check(); self = it }
}
