// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/enclave.schema, which documents it.
package struct StoredItemEntry: WireField, Equatable {
  package let kind: PortableKind, protection: ItemProtection, attributes: [UInt8], content: [UInt8]
  package init(_ kind: PortableKind, protection: ItemProtection, attributes: [UInt8], content: [UInt8]) { self.kind = kind; self.protection = protection; self.attributes = attributes; self.content = content }
  package func encode(into encoder: inout WireEncoder) { encoder.write(kind, protection, attributes, content) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (kind, protection, attributes, content) = try decoder.read() }
}
package struct SealForBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 130 }
  package let items: [StoredItemEntry]
  package init(items: [StoredItemEntry]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}
package struct OpenFromBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 131 }
  package let first: UInt64, records: [SealedRecord]
  package init(first: UInt64, records: [SealedRecord]) { self.first = first; self.records = records }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(first, records) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (first, records) = try decoder.read() }
}
package struct OpenedFromBackup: WireMessage, Equatable {
  package static var number: UInt8 { 136 }
  package struct Item: WireField, Equatable {
    package let attributes: [UInt8], certificate: [UInt8]?
    package init(attributes: [UInt8], certificate: [UInt8]? = nil) { self.attributes = attributes; self.certificate = certificate }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, certificate) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (attributes, certificate) = try decoder.read() }
  }
  package let items: [Item]
  package init(items: [Item]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}
