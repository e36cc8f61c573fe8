import Protocol

/// Something that the administrator may want to look up: a secret that was released, a key that was
/// used, a touch that missed. Never tells a secret, and names an item or a key only if a door asks.
struct AuditRecord: Equatable, Sendable {
  /// The raw value is the field `AUTHCORE_EVENT`.
  enum Event: String, Sendable {
    /// The secrets of items were given out.
    case release
    /// Items were given out for a backup or taken from one.
    case backup
    case restore
    case keyUse = "key-use"
    case keyCreate = "key-create"
    case keyRemove = "key-remove"
    /// The owner was asked to prove to be present.
    case authenticate
    case unlock
    case lock
    /// A finger was compared that is not the owner's.
    case miss
    case wrongPasscode = "wrong-passcode"
    /// No finger counts until the passcode is given.
    case lockout
    case fingerEnroll = "finger-enroll"
    case fingerTest = "finger-test"
    case fingerRename = "finger-rename"
    case fingerRemove = "finger-remove"
    case passcodeSet = "passcode-set"
    case passcodeChange = "passcode-change"
    case passcodeRemove = "passcode-remove"
    case itemAdd = "item-add"
    case itemChange = "item-change"
    case itemRemove = "item-remove"
    case itemShare = "item-share"
    case applicationForget = "application-forget"
    case keychainRepair = "keychain-repair"
    case rootKeyMove = "root-key-move"
    case stateSetAside = "state-set-aside"
    case statePutIn = "state-put-in"
    case policy
    /// The owner was asked for a door.
    case prompt
  }

  let event: Event
  /// `done`, `counted`, or the name of the failure.
  var outcome = "done"
  /// What proved it, if known: `biometry` or `passcode`.
  var evidence: String?
  let user: UInt32
  /// The application that asked; empty if none did, or it is unknown.
  var application = ""
  /// The process that asked; 0 if unknown.
  var process: Int32 = 0
  /// The door that asked; nil if it was none.
  var door: Door?
  /// The program that the door acts for; empty if it was not named.
  var caller = ""
  /// The name of the item or key that the door asked for, if it is known.
  var subject: String?

  var fields: [(String, String)] {
    var fields = [
      ("AUTHCORE_EVENT", event.rawValue), ("AUTHCORE_OUTCOME", outcome),
      ("AUTHCORE_USER", "\(user)"),
    ]
    if !application.isEmpty { fields.append(("AUTHCORE_APPLICATION", application)) }
    if process > 0 { fields.append(("AUTHCORE_PROCESS", "\(process)")) }
    if let evidence { fields.append(("AUTHCORE_EVIDENCE", evidence)) }
    if let door { fields += [("AUTHCORE_DOOR", door.name), ("AUTHCORE_CALLER", caller)] }
    if let subject { fields.append(("AUTHCORE_SUBJECT", subject)) }
    return fields
  }

  var message: String {
    let what = subject.map { " of “\($0)”" } ?? ""
    let asker = door == nil ? application : caller
    let by = asker.isEmpty ? "" : " for \(asker)"
    let through = door.map { " through \($0.name)" } ?? ""
    let proof = evidence.map { " (\($0))" } ?? ""
    return "user \(user): \(event.rawValue)\(what)\(by)\(through): \(outcome)\(proof)"
  }

  func write(in journal: Journal) { journal.write(message, priority, fields) }

  private var priority: Journal.Priority {
    switch event {
    case .lockout: .warning
    case .miss, .wrongPasscode: .notice
    default: outcome == "done" ? .info : .notice
    }
  }
}

extension AuditRecord.Event {
  /// The event of a message to an engine; nil if none is written down.
  init?(_ engine: AddressedEngine, _ message: UInt8) {
    guard let event = Self.ofEngines[engine]?[message] else { return nil }
    self = event
  }

  private static let ofEngines: [AddressedEngine: [UInt8: Self]] = {
    var events: [AddressedEngine: [UInt8: Self]] = [:]
    func add<Message: EngineMessage & ~Copyable>(_ type: Message.Type, _ event: Self) {
      events[Message.engine, default: [:]][Message.number] = event
    }
    add(GetItem.self, .release)
    add(BackUpItems.self, .backup)
    add(FinishRestore.self, .restore)
    add(UseKey.self, .keyUse)
    add(CreateKey.self, .keyCreate)
    add(RemoveKey.self, .keyRemove)
    add(LockDevice.self, .lock)
    add(RenameFinger.self, .fingerRename)
    add(RemoveFinger.self, .fingerRemove)
    add(AddItem.self, .itemAdd)
    add(AddItems.self, .itemAdd)
    add(AddCertificate.self, .itemAdd)
    add(UpdateItems.self, .itemChange)
    add(RemoveItems.self, .itemRemove)
    add(ShareItem.self, .itemShare)
    add(ForgetApplication.self, .applicationForget)
    add(RepairKeychain.self, .keychainRepair)
    return events
  }()
}
