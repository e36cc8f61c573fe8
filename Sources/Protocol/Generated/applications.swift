// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/applications.schema, which documents it.
package struct RequireAccess: EngineMessage, WireField, Equatable {
  package static var number: UInt8 { 141 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let accessControl: AccessControl, reuseSeconds: UInt32
  package init(accessControl: AccessControl, reuseSeconds: UInt32 = 0) { self.accessControl = accessControl; self.reuseSeconds = reuseSeconds }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(accessControl, reuseSeconds) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (accessControl, reuseSeconds) = try decoder.read(); guard 0...longestReuse ~= reuseSeconds else { throw .invalidValue(field: "reuseSeconds of RequireAccess") } }
}
package struct FindApplications: EngineMessage, Equatable {
  package static var number: UInt8 { 155 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundApplications.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct FoundApplications: WireMessage, Equatable {
  package static var number: UInt8 { 156 }
  package let applications: [ApplicationHoldings]
  package init(applications: [ApplicationHoldings]) { self.applications = applications }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(applications) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { applications = try decoder.read() }
}
package struct ApplicationHoldings: WireField, Equatable {
  package let application: String, items: UInt32, keys: UInt32, shared: UInt32
  package init(application: String, items: UInt32 = 0, keys: UInt32 = 0, shared: UInt32 = 0) { self.application = application; self.items = items; self.keys = keys; self.shared = shared }
  package func encode(into encoder: inout WireEncoder) { encoder.write(application, items, keys, shared) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { application = try decoder.readText(limit: longestApplication); (items, keys, shared) = try decoder.read() }
}
package struct FindItemsOfApplication: EngineMessage, Equatable {
  package static var number: UInt8 { 158 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundItems.number }
  package let application: String
  package init(application: String) { self.application = application }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(application) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { application = try decoder.readText(limit: longestApplication) }
}
package struct ForgetApplication: EngineMessage, Equatable {
  package static var number: UInt8 { 157 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsChanged.number }
  package let application: String
  package init(application: String) { self.application = application }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(application) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { application = try decoder.readText(limit: longestApplication) }
}
package struct FindGuarded: EngineMessage, Equatable {
  package static var number: UInt8 { 170 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundGuarded.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct FoundGuarded: WireMessage, Equatable {
  package static var number: UInt8 { 171 }
  package let entries: [GuardedEntry]
  package init(entries: [GuardedEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}
package struct GuardedEntry: WireField, Equatable {
  package let identifier: String, name: String, isKey: Bool, accessControl: AccessControl, isLost: Bool
  package init(identifier: String, name: String, isKey: Bool, accessControl: AccessControl, isLost: Bool) { self.identifier = identifier; self.name = name; self.isKey = isKey; self.accessControl = accessControl; self.isLost = isLost }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, isKey, accessControl, isLost) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (identifier, name, isKey, accessControl, isLost) = try decoder.read() }
}
package enum PortableKind: UInt8, CaseIterable, WireField {
  case secret = 1, certificate = 3, guarded = 4
}
package struct SealedRecord: WireField, Equatable {
  package let kind: PortableKind, bytes: [UInt8]
  package init(_ kind: PortableKind, _ bytes: [UInt8]) { self.kind = kind; self.bytes = bytes }
  package func encode(into encoder: inout WireEncoder) { encoder.write(kind, bytes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (kind, bytes) = try decoder.read() }
}
package enum BackupUse: UInt8, CaseIterable, WireField {
  case create = 1, restore = 2
}
package struct GiveBackupKey: EngineMessage, ~Copyable {
  package static var number: UInt8 { 120 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let use: BackupUse, includesGuarded: Bool, header: [UInt8], key: SecretBytes
  package init(use: BackupUse, includesGuarded: Bool = false, header: [UInt8], key: consuming SecretBytes) { self.use = use; self.includesGuarded = includesGuarded; self.header = header; self.key = key }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(use, includesGuarded, header); encoder.writeSecret(key) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (use, includesGuarded): (BackupUse, Bool) = try decoder.read(); let header = try decoder.readBytes(limit: backupKeySize); let key = try decoder.readSecret(limit: backupKeySize); let it = Self(use: use, includesGuarded: includesGuarded, header: header, key: key); try it.check(); self = it }
}
package struct BackUpItems: EngineMessage, Equatable {
  package static var number: UInt8 { 121 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsBackedUp.number }
  package let after: UInt64, proofs: EvidenceSet
  package init(after: UInt64, proofs: EvidenceSet = []) { self.after = after; self.proofs = proofs }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(after, proofs) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (after, proofs) = try decoder.read() }
}
package struct ItemsBackedUp: WireMessage, Equatable {
  package static var number: UInt8 { 122 }
  package let records: [SealedRecord], leftOut: UInt64, unreadable: UInt64, next: UInt64?, remaining: UInt64
  package init(records: [SealedRecord], leftOut: UInt64, unreadable: UInt64, next: UInt64?, remaining: UInt64) { self.records = records; self.leftOut = leftOut; self.unreadable = unreadable; self.next = next; self.remaining = remaining }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(records, leftOut, unreadable, next, remaining) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (records, leftOut, unreadable, next, remaining) = try decoder.read() }
}
package struct EndBackup: EngineMessage, Equatable {
  package static var number: UInt8 { 123 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { BackupEnded.number }
  package let leftOut: UInt64, unreadable: UInt64
  package init(leftOut: UInt64, unreadable: UInt64) { self.leftOut = leftOut; self.unreadable = unreadable }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(leftOut, unreadable) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (leftOut, unreadable) = try decoder.read() }
}
package struct BackupEnded: WireMessage, Equatable {
  package static var number: UInt8 { 124 }
  package let record: [UInt8]
  package init(record: [UInt8]) { self.record = record }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(record) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { record = try decoder.read() }
}
package enum RestoreMode: UInt8, CaseIterable, WireField {
  case apply = 1, dryRun = 2
}
package struct RestoreItems: EngineMessage, Equatable {
  package static var number: UInt8 { 125 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsRestored.number }; package static var longest: Int { ApplicationRequest.longestWithCertificate }
  package let mode: RestoreMode, first: UInt64, records: [SealedRecord]
  package init(mode: RestoreMode, first: UInt64, records: [SealedRecord]) { self.mode = mode; self.first = first; self.records = records }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(mode, first, records) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (mode, first) = try decoder.read(); records = try decoder.readArray(limit: mostRestoredAtOnce, elementSize: 1) { (decoder) throws(DecodeError) in try SealedRecord(from: &decoder) } }
}
package struct FinishRestore: EngineMessage, Equatable {
  package static var number: UInt8 { 126 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsRestored.number }
  package let record: [UInt8]
  package init(record: [UInt8]) { self.record = record }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(record) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { record = try decoder.read() }
}
package struct ItemsRestored: WireMessage, Equatable {
  package static var number: UInt8 { 127 }
  package var counts: RestoreCounts
  package init(counts: RestoreCounts) { self.counts = counts }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(counts) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { counts = try decoder.read() }
}
package struct RestoreCounts: WireField, Equatable {
  package var added: UInt64, replaced: UInt64, kept: UInt64
  package init(added: UInt64 = 0, replaced: UInt64 = 0, kept: UInt64 = 0) { self.added = added; self.replaced = replaced; self.kept = kept }
  package func encode(into encoder: inout WireEncoder) { encoder.write(added, replaced, kept) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (added, replaced, kept) = try decoder.read() }
}
package struct AddItems: EngineMessage, ~Copyable {
  package static var number: UInt8 { 145 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsAdded.number }
  package struct NewItem: WireField, Equatable {
    package let attributes: ItemAttributes, secretCount: UInt32
    package init(attributes: ItemAttributes, secretCount: UInt32) { self.attributes = attributes; self.secretCount = secretCount }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, secretCount) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (attributes, secretCount) = try decoder.read(); guard 0...UInt32(largestItemSecret) ~= secretCount else { throw .invalidValue(field: "secretCount of AddItems.NewItem") } }
  }
  package let items: [NewItem], secrets: SecretBytes
  package init(items: [NewItem], secrets: consuming SecretBytes) { self.items = items; self.secrets = secrets }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items); encoder.writeSecret(secrets) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let items = try decoder.readArray(limit: AddItems.mostItems, elementSize: 1) { (decoder) throws(DecodeError) in try NewItem(from: &decoder) }; let secrets = try decoder.readSecret(limit: decoder.remainingCount); let it = Self(items: items, secrets: secrets); try it.check(); self = it }
}
package struct ItemsAdded: WireMessage, Equatable {
  package static var number: UInt8 { 146 }
  package enum Result: Equatable, WireField {
    case added(String), duplicate, failed(Failure)
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .added(let v0): encoder.write(UInt8(1), v0)
      case .duplicate: encoder.write(UInt8(2))
      case .failed(let v0): encoder.write(UInt8(3), v0)
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .added(try String(from: &decoder))
      case 2: self = .duplicate
      case 3: self = .failed(try Failure(from: &decoder))
      default: throw .invalidValue(field: "ItemsAdded.Result")
      }
    }
  }
  package let results: [Result]
  package init(results: [Result]) { self.results = results }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(results) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { results = try decoder.readArray(limit: AddItems.mostItems, elementSize: 1) { (decoder) throws(DecodeError) in try Result(from: &decoder) } }
}
package struct AddCertificate: EngineMessage, Equatable {
  package static var number: UInt8 { 150 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemAdded.number }; package static var longest: Int { ApplicationRequest.longestWithCertificate }
  package let attributes: ItemAttributes, certificate: [UInt8]
  package init(attributes: ItemAttributes, certificate: [UInt8]) { self.attributes = attributes; self.certificate = certificate }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes, certificate) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { attributes = try decoder.read(); certificate = try decoder.readBytes(limit: largestCertificate) }
}
package struct GetCertificate: EngineMessage, Equatable {
  package static var number: UInt8 { 151 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { GotCertificate.number }
  package let query: ItemQuery
  package init(query: ItemQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}
package struct GotCertificate: WireMessage, Equatable {
  package static var number: UInt8 { 152 }
  package let attributes: ItemAttributes, certificate: [UInt8]
  package init(attributes: ItemAttributes, certificate: [UInt8]) { self.attributes = attributes; self.certificate = certificate }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes, certificate) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { attributes = try decoder.read(); certificate = try decoder.readBytes(limit: largestCertificate) }
}
package struct FindIdentities: EngineMessage, Equatable {
  package static var number: UInt8 { 153 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundIdentities.number }
  package let certificate: ItemQuery, key: KeyQuery
  package init(certificate: ItemQuery, key: KeyQuery) { self.certificate = certificate; self.key = key }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(certificate, key) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (certificate, key) = try decoder.read() }
}
package struct FoundIdentities: WireMessage, Equatable {
  package static var number: UInt8 { 154 }
  package let identities: [KeychainIdentity]
  package init(identities: [KeychainIdentity]) { self.identities = identities }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(identities) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { identities = try decoder.read() }
}
package struct Requester: WireField, Hashable {
  package let application: String, connection: UInt64
  package init(application: String, connection: UInt64) { self.application = application; self.connection = connection }
  package func encode(into encoder: inout WireEncoder) { encoder.write(application, connection) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { application = try decoder.readText(limit: longestApplication); connection = try decoder.read() }
}
package struct ContextName: WireField, Hashable {
  package let requester: Requester, number: UInt64
  package init(requester: Requester, number: UInt64) { self.requester = requester; self.number = number }
  package func encode(into encoder: inout WireEncoder) { encoder.write(requester, number) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (requester, number) = try decoder.read() }
}
package enum AppPasswordUse: UInt8, CaseIterable, WireField {
  case opening = 1, sealing = 2
}
package struct GiveAppPassword: EngineMessage, ~Copyable {
  package static var number: UInt8 { 49 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let use: AppPasswordUse, password: SecretBytes
  package init(use: AppPasswordUse, password: consuming SecretBytes) { self.use = use; self.password = password }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(use); encoder.writeSecret(password) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let use = try AppPasswordUse(from: &decoder); let password = try decoder.readSecret(limit: longestAppPassword); self.init(use: use, password: password) }
}
package struct SetPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 16 }
  package let passcode: SecretBytes, eraseAfter: UInt32
  package init(passcode: consuming SecretBytes, eraseAfter: UInt32 = 0) { self.passcode = passcode; self.eraseAfter = eraseAfter }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(passcode); encoder.write(eraseAfter) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let passcode = try decoder.readSecret(limit: longestPasscode); let eraseAfter = try UInt32(from: &decoder); self.init(passcode: passcode, eraseAfter: eraseAfter) }
}
package struct LockDevice: EngineMessage, WireField, Equatable {
  package static var number: UInt8 { 50 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct ChangeSettings: EngineMessage, Equatable {
  package static var number: UInt8 { 142 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let lockRule: LockRule?, eraseAfter: UInt32?
  package init(lockRule: LockRule? = nil, eraseAfter: UInt32? = nil) { self.lockRule = lockRule; self.eraseAfter = eraseAfter }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(lockRule, eraseAfter) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (lockRule, eraseAfter) = try decoder.read() }
}
package enum AddressedEngine: UInt8, CaseIterable, WireField {
  case keychain = 1, enclave = 2
}
package struct EvidenceNeeded: WireMessage, Equatable {
  package static var number: UInt8 { 84 }
  package let accessControl: AccessControl, held: EvidenceSet, item: String?, identity: [UInt8]
  package init(accessControl: AccessControl, held: EvidenceSet, item: String? = nil, identity: [UInt8] = []) { self.accessControl = accessControl; self.held = held; self.item = item; self.identity = identity }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(accessControl, held, item, identity) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (accessControl, held, item, identity) = try decoder.read() }
}
package struct ListFingers: EngineMessage, WireField, Equatable {
  package static var number: UInt8 { 22 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { FingerList.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct FingerList: WireMessage, Equatable {
  package static var number: UInt8 { 23 }
  package let fingers: [Finger]
  package init(fingers: [Finger]) { self.fingers = fingers }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(fingers) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { fingers = try decoder.read() }
}
package struct RenameFinger: EngineMessage, Equatable {
  package static var number: UInt8 { 24 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let finger: String, name: String
  package init(finger: String, name: String) { self.finger = finger; self.name = name }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(finger, name) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (finger, name) = try decoder.read() }
}
package struct RemoveFinger: EngineMessage, Equatable {
  package static var number: UInt8 { 25 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package let finger: String
  package init(finger: String) { self.finger = finger }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(finger) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { finger = try decoder.read() }
}
package struct EnrolledFinger: WireMessage, Equatable {
  package static var number: UInt8 { 21 }
  package let finger: Finger, touches: UInt32, coverage: Double
  package init(finger: Finger, touches: UInt32, coverage: Double) { self.finger = finger; self.touches = touches; self.coverage = coverage }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(finger, touches, coverage) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (finger, touches, coverage) = try decoder.read() }
}
package struct AddItem: EngineMessage, ~Copyable {
  package static var number: UInt8 { 40 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemAdded.number }
  package let attributes: ItemAttributes, secret: SecretBytes
  package init(attributes: ItemAttributes, secret: consuming SecretBytes) { self.attributes = attributes; self.secret = secret }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes); encoder.writeSecret(secret) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let attributes = try ItemAttributes(from: &decoder); let secret = try decoder.readSecret(limit: largestItemSecret); self.init(attributes: attributes, secret: secret) }
}
package struct ItemAdded: WireMessage, Equatable {
  package static var number: UInt8 { 41 }
  package let attributes: ItemAttributes
  package init(attributes: ItemAttributes) { self.attributes = attributes }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { attributes = try decoder.read() }
}
package struct FindItems: EngineMessage, WireField, Equatable {
  package static var number: UInt8 { 42 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundItems.number }
  package let query: ItemQuery, onlyOpenable: Bool, limit: UInt32, after: UInt64
  package init(query: ItemQuery, onlyOpenable: Bool = false, limit: UInt32 = 0, after: UInt64 = 0) { self.query = query; self.onlyOpenable = onlyOpenable; self.limit = limit; self.after = after }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query, onlyOpenable, limit, after) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (query, onlyOpenable, limit, after) = try decoder.read() }
}
package struct FoundItems: WireMessage, Equatable {
  package static var number: UInt8 { 43 }
  package let items: [ItemAttributes], next: UInt64
  package init(items: [ItemAttributes], next: UInt64 = 0) { self.items = items; self.next = next }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items, next) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (items, next) = try decoder.read() }
}
package struct GetItem: EngineMessage, Equatable {
  package static var number: UInt8 { 44 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { GotItem.number }
  package let query: ItemQuery
  package init(query: ItemQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}
package struct GotItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 45 }
  package let attributes: ItemAttributes, secret: SecretBytes, revision: UInt64
  package init(attributes: ItemAttributes, secret: consuming SecretBytes, revision: UInt64 = 0) { self.attributes = attributes; self.secret = secret; self.revision = revision }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes); encoder.writeSecret(secret); encoder.write(revision) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let attributes = try ItemAttributes(from: &decoder); let secret = try decoder.readSecret(limit: largestItemSecret); let revision = try UInt64(from: &decoder); self.init(attributes: attributes, secret: secret, revision: revision) }
}
package struct UpdateItems: EngineMessage, ~Copyable {
  package static var number: UInt8 { 46 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: ItemQuery, changes: ItemChanges, allowsSeveral: Bool, replacesSecret: Bool, secret: SecretBytes, revision: UInt64?
  package init(query: ItemQuery, changes: ItemChanges, allowsSeveral: Bool, replacesSecret: Bool, secret: consuming SecretBytes, revision: UInt64? = nil) { self.query = query; self.changes = changes; self.allowsSeveral = allowsSeveral; self.replacesSecret = replacesSecret; self.secret = secret; self.revision = revision }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query, changes, allowsSeveral, replacesSecret); encoder.writeSecret(secret); encoder.write(revision) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (query, changes, allowsSeveral, replacesSecret): (ItemQuery, ItemChanges, Bool, Bool) = try decoder.read(); let secret = try decoder.readSecret(limit: largestItemSecret); let revision = try UInt64?(from: &decoder); self.init(query: query, changes: changes, allowsSeveral: allowsSeveral, replacesSecret: replacesSecret, secret: secret, revision: revision) }
}
package struct RemoveItems: EngineMessage, Equatable {
  package static var number: UInt8 { 47 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: ItemQuery, allowsSeveral: Bool, revision: UInt64?
  package init(query: ItemQuery, allowsSeveral: Bool, revision: UInt64? = nil) { self.query = query; self.allowsSeveral = allowsSeveral; self.revision = revision }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query, allowsSeveral, revision) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (query, allowsSeveral, revision) = try decoder.read() }
}
package struct ShareItem: EngineMessage, Equatable {
  package static var number: UInt8 { 100 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemAdded.number }
  package let query: ItemQuery, application: String, isShared: Bool
  package init(query: ItemQuery, application: String, isShared: Bool) { self.query = query; self.application = application; self.isShared = isShared }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query, application, isShared) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read(); application = try decoder.readText(limit: longestApplication); isShared = try decoder.read() }
}
package struct ItemsChanged: WireMessage, Equatable {
  package static var number: UInt8 { 48 }
  package let count: UInt32
  package init(count: UInt32) { self.count = count }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(count) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { count = try decoder.read() }
}
package struct CreateKey: EngineMessage, Equatable {
  package static var number: UInt8 { 51 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { KeyCreated.number }
  package let name: String
  package var applicationTag: [UInt8], label: String, group: String
  package let accessibility: Accessibility, accessControl: AccessControl?
  package init(name: String, applicationTag: [UInt8] = [], label: String = "", group: String = "", accessibility: Accessibility, accessControl: AccessControl?) { self.name = name; self.applicationTag = applicationTag; self.label = label; self.group = group; self.accessibility = accessibility; self.accessControl = accessControl }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(name, applicationTag, label, group, accessibility, accessControl) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { name = try decoder.readText(limit: AttributeValue.longestText); applicationTag = try decoder.readBytes(limit: AttributeValue.longestData); label = try decoder.readText(limit: AttributeValue.longestText); group = try decoder.readText(limit: ItemAttributes.longestGroup); (accessibility, accessControl) = try decoder.read() }
}
package struct KeyCreated: WireMessage, Equatable {
  package static var number: UInt8 { 52 }
  package let key: EnclaveKey
  package init(key: EnclaveKey) { self.key = key }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(key) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { key = try decoder.read() }
}
package struct FindKeys: EngineMessage, Equatable {
  package static var number: UInt8 { 53 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { FoundKeys.number }
  package let query: KeyQuery
  package init(query: KeyQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}
package struct FoundKeys: WireMessage, Equatable {
  package static var number: UInt8 { 54 }
  package let keys: [EnclaveKey]
  package init(keys: [EnclaveKey]) { self.keys = keys }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(keys) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { keys = try decoder.read() }
}
package struct UseKey: EngineMessage, Equatable {
  package static var number: UInt8 { 55 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { KeyUsed.number }
  package let query: KeyQuery, operation: KeyOperation, input: [UInt8]
  package init(query: KeyQuery, operation: KeyOperation, input: [UInt8]) { self.query = query; self.operation = operation; self.input = input }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query, operation, input) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (query, operation, input) = try decoder.read() }
}
package struct KeyUsed: WireMessage, ~Copyable {
  package static var number: UInt8 { 56 }
  package let output: SecretBytes
  package init(output: consuming SecretBytes) { self.output = output }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(output) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let output = try decoder.readSecret(limit: largestItemSecret); self.init(output: output) }
}
package struct RemoveKey: EngineMessage, Equatable {
  package static var number: UInt8 { 57 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: KeyQuery
  package init(query: KeyQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}
package struct CheckKeychain: EngineMessage, Equatable {
  package static var number: UInt8 { 110 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { KeychainChecked.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct KeychainChecked: WireMessage, Equatable {
  package static var number: UInt8 { 111 }
  package let findings: KeychainFindings
  package init(findings: KeychainFindings) { self.findings = findings }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(findings) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { findings = try decoder.read() }
}
package struct RepairKeychain: EngineMessage, Equatable {
  package static var number: UInt8 { 112 }; package static var engine: AddressedEngine { .keychain }; package static var replyNumber: UInt8 { KeychainRepaired.number }
  package let beginsAnew: Bool
  package init(beginsAnew: Bool = false) { self.beginsAnew = beginsAnew }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(beginsAnew) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { beginsAnew = try decoder.read() }
}
package struct KeychainRepaired: WireMessage, Equatable {
  package static var number: UInt8 { 113 }
  package let findings: KeychainFindings, setAside: String?
  package init(findings: KeychainFindings, setAside: String?) { self.findings = findings; self.setAside = setAside }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(findings, setAside) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (findings, setAside) = try decoder.read() }
}
package struct KeychainFindings: WireField, Equatable {
  package var problems: [String], items: UInt32, keys: UInt32, unopened: UInt32, damaged: [DamagedEntry], damagedCount: UInt32, lost: UInt32, mayHaveLostMore: Bool, isGone: Bool
  package init(problems: [String] = [], items: UInt32 = 0, keys: UInt32 = 0, unopened: UInt32 = 0, damaged: [DamagedEntry] = [], damagedCount: UInt32 = 0, lost: UInt32 = 0, mayHaveLostMore: Bool = false, isGone: Bool = false) { self.problems = problems; self.items = items; self.keys = keys; self.unopened = unopened; self.damaged = damaged; self.damagedCount = damagedCount; self.lost = lost; self.mayHaveLostMore = mayHaveLostMore; self.isGone = isGone }
  package func encode(into encoder: inout WireEncoder) { encoder.write(problems, items, keys, unopened, damaged, damagedCount, lost, mayHaveLostMore, isGone) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (problems, items, keys, unopened, damaged, damagedCount, lost, mayHaveLostMore, isGone) = try decoder.read() }
}
package struct DamagedEntry: WireField, Equatable {
  package let identifier: String, name: String, isKey: Bool
  package init(identifier: String, name: String, isKey: Bool) { self.identifier = identifier; self.name = name; self.isKey = isKey }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, isKey) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (identifier, name, isKey) = try decoder.read() }
}
package struct RequirePasscode: EngineMessage, WireField, Equatable {
  package static var number: UInt8 { 140 }; package static var engine: AddressedEngine { .enclave }; package static var replyNumber: UInt8 { Done.number }
  package init() {  }
  package borrowing func encode(into encoder: inout WireEncoder) {  }; package init(from decoder: inout WireDecoder) throws(DecodeError) {  }
}
package struct Done: EmptyMessage, Equatable {
  package static var number: UInt8 { 1 }
  package init() {  }
}
extension EngineMessages {
  /// Has each message that applications may send to engines visited.
  static func forEach(_ visit: (any (EngineMessage & ~Copyable).Type) -> Void) {
    visit(RequireAccess.self)
    visit(FindApplications.self)
    visit(FindItemsOfApplication.self)
    visit(ForgetApplication.self)
    visit(FindGuarded.self)
    visit(GiveBackupKey.self)
    visit(BackUpItems.self)
    visit(EndBackup.self)
    visit(RestoreItems.self)
    visit(FinishRestore.self)
    visit(AddItems.self)
    visit(AddCertificate.self)
    visit(GetCertificate.self)
    visit(FindIdentities.self)
    visit(GiveAppPassword.self)
    visit(LockDevice.self)
    visit(ChangeSettings.self)
    visit(ListFingers.self)
    visit(RenameFinger.self)
    visit(RemoveFinger.self)
    visit(AddItem.self)
    visit(FindItems.self)
    visit(GetItem.self)
    visit(UpdateItems.self)
    visit(RemoveItems.self)
    visit(ShareItem.self)
    visit(CreateKey.self)
    visit(FindKeys.self)
    visit(UseKey.self)
    visit(RemoveKey.self)
    visit(CheckKeychain.self)
    visit(RepairKeychain.self)
    visit(RequirePasscode.self)
  }
}