package struct RestoredEntry: WireField, Equatable {
  package let number: UInt64, record: SealedRecord, protection: ItemProtection, attributes: [UInt8]
  package init(number: UInt64, record: SealedRecord, protection: ItemProtection, attributes: [UInt8]) { self.number = number; self.record = record; self.protection = protection; self.attributes = attributes }
  package func encode(into encoder: inout WireEncoder) { encoder.write(number, record, protection, attributes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (number, record, protection, attributes) = try decoder.read() }
}
package struct SealFromBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 132 }
  package let entries: [RestoredEntry]
  package init(entries: [RestoredEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct SealedFromBackup: WireMessage, Equatable {
  package static var number: UInt8 { 133 }
  package struct Item: WireField, Equatable {
    package let attributes: [UInt8], content: [UInt8]
    package init(attributes: [UInt8], content: [UInt8]) { self.attributes = attributes; self.content = content }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, content) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (attributes, content) = try decoder.read() }
  }
  package let items: [Item]
  package init(items: [Item]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}
package struct OpenBackupEnd: SealingMessage, Equatable {
  package static var number: UInt8 { 134 }
  package let place: UInt64, record: [UInt8]
  package init(place: UInt64, record: [UInt8]) { self.place = place; self.record = record }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, record) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (place, record) = try decoder.read() }
}
package struct BackupSummary: WireMessage, Equatable {
  package static var number: UInt8 { 135 }
  package let counts: BackupCounts
  package init(counts: BackupCounts) { self.counts = counts }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(counts) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { counts = try decoder.read() }
}
package struct SealedItems: WireMessage, Equatable {
  package static var number: UInt8 { 148 }
  package enum Result: Equatable, WireField {
    case sealed(SealedItem), failed(Failure)
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .sealed(let v0): encoder.write(UInt8(1), v0)
      case .failed(let v0): encoder.write(UInt8(2), v0)
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .sealed(try SealedItem(from: &decoder))
      case 2: self = .failed(try Failure(from: &decoder))
      default: throw .invalidValue(field: "SealedItems.Result")
      }
    }
  }
  package let hashes: [[UInt8]], results: [Result]
  package init(hashes: [[UInt8]], results: [Result]) { self.hashes = hashes; self.results = results }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(hashes, results) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (hashes, results) = try decoder.read() }
}
package struct OpenContext: WireMessage, Equatable {
  package static var number: UInt8 { 6 }
  package let context: ContextName, outlivesRequest: Bool, isDoor: Bool
  package init(context: ContextName, outlivesRequest: Bool = false, isDoor: Bool = false) { self.context = context; self.outlivesRequest = outlivesRequest; self.isDoor = isDoor }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context, outlivesRequest, isDoor) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (context, outlivesRequest, isDoor) = try decoder.read() }
}
package struct CloseContexts: WireMessage, Equatable {
  package static var number: UInt8 { 20 }
  package let requester: Requester
  package init(of requester: Requester) { self.requester = requester }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(requester) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { requester = try decoder.read() }
}
package struct ContextEvidence: WireMessage, Equatable {
  package static var number: UInt8 { 9 }
  package let evidence: EvidenceSet, finger: String?, matchAge: UInt32?, passcodeAge: UInt32?
  package init(evidence: EvidenceSet, finger: String?, matchAge: UInt32? = nil, passcodeAge: UInt32? = nil) { self.evidence = evidence; self.finger = finger; self.matchAge = matchAge; self.passcodeAge = passcodeAge }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(evidence, finger, matchAge, passcodeAge) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (evidence, finger, matchAge, passcodeAge) = try decoder.read() }
}
package enum FrameOrigin: UInt8, CaseIterable, WireField {
  case reader = 0, synthetic = 1, tape = 2
}
package struct FrameSource: WireField, Equatable {
  package let origin: FrameOrigin, mayRepeat: Bool
  package init(_ origin: FrameOrigin, mayRepeat: Bool = false) { self.origin = origin; self.mayRepeat = mayRepeat }
  package func encode(into encoder: inout WireEncoder) { encoder.write(origin, mayRepeat) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (origin, mayRepeat) = try decoder.read() }
}
package struct OpenChannel: WireMessage, Equatable {
  package static var number: UInt8 { 32 }
  package let channel: UInt32, source: FrameSource, chip: ChipDevice?
  package init(channel: UInt32, source: FrameSource, chip: ChipDevice? = nil) { self.channel = channel; self.source = source; self.chip = chip }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, source, chip) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (channel, source, chip) = try decoder.read() }
}
package struct ChipDevice: WireField, Hashable {
  package let summary: ChipSummary, identity: String, instance: String, pluggedIn: UInt64, isBuiltIn: Bool
  package init(summary: ChipSummary, identity: String, instance: String, pluggedIn: UInt64, isBuiltIn: Bool) { self.summary = summary; self.identity = identity; self.instance = instance; self.pluggedIn = pluggedIn; self.isBuiltIn = isBuiltIn }
  package func encode(into encoder: inout WireEncoder) { encoder.write(summary, identity, instance, pluggedIn, isBuiltIn) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { summary = try decoder.read(); identity = try decoder.readText(limit: 256); instance = try decoder.readText(limit: 256); (pluggedIn, isBuiltIn) = try decoder.read() }
}
package struct CloseChannel: WireMessage, Equatable {
  package static var number: UInt8 { 33 }
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { channel = try decoder.read() }
}
package struct BeginMatch: WireMessage, Equatable {
  package static var number: UInt8 { 34 }
  package let session: UInt64, channel: UInt32, context: ContextName, requiresStrictMatch: Bool, tellsScore: Bool, opensItem: Bool
  package init(session: UInt64, channel: UInt32, context: ContextName, requiresStrictMatch: Bool = false, tellsScore: Bool = false, opensItem: Bool = false) { self.session = session; self.channel = channel; self.context = context; self.requiresStrictMatch = requiresStrictMatch; self.tellsScore = tellsScore; self.opensItem = opensItem }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session, channel, context, requiresStrictMatch, tellsScore, opensItem) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (session, channel, context, requiresStrictMatch, tellsScore, opensItem) = try decoder.read() }
}
package struct BeginEnrollment: WireMessage, Equatable {
  package static var number: UInt8 { 35 }
  package let session: UInt64, channel: UInt32, context: ContextName, name: String, isRelaxed: Bool, consent: ChipConsent
  package init(session: UInt64, channel: UInt32, context: ContextName, name: String, isRelaxed: Bool = false, consent: ChipConsent = ChipConsent()) { self.session = session; self.channel = channel; self.context = context; self.name = name; self.isRelaxed = isRelaxed; self.consent = consent }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session, channel, context, name, isRelaxed, consent) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (session, channel, context, name, isRelaxed, consent) = try decoder.read() }
}
package struct BeginChipWork: WireMessage, Equatable {
  package static var number: UInt8 { 39 }
  package let session: UInt64, channel: UInt32, context: ContextName, work: ChipWork
  package init(session: UInt64, channel: UInt32, context: ContextName, work: ChipWork) { self.session = session; self.channel = channel; self.context = context; self.work = work }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session, channel, context, work) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (session, channel, context, work) = try decoder.read() }
}
package struct ItemProtection: WireField, Equatable {
  package let accessibility: Accessibility, accessControl: AccessControl?, identity: [UInt8]
  package init(accessibility: Accessibility, accessControl: AccessControl?, identity: [UInt8]) { self.accessibility = accessibility; self.accessControl = accessControl; self.identity = identity }
  package func encode(into encoder: inout WireEncoder) { encoder.write(accessibility, accessControl, identity) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (accessibility, accessControl, identity) = try decoder.read() }
}
package struct SealedItem: WireMessage, WireField, Equatable {
  package static var number: UInt8 { 81 }
  package let hashes: [[UInt8]], attributes: [UInt8], sealedSecret: [UInt8]
  package init(hashes: [[UInt8]], attributes: [UInt8], sealedSecret: [UInt8]) { self.hashes = hashes; self.attributes = attributes; self.sealedSecret = sealedSecret }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(hashes, attributes, sealedSecret) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (hashes, attributes, sealedSecret) = try decoder.read() }
}
package struct OpenItem: SealingMessage, WireField, Equatable {
  package static var number: UInt8 { 82 }
  package let protection: ItemProtection, sealed: [UInt8], onlyAuthorize: Bool
  package init(protection: ItemProtection, sealed: [UInt8], onlyAuthorize: Bool = false) { self.protection = protection; self.sealed = sealed; self.onlyAuthorize = onlyAuthorize }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protection, sealed, onlyAuthorize) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protection, sealed, onlyAuthorize) = try decoder.read() }
}
package struct ResealItem: SealingMessage, Equatable {
  package static var number: UInt8 { 75 }
  package let protection: ItemProtection, sealed: [UInt8], replacement: ItemProtection, names: [[UInt8]], attributes: [UInt8]
  package init(protection: ItemProtection, sealed: [UInt8], replacement: ItemProtection, names: [[UInt8]], attributes: [UInt8]) { self.protection = protection; self.sealed = sealed; self.replacement = replacement; self.names = names; self.attributes = attributes }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protection, sealed, replacement, names, attributes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protection, sealed, replacement, names, attributes) = try decoder.read() }
}
package struct RequirePresence: SealingMessage, Equatable {
  package static var number: UInt8 { 101 }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct OpenedItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 83 }
  package let secret: SecretBytes
  package init(secret: consuming SecretBytes) { self.secret = secret }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(secret) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let secret = try decoder.readSecret(limit: largestItemSecret); self.init(secret: secret) }
}
package struct AttributesEntry: WireField, Equatable {
  package let accessibility: Accessibility, identity: [UInt8], bytes: [UInt8]
  package init(accessibility: Accessibility, identity: [UInt8], bytes: [UInt8]) { self.accessibility = accessibility; self.identity = identity; self.bytes = bytes }
  package func encode(into encoder: inout WireEncoder) { encoder.write(accessibility, identity, bytes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (accessibility, identity, bytes) = try decoder.read() }
}
package struct AttributeBatch: WireMessage, Equatable {
  package static var number: UInt8 { 87 }
  package enum Result: Equatable, WireField {
    case value([UInt8]), closed, damaged, newer
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .value(let v0): encoder.write(UInt8(1), v0)
      case .closed: encoder.write(UInt8(2))
      case .damaged: encoder.write(UInt8(3))
      case .newer: encoder.write(UInt8(4))
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .value(try [UInt8](from: &decoder))
      case 2: self = .closed
      case 3: self = .damaged
      case 4: self = .newer
      default: throw .invalidValue(field: "AttributeBatch.Result")
      }
    }
  }
  package let results: [Result]
  package init(results: [Result]) { self.results = results }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(results) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { results = try decoder.read() }
}
package struct HashAttributes: SealingMessage, Equatable {
  package static var number: UInt8 { 88 }
  package let values: [[UInt8]]
  package init(values: [[UInt8]]) { self.values = values }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(values) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { values = try decoder.read() }
}
package struct NoteKeychain: SealingMessage, Equatable {
  package static var number: UInt8 { 91 }
  package enum Mark: UInt8, WireField {
    case asked = 0, begun = 1, forgotten = 2
  }
  package let mark: Mark
  package init(mark: Mark) { self.mark = mark }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(mark) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { mark = try decoder.read() }
}
package struct KeychainNoted: WireMessage, Equatable {
  package static var number: UInt8 { 92 }
  package let existed: Bool
  package init(existed: Bool) { self.existed = existed }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(existed) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { existed = try decoder.read() }
}
package struct OpenItemWithAttributes: SealingMessage, Equatable {
  package static var number: UInt8 { 89 }
  package let item: OpenItem, attributes: AttributesEntry
  package init(item: OpenItem, attributes: AttributesEntry) { self.item = item; self.attributes = attributes }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(item, attributes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (item, attributes) = try decoder.read() }
}
package struct OpenedItemWithAttributes: WireMessage, ~Copyable {
  package static var number: UInt8 { 90 }
  package let attributes: AttributeBatch.Result, itemReply: SecretBytes
  package init(attributes: AttributeBatch.Result, itemReply: consuming SecretBytes) { self.attributes = attributes; self.itemReply = itemReply }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes); encoder.writeSecret(itemReply) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let attributes = try AttributeBatch.Result(from: &decoder); let itemReply = try decoder.readSecret(limit: OpenedItemWithAttributes.longestReply); self.init(attributes: attributes, itemReply: itemReply) }
}
package struct GenerateKey: SealingMessage, Equatable {
  package static var number: UInt8 { 58 }
  package let protection: ItemProtection
  package init(protection: ItemProtection) { self.protection = protection }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protection) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { protection = try decoder.read() }
}
package struct GeneratedKey: WireMessage, Equatable {
  package static var number: UInt8 { 59 }
  package let publicKey: [UInt8], sealed: [UInt8]
  package init(publicKey: [UInt8], sealed: [UInt8]) { self.publicKey = publicKey; self.sealed = sealed }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(publicKey, sealed) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (publicKey, sealed) = try decoder.read() }
}
package struct UseSealedKey: SealingMessage, Equatable {
  package static var number: UInt8 { 60 }
  package let protection: ItemProtection, sealed: [UInt8], operation: KeyOperation, input: [UInt8]
  package init(protection: ItemProtection, sealed: [UInt8], operation: KeyOperation, input: [UInt8]) { self.protection = protection; self.sealed = sealed; self.operation = operation; self.input = input }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protection, sealed, operation, input) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protection, sealed, operation, input) = try decoder.read() }
}
package struct VerifyPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }
  package let context: ContextName, unlocksDevice: Bool, mayErase: Bool, passcode: SecretBytes, asTyped: SecretBytes
  package init(context: ContextName, unlocksDevice: Bool, mayErase: Bool = true, passcode: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0)) { self.context = context; self.unlocksDevice = unlocksDevice; self.mayErase = mayErase; self.passcode = passcode; self.asTyped = asTyped }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context, unlocksDevice, mayErase); encoder.writeSecret(passcode); encoder.writeSecret(asTyped) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (context, unlocksDevice, mayErase): (ContextName, Bool, Bool) = try decoder.read(); let passcode = try decoder.readSecret(limit: longestPasscode); let asTyped = try decoder.readSecret(limit: longestPasscode); self.init(context: context, unlocksDevice: unlocksDevice, mayErase: mayErase, passcode: passcode, asTyped: asTyped) }
}
package struct ReplacePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 18 }
  package let current: SecretBytes, asTyped: SecretBytes, replacement: SecretBytes, eraseAfter: UInt32?
  package init(current: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0), replacement: consuming SecretBytes, eraseAfter: UInt32? = nil) { self.current = current; self.asTyped = asTyped; self.replacement = replacement; self.eraseAfter = eraseAfter }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(current); encoder.writeSecret(asTyped); encoder.writeSecret(replacement); encoder.write(eraseAfter) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let current = try decoder.readSecret(limit: longestPasscode); let asTyped = try decoder.readSecret(limit: longestPasscode); let replacement = try decoder.readSecret(limit: longestPasscode); let eraseAfter = try UInt32?(from: &decoder); self.init(current: current, asTyped: asTyped, replacement: replacement, eraseAfter: eraseAfter) }
}
package struct ErasePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 19 }
  package let current: SecretBytes, asTyped: SecretBytes
  package init(current: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0)) { self.current = current; self.asTyped = asTyped }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(current); encoder.writeSecret(asTyped) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let current = try decoder.readSecret(limit: longestPasscode); let asTyped = try decoder.readSecret(limit: longestPasscode); self.init(current: current, asTyped: asTyped) }
}
package struct MoveRootKey: WireMessage, ~Copyable {
  package static var number: UInt8 { 70 }
  package let place: RootKeyPlace, passcode: SecretBytes, asTyped: SecretBytes
  package init(to place: RootKeyPlace, passcode: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0)) { self.place = place; self.passcode = passcode; self.asTyped = asTyped }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place); encoder.writeSecret(passcode); encoder.writeSecret(asTyped) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let place = try RootKeyPlace(from: &decoder); let passcode = try decoder.readSecret(limit: longestPasscode); let asTyped = try decoder.readSecret(limit: longestPasscode); self.init(to: place, passcode: passcode, asTyped: asTyped) }
}
package struct SetStateAside: EmptyMessage, Equatable {
  package static var number: UInt8 { 71 }
  package init() {  }
}
package struct EnclaveRules: WireField, Equatable {
  package let missesInARow: UInt32, passcodeCharacters: UInt32, reuseSeconds: UInt32, allowsRelaxedRate: Bool, allowsChips: Bool
  package init(missesInARow: UInt32 = TouchEvent.mostMissesInARow, passcodeCharacters: UInt32 = UInt32(PasscodeRules.fewestCharacters), reuseSeconds: UInt32 = longestReuse, allowsRelaxedRate: Bool = true, allowsChips: Bool = true) { self.missesInARow = missesInARow; self.passcodeCharacters = passcodeCharacters; self.reuseSeconds = reuseSeconds; self.allowsRelaxedRate = allowsRelaxedRate; self.allowsChips = allowsChips }
  package func encode(into encoder: inout WireEncoder) { encoder.write(missesInARow, passcodeCharacters, reuseSeconds, allowsRelaxedRate, allowsChips) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (missesInARow, passcodeCharacters, reuseSeconds, allowsRelaxedRate, allowsChips) = try decoder.read() }
}
package struct TightenRules: WireMessage, Equatable {
  package static var number: UInt8 { 76 }
  package let rules: EnclaveRules
  package init(rules: EnclaveRules) { self.rules = rules }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(rules) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { rules = try decoder.read() }
}
package struct GetEnclaveStatus: EmptyMessage, Equatable {
  package static var number: UInt8 { 2 }
  package init() {  }
}
package struct EnclaveStatus: WireMessage, WireField, Equatable {
  package static var number: UInt8 { 3 }
  package var isPasscodeSet: Bool, isLocked: Bool, isFirstUnlocked: Bool, isLockedOut: Bool, isBiometricUnlockArmed: Bool, isMemoryLocked: Bool, isRollbackDetected: Bool, realFingers: UInt32, syntheticFingers: UInt32, tapeFingers: UInt32, earlierFingers: UInt32, chipFingers: UInt32, misses: UInt32, passcodeDelay: UInt32, eraseAfter: UInt32, lockRule: LockRule, wrongPasscodes: UInt32, rootKey: String, domainState: [UInt8], hasKeychain: Bool
  package init(isPasscodeSet: Bool = false, isLocked: Bool = false, isFirstUnlocked: Bool = true, isLockedOut: Bool = false, isBiometricUnlockArmed: Bool = false, isMemoryLocked: Bool = false, isRollbackDetected: Bool = false, realFingers: UInt32 = 0, syntheticFingers: UInt32 = 0, tapeFingers: UInt32 = 0, earlierFingers: UInt32 = 0, chipFingers: UInt32 = 0, misses: UInt32 = 0, passcodeDelay: UInt32 = 0, eraseAfter: UInt32 = 0, lockRule: LockRule = LockRule.standard, wrongPasscodes: UInt32 = 0, rootKey: String = "file", domainState: [UInt8] = [], hasKeychain: Bool = false) { self.isPasscodeSet = isPasscodeSet; self.isLocked = isLocked; self.isFirstUnlocked = isFirstUnlocked; self.isLockedOut = isLockedOut; self.isBiometricUnlockArmed = isBiometricUnlockArmed; self.isMemoryLocked = isMemoryLocked; self.isRollbackDetected = isRollbackDetected; self.realFingers = realFingers; self.syntheticFingers = syntheticFingers; self.tapeFingers = tapeFingers; self.earlierFingers = earlierFingers; self.chipFingers = chipFingers; self.misses = misses; self.passcodeDelay = passcodeDelay; self.eraseAfter = eraseAfter; self.lockRule = lockRule; self.wrongPasscodes = wrongPasscodes; self.rootKey = rootKey; self.domainState = domainState; self.hasKeychain = hasKeychain }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked, isRollbackDetected, realFingers, syntheticFingers, tapeFingers, earlierFingers, chipFingers, misses, passcodeDelay, eraseAfter, lockRule, wrongPasscodes, rootKey, domainState, hasKeychain) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked, isRollbackDetected, realFingers, syntheticFingers, tapeFingers, earlierFingers, chipFingers, misses, passcodeDelay, eraseAfter, lockRule, wrongPasscodes, rootKey, domainState, hasKeychain) = try decoder.read() }
}
package struct RemovePasscodeBoundItems: EmptyMessage, Equatable {
  package static var number: UInt8 { 10 }
  package init() {  }
}
package struct CopyDatabase: EmptyMessage, Equatable {
  package static var number: UInt8 { 11 }
  package init() {  }
}
package struct CommitEnrollment: WireMessage, Equatable {
  package static var number: UInt8 { 36 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}
package struct EndSession: WireMessage, Equatable {
  package static var number: UInt8 { 37 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}
package struct AwaitTouch: WireMessage, Equatable {
  package static var number: UInt8 { 38 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}
package struct CloseContext: WireMessage, Equatable {
  package static var number: UInt8 { 7 }
  package let context: ContextName
  package init(context: ContextName) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}
package struct GetContextEvidence: WireMessage, Equatable {
  package static var number: UInt8 { 8 }
  package let context: ContextName, reuseSeconds: UInt32
  package init(context: ContextName, reuseSeconds: UInt32 = 0) { self.context = context; self.reuseSeconds = reuseSeconds }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context, reuseSeconds) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (context, reuseSeconds) = try decoder.read(); guard 0...longestReuse ~= reuseSeconds else { throw .invalidValue(field: "reuseSeconds of GetContextEvidence") } }
}
package struct ForgetEvidence: WireMessage, Equatable {
  package static var number: UInt8 { 11 }
  package let context: ContextName
  package init(context: ContextName) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}
package struct SealAttributes: AttributesRequest, Equatable {
  package static var number: UInt8 { 85 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct OpenAttributes: AttributesRequest, Equatable {
  package static var number: UInt8 { 86 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct SealCertificates: AttributesRequest, Equatable {
  package static var number: UInt8 { 155 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct OpenCertificates: AttributesRequest, Equatable {
  package static var number: UInt8 { 156 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct UnlockWithMatch: WireMessage, Equatable {
  package static var number: UInt8 { 5 }
  package let context: ContextName, isReusable: Bool
  package init(context: ContextName, isReusable: Bool = true) { self.context = context; self.isReusable = isReusable }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context, isReusable) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (context, isReusable) = try decoder.read() }
}
package struct BulkItem: WireField, Equatable {
  package let protection: ItemProtection, names: [[UInt8]], attributes: [UInt8], secretCount: UInt32
  package init(protection: ItemProtection, names: [[UInt8]], attributes: [UInt8], secretCount: UInt32) { self.protection = protection; self.names = names; self.attributes = attributes; self.secretCount = secretCount }
  package func encode(into encoder: inout WireEncoder) { encoder.write(protection, names, attributes, secretCount) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protection, names, attributes, secretCount) = try decoder.read() }
}
package struct LockNotice: WireMessage, Equatable {
  package static var number: UInt8 { 65 }
  package let isLocked: Bool, rule: LockRule
  package init(isLocked: Bool, rule: LockRule) { self.isLocked = isLocked; self.rule = rule }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(isLocked, rule) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (isLocked, rule) = try decoder.read() }
}
package struct TouchEvent: WireMessage, Equatable {
  package static var number: UInt8 { 64 }
  package enum Outcome: Equatable, WireField {
    case matched(finger: String, score: Double?, threshold: Double), missed(score: Double?, threshold: Double, misses: UInt32, isLockedOut: Bool, addsUp: Bool), retry(reason: Int32), taken(TakenTouch), refused(EnrollmentAdvice), duplicate(finger: String), ended(status: Int32, message: String), failed(Failure), chip(ReaderContents, isLast: Bool)
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .matched(let v0, let v1, let v2): encoder.write(UInt8(1), v0, v1, v2)
      case .missed(let v0, let v1, let v2, let v3, let v4): encoder.write(UInt8(2), v0, v1, v2, v3, v4)
      case .retry(let v0): encoder.write(UInt8(3), v0)
      case .taken(let v0): encoder.write(UInt8(4), v0)
      case .refused(let v0): encoder.write(UInt8(5), v0)
      case .duplicate(let v0): encoder.write(UInt8(6), v0)
      case .ended(let v0, let v1): encoder.write(UInt8(7), v0, v1)
      case .failed(let v0): encoder.write(UInt8(8), v0)
      case .chip(let v0, let v1): encoder.write(UInt8(9), v0, v1)
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .matched(finger: try String(from: &decoder), score: try Double?(from: &decoder), threshold: try Double(from: &decoder))
      case 2: self = .missed(score: try Double?(from: &decoder), threshold: try Double(from: &decoder), misses: try UInt32(from: &decoder), isLockedOut: try Bool(from: &decoder), addsUp: try Bool(from: &decoder))
      case 3: self = .retry(reason: try Int32(from: &decoder))
      case 4: self = .taken(try TakenTouch(from: &decoder))
      case 5: self = .refused(try EnrollmentAdvice(from: &decoder))
      case 6: self = .duplicate(finger: try String(from: &decoder))
      case 7: self = .ended(status: try Int32(from: &decoder), message: try String(from: &decoder))
      case 8: self = .failed(try Failure(from: &decoder))
      case 9: self = .chip(try ReaderContents(from: &decoder), isLast: try Bool(from: &decoder))
      default: throw .invalidValue(field: "TouchEvent.Outcome")
      }
    }
  }
  package let session: UInt64, status: EnclaveStatus?, outcome: Outcome
  package init(session: UInt64, status: EnclaveStatus?, outcome: Outcome) { self.session = session; self.status = status; self.outcome = outcome }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session, status, outcome) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (session, status, outcome) = try decoder.read() }
}
package struct SeveralRequests: WireMessage, Equatable {
  package static var number: UInt8 { 14 }
  package let requests: [[UInt8]]
  package init(_ requests: [[UInt8]]) { self.requests = requests }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(requests) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { requests = try decoder.read(); try check() }
}
