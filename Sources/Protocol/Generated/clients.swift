// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/clients.schema, which documents it.
extension ClientEnvelope {
  package static let version: UInt32 = 7
}
package struct BecomeAgent: EmptyMessage, Equatable {
  package static var number: UInt8 { 62 }
  package init() {  }
}
package struct AgentPromptEnded: WireMessage, Equatable {
  package static var number: UInt8 { 65 }
  package enum Outcome: UInt8, CaseIterable, WireField {
    case proved = 1, refused = 2, withdrawn = 3
  }
  package let prompt: UInt32, outcome: Outcome
  package init(prompt: UInt32, outcome: Outcome) { self.prompt = prompt; self.outcome = outcome }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(prompt, outcome) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (prompt, outcome) = try decoder.read() }
}
package struct NewContext: EmptyMessage, Equatable {
  package static var number: UInt8 { 34 }
  package init() {  }
}
package struct ContextOpened: WireMessage, Equatable {
  package static var number: UInt8 { 35 }
  package let context: UInt64
  package init(context: UInt64) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}
package struct InvalidateContext: WireMessage, Equatable {
  package static var number: UInt8 { 36 }
  package let context: UInt64
  package init(context: UInt64) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}
package struct DriverOption: WireField, Equatable {
  package let name: String, value: String, hasDescriptor: Bool
  package init(name: String, value: String, hasDescriptor: Bool) { self.name = name; self.value = value; self.hasDescriptor = hasDescriptor }
  package func encode(into encoder: inout WireEncoder) { encoder.write(name, value, hasDescriptor) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (name, value, hasDescriptor) = try decoder.read() }
}
package struct UseDriver: WireMessage, Equatable {
  package static var number: UInt8 { 5 }
  package let driver: String, options: [DriverOption]
  package init(driver: String, options: [DriverOption]) { self.driver = driver; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(driver, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (driver, options) = try decoder.read() }
}
package enum Door: UInt8, CaseIterable, WireField {
  case sshAgent = 1, age = 2, docker = 3
}
package struct ProgramFile: WireField, Equatable {
  package let device: UInt64, inode: UInt64
  package init(device: UInt64, inode: UInt64) { self.device = device; self.inode = inode }
  package func encode(into encoder: inout WireEncoder) { encoder.write(device, inode) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (device, inode) = try decoder.read() }
}
package struct ActFor: WireMessage, Equatable {
  package static var number: UInt8 { 77 }
  package let program: ProgramFile?
  package init(program: ProgramFile?) { self.program = program }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(program) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { program = try decoder.read() }
}
package struct ActingFor: WireMessage, Equatable {
  package static var number: UInt8 { 78 }
  package let program: ProgramFile
  package init(program: ProgramFile) { self.program = program }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(program) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { program = try decoder.read() }
}
package enum OwnerInteraction: UInt8, CaseIterable, WireField {
  case allowed = 1, forbidden = 2
}
package struct EngineRequest: WireMessage, ~Copyable {
  package static var number: UInt8 { 15 }
  package let engine: AddressedEngine, context: UInt64, options: PromptOptions, interaction: OwnerInteraction, unlocks: Bool, message: SecretBytes
  package init(engine: AddressedEngine, context: UInt64 = noContext, options: PromptOptions, interaction: OwnerInteraction = .allowed, unlocks: Bool = false, message: consuming SecretBytes) { self.engine = engine; self.context = context; self.options = options; self.interaction = interaction; self.unlocks = unlocks; self.message = message }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(engine, context, options, interaction, unlocks); encoder.writeSecret(message) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (engine, context, options, interaction, unlocks): (AddressedEngine, UInt64, PromptOptions, OwnerInteraction, Bool) = try decoder.read(); let message = try decoder.readSecret(limit: EngineMessages.longest); let it = Self(engine: engine, context: context, options: options, interaction: interaction, unlocks: unlocks, message: message); try it.check(); self = it }
}
package enum EvaluatedPolicy: UInt8, WireField {
  case biometrics = 1, owner = 2
}
package enum ProvedBy: UInt8, WireField {
  case biometry = 1, passcode = 2, nothing = 3
}
package struct Evaluate: WireMessage, Equatable {
  package static var number: UInt8 { 12 }
  package let policy: EvaluatedPolicy, reuseSeconds: UInt32, context: UInt64, options: PromptOptions
  package init(policy: EvaluatedPolicy, reuseSeconds: UInt32 = 0, context: UInt64 = noContext, options: PromptOptions) { self.policy = policy; self.reuseSeconds = reuseSeconds; self.context = context; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(policy, reuseSeconds, context, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (policy, reuseSeconds, context, options) = try decoder.read() }
}
package struct CanEvaluate: WireMessage, Equatable {
  package static var number: UInt8 { 13 }
  package let policy: EvaluatedPolicy
  package init(policy: EvaluatedPolicy) { self.policy = policy }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(policy) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { policy = try decoder.read() }
}
package struct Evaluated: WireMessage, Equatable {
  package static var number: UInt8 { 14 }
  package let evidence: ProvedBy, finger: String?, seconds: Double, age: UInt32
  package init(evidence: ProvedBy, finger: String?, seconds: Double, age: UInt32 = 0) { self.evidence = evidence; self.finger = finger; self.seconds = seconds; self.age = age }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(evidence, finger, seconds, age) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (evidence, finger, seconds, age) = try decoder.read() }
}
package struct EnrollFinger: WireMessage, Equatable {
  package static var number: UInt8 { 20 }
  package let name: String, touches: UInt32, isRelaxed: Bool, consent: ChipConsent, options: PromptOptions
  package init(name: String, touches: UInt32, isRelaxed: Bool = false, consent: ChipConsent = ChipConsent(), options: PromptOptions) { self.name = name; self.touches = touches; self.isRelaxed = isRelaxed; self.consent = consent; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(name, touches, isRelaxed, consent, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (name, touches, isRelaxed, consent, options) = try decoder.read() }
}
package struct WorkOnReader: WireMessage, Equatable {
  package static var number: UInt8 { 63 }
  package let work: ChipWork, options: PromptOptions
  package init(work: ChipWork, options: PromptOptions) { self.work = work; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(work, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (work, options) = try decoder.read() }
}
package struct ReaderReport: WireMessage, Equatable {
  package static var number: UInt8 { 68 }
  package let contents: ReaderContents
  package init(contents: ReaderContents) { self.contents = contents }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(contents) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { contents = try decoder.read() }
}
package struct TestFinger: WireMessage, Equatable {
  package static var number: UInt8 { 26 }
  package let options: PromptOptions
  package init(options: PromptOptions) { self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}
package struct FingerTested: WireMessage, Equatable {
  package static var number: UInt8 { 27 }
  package let isMatch: Bool, finger: String?, score: Double?, threshold: Double
  package init(isMatch: Bool, finger: String?, score: Double?, threshold: Double) { self.isMatch = isMatch; self.finger = finger; self.score = score; self.threshold = threshold }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(isMatch, finger, score, threshold) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (isMatch, finger, score, threshold) = try decoder.read() }
}
package struct Hello: WireMessage, Equatable {
  package static var number: UInt8 { 2 }
  package let protocolVersion: UInt32, softwareVersion: String
  package init(protocolVersion: UInt32, softwareVersion: String) { self.protocolVersion = protocolVersion; self.softwareVersion = softwareVersion }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protocolVersion, softwareVersion) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protocolVersion, softwareVersion) = try decoder.read() }
}
package struct Welcome: WireMessage, Equatable {
  package static var number: UInt8 { 3 }
  package let protocolVersion: UInt32, softwareVersion: String, isService: Bool, process: UInt32
  package init(protocolVersion: UInt32, softwareVersion: String, isService: Bool, process: UInt32) { self.protocolVersion = protocolVersion; self.softwareVersion = softwareVersion; self.isService = isService; self.process = process }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protocolVersion, softwareVersion, isService, process) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (protocolVersion, softwareVersion, isService, process) = try decoder.read() }
}
package struct Quit: WireMessage, Equatable {
  package static var number: UInt8 { 4 }
  package let unlessUnlocked: Bool
  package init(unlessUnlocked: Bool) { self.unlessUnlocked = unlessUnlocked }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(unlessUnlocked) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { unlessUnlocked = try decoder.read() }
}
package struct ChangePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }
  package let replacement: SecretBytes, eraseAfter: UInt32?, options: PromptOptions
  package init(replacement: consuming SecretBytes, eraseAfter: UInt32? = nil, options: PromptOptions) { self.replacement = replacement; self.eraseAfter = eraseAfter; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(replacement); encoder.write(eraseAfter, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let replacement = try decoder.readSecret(limit: longestPasscode); let (eraseAfter, options): (UInt32?, PromptOptions) = try decoder.read(); self.init(replacement: replacement, eraseAfter: eraseAfter, options: options) }
}
package struct RemovePasscode: WireMessage, Equatable {
  package static var number: UInt8 { 18 }
  package let options: PromptOptions
  package init(options: PromptOptions) { self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}
package struct UnlockDevice: WireMessage, Equatable {
  package static var number: UInt8 { 33 }
  package let options: PromptOptions
  package init(options: PromptOptions) { self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}
package struct PromptAnswer: WireMessage, ~Copyable {
  package static var number: UInt8 { 9 }
  package enum Kind: UInt8, WireField {
    case shown = 1, cancel = 2, fallback = 3, passcode = 4, noPasscode = 5, harmlessPasscode = 6
  }
  package let prompt: UInt32, kind: Kind, passcode: SecretBytes, asTyped: SecretBytes
  package init(prompt: UInt32, kind: Kind, passcode: consuming SecretBytes = SecretBytes(count: 0), asTyped: consuming SecretBytes = SecretBytes(count: 0)) { self.prompt = prompt; self.kind = kind; self.passcode = passcode; self.asTyped = asTyped }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(prompt, kind); encoder.writeSecret(passcode); encoder.writeSecret(asTyped) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (prompt, kind): (UInt32, Kind) = try decoder.read(); let passcode = try decoder.readSecret(limit: longestPasscode); let asTyped = try decoder.readSecret(limit: longestPasscode); self.init(prompt: prompt, kind: kind, passcode: passcode, asTyped: asTyped) }
}
package enum AwaitedTouch: UInt8, CaseIterable, WireField {
  case none = 1, played = 2, person = 3, unattended = 4
}
package struct PromptOptions: WireField, Equatable {
  package let reason: String, fallbackTitle: String?, cancelTitle: String?, timeoutMilliseconds: UInt32, mayPrompt: Bool, touch: AwaitedTouch, canGivePasscode: Bool, prefersPasscode: Bool, mayUseAgent: Bool, applicationName: String?
  package init(reason: String, fallbackTitle: String?, cancelTitle: String?, timeoutMilliseconds: UInt32, mayPrompt: Bool, touch: AwaitedTouch, canGivePasscode: Bool, prefersPasscode: Bool, mayUseAgent: Bool, applicationName: String? = nil) { self.reason = reason; self.fallbackTitle = fallbackTitle; self.cancelTitle = cancelTitle; self.timeoutMilliseconds = timeoutMilliseconds; self.mayPrompt = mayPrompt; self.touch = touch; self.canGivePasscode = canGivePasscode; self.prefersPasscode = prefersPasscode; self.mayUseAgent = mayUseAgent; self.applicationName = applicationName }
  package func encode(into encoder: inout WireEncoder) { encoder.write(reason, fallbackTitle, cancelTitle, timeoutMilliseconds, mayPrompt, touch, canGivePasscode, prefersPasscode, mayUseAgent, applicationName) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (reason, fallbackTitle, cancelTitle, timeoutMilliseconds, mayPrompt, touch, canGivePasscode, prefersPasscode, mayUseAgent, applicationName) = try decoder.read() }
}
package enum PromptedSecret: UInt8, CaseIterable, WireField {
  case passcode = 1, appPassword = 2
}
package enum PromptMatter: UInt8, CaseIterable, WireField {
  case presence = 1, unlocking = 2, secret = 3, change = 4, key = 5, backup = 6, access = 7
  case application = 8, passcode = 9, fingers = 10, trial = 11, rootKey = 12, settings = 13
}
package struct Prompt: WireMessage, Equatable {
  package static var number: UInt8 { 8 }
  package let prompt: UInt32, awaitsTouch: Bool, fallback: PromptFallback, fallbackTitle: String?, cancelTitle: String?, reason: String, refusedPasscodes: UInt32, secret: PromptedSecret, matter: PromptMatter, item: String?, unlocks: Bool, application: String, nameProtects: Bool, claimedName: String?, door: Door?
  package init(prompt: UInt32, awaitsTouch: Bool, fallback: PromptFallback, fallbackTitle: String?, cancelTitle: String?, reason: String, refusedPasscodes: UInt32, secret: PromptedSecret = .passcode, matter: PromptMatter = .presence, item: String? = nil, unlocks: Bool = false, application: String = "", nameProtects: Bool = false, claimedName: String? = nil, door: Door? = nil) { self.prompt = prompt; self.awaitsTouch = awaitsTouch; self.fallback = fallback; self.fallbackTitle = fallbackTitle; self.cancelTitle = cancelTitle; self.reason = reason; self.refusedPasscodes = refusedPasscodes; self.secret = secret; self.matter = matter; self.item = item; self.unlocks = unlocks; self.application = application; self.nameProtects = nameProtects; self.claimedName = claimedName; self.door = door }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason, refusedPasscodes, secret, matter, item, unlocks, application, nameProtects, claimedName, door) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason, refusedPasscodes, secret, matter, item, unlocks, application, nameProtects, claimedName, door) = try decoder.read() }
}
package struct Progress: WireMessage, Equatable {
  package static var number: UInt8 { 11 }
  package enum Event: Equatable, WireField {
    case awaitingTouch, retry(reason: Int32), missed(left: UInt32), matched(finger: String), taken(TakenTouch), refused(EnrollmentAdvice), sensorLost(message: String)
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .awaitingTouch: encoder.write(UInt8(1))
      case .retry(let v0): encoder.write(UInt8(2), v0)
      case .missed(let v0): encoder.write(UInt8(3), v0)
      case .matched(let v0): encoder.write(UInt8(4), v0)
      case .taken(let v0): encoder.write(UInt8(5), v0)
      case .refused(let v0): encoder.write(UInt8(6), v0)
      case .sensorLost(let v0): encoder.write(UInt8(7), v0)
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .awaitingTouch
      case 2: self = .retry(reason: try Int32(from: &decoder))
      case 3: self = .missed(left: try UInt32(from: &decoder))
      case 4: self = .matched(finger: try String(from: &decoder))
      case 5: self = .taken(try TakenTouch(from: &decoder))
      case 6: self = .refused(try EnrollmentAdvice(from: &decoder))
      case 7: self = .sensorLost(message: try String(from: &decoder))
      default: throw .invalidValue(field: "Progress.Event")
      }
    }
  }
  package let event: Event
  package init(_ event: Event) { self.event = event }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(event) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { event = try decoder.read() }
}
package struct Cancel: EmptyMessage, Equatable {
  package static var number: UInt8 { 10 }
  package init() {  }
}
package struct MigrateRootKey: WireMessage, Equatable {
  package static var number: UInt8 { 37 }
  package let place: RootKeyPlace?, options: PromptOptions
  package init(to place: RootKeyPlace?, options: PromptOptions) { self.place = place; self.options = options }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, options) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (place, options) = try decoder.read() }
}
package struct RootKeyMigrated: WireMessage, Equatable {
  package static var number: UInt8 { 38 }
  package let place: RootKeyPlace, didMove: Bool
  package init(place: RootKeyPlace, didMove: Bool) { self.place = place; self.didMove = didMove }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, didMove) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (place, didMove) = try decoder.read() }
}
package struct AbandonLostDevice: EmptyMessage, Equatable {
  package static var number: UInt8 { 39 }
  package init() {  }
}
package struct ServeUser: WireMessage, Equatable {
  package static var number: UInt8 { 61 }
  package let user: UInt32
  package init(user: UInt32) { self.user = user }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(user) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { user = try decoder.read() }
}
package struct GiveStateBytes: WireMessage, Equatable {
  package static var number: UInt8 { 74 }
  package let bytes: [UInt8]
  package init(bytes: [UInt8]) { self.bytes = bytes }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(bytes) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { bytes = try decoder.read() }
}
package struct GiveStateFile: WireMessage, Equatable {
  package static var number: UInt8 { 72 }
  package let part: StatePart, name: String
  package init(part: StatePart, name: String) { self.part = part; self.name = name }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(part, name) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (part, name) = try decoder.read() }
}
package enum StatePart: UInt8, CaseIterable, WireField {
  case enclave = 1, keychain = 2
}
package struct AdoptState: EmptyMessage, Equatable {
  package static var number: UInt8 { 73 }
  package init() {  }
}
package struct GetServiceTroubles: EmptyMessage, Equatable {
  package static var number: UInt8 { 66 }
  package init() {  }
}
package struct ServiceTrouble: WireField, Equatable {
  package let subject: String, text: String, remedy: String?, isProblem: Bool
  package init(subject: String, text: String, remedy: String?, isProblem: Bool) { self.subject = subject; self.text = text; self.remedy = remedy; self.isProblem = isProblem }
  package func encode(into encoder: inout WireEncoder) { encoder.write(subject, text, remedy, isProblem) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (subject, text, remedy, isProblem) = try decoder.read() }
}
package struct ServiceTroubles: WireMessage, Equatable {
  package static var number: UInt8 { 67 }
  package let troubles: [ServiceTrouble]
  package init(_ troubles: [ServiceTrouble]) { self.troubles = troubles }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(troubles) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { troubles = try decoder.read() }
}
package struct CoreReady: WireMessage, Equatable {
  package static var number: UInt8 { 2 }
  package let process: UInt32, wasRunning: Bool
  package init(process: UInt32, wasRunning: Bool) { self.process = process; self.wasRunning = wasRunning }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(process, wasRunning) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (process, wasRunning) = try decoder.read() }
}
package struct ResolvedDriver: WireMessage, Equatable {
  package static var number: UInt8 { 3 }
  package let driver: String, options: [DriverOption], files: [String], isSynthetic: Bool
  package init(driver: String, options: [DriverOption], files: [String], isSynthetic: Bool) { self.driver = driver; self.options = options; self.files = files; self.isSynthetic = isSynthetic }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(driver, options, files, isSynthetic) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (driver, options, files, isSynthetic) = try decoder.read() }
}
package struct GetStatus: EmptyMessage, Equatable {
  package static var number: UInt8 { 6 }
  package init() {  }
}
package struct SensorFacts: WireField, Equatable {
  package let kind: String, width: UInt32, height: UInt32, pixelsPerInch: UInt32, compares: FingerKind, isBuiltIn: Bool
  package init(kind: String, width: UInt32, height: UInt32, pixelsPerInch: UInt32, compares: FingerKind = .image, isBuiltIn: Bool = false) { self.kind = kind; self.width = width; self.height = height; self.pixelsPerInch = pixelsPerInch; self.compares = compares; self.isBuiltIn = isBuiltIn }
  package func encode(into encoder: inout WireEncoder) { encoder.write(kind, width, height, pixelsPerInch, compares, isBuiltIn) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (kind, width, height, pixelsPerInch, compares, isBuiltIn) = try decoder.read() }
}
package struct SandboxFacts: WireField, Equatable {
  package let process: String, lacking: String, isOff: Bool
  package init(process: String, lacking: String, isOff: Bool) { self.process = process; self.lacking = lacking; self.isOff = isOff }
  package func encode(into encoder: inout WireEncoder) { encoder.write(process, lacking, isOff) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (process, lacking, isOff) = try decoder.read() }
}
package enum ReaderAbsence: UInt8, CaseIterable, WireField {
  case noReader = 1, disconnected = 2, unpaired = 3
}
package struct RunningDoor: WireField, Equatable {
  package let door: Door, caller: String?
  package init(door: Door, caller: String?) { self.door = door; self.caller = caller }
  package func encode(into encoder: inout WireEncoder) { encoder.write(door, caller) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (door, caller) = try decoder.read() }
}
package struct CoreStatus: WireMessage, Equatable {
  package static var number: UInt8 { 7 }
  package let isService: Bool, driverName: String?, driverPath: String?, device: String?, sensor: SensorFacts?, absence: ReaderAbsence?, enclavePath: String, keychainPath: String, policyPath: String, isPasscodeSet: Bool, passcodeDelay: UInt32, eraseAfter: UInt32, wrongPasscodes: UInt32, fingers: UInt32, matchableFingers: UInt32, isLocked: Bool, isFirstUnlocked: Bool, isLockedOut: Bool, misses: UInt32, isBiometricUnlockArmed: Bool, rootKey: String, domainState: [UInt8], isMemoryLocked: Bool, isRollbackDetected: Bool, sandboxes: [SandboxFacts]
  package var home: String
  package let lockAfterSeconds: UInt32, lockRule: LockRule, doors: [RunningDoor], isKeychainMissing: Bool
  package init(isService: Bool, driverName: String?, driverPath: String?, device: String?, sensor: SensorFacts?, absence: ReaderAbsence?, enclavePath: String, keychainPath: String, policyPath: String, isPasscodeSet: Bool, passcodeDelay: UInt32, eraseAfter: UInt32, wrongPasscodes: UInt32, fingers: UInt32, matchableFingers: UInt32, isLocked: Bool, isFirstUnlocked: Bool, isLockedOut: Bool, misses: UInt32, isBiometricUnlockArmed: Bool, rootKey: String, domainState: [UInt8], isMemoryLocked: Bool, isRollbackDetected: Bool, sandboxes: [SandboxFacts], home: String, lockAfterSeconds: UInt32, lockRule: LockRule, doors: [RunningDoor] = [], isKeychainMissing: Bool = false) { self.isService = isService; self.driverName = driverName; self.driverPath = driverPath; self.device = device; self.sensor = sensor; self.absence = absence; self.enclavePath = enclavePath; self.keychainPath = keychainPath; self.policyPath = policyPath; self.isPasscodeSet = isPasscodeSet; self.passcodeDelay = passcodeDelay; self.eraseAfter = eraseAfter; self.wrongPasscodes = wrongPasscodes; self.fingers = fingers; self.matchableFingers = matchableFingers; self.isLocked = isLocked; self.isFirstUnlocked = isFirstUnlocked; self.isLockedOut = isLockedOut; self.misses = misses; self.isBiometricUnlockArmed = isBiometricUnlockArmed; self.rootKey = rootKey; self.domainState = domainState; self.isMemoryLocked = isMemoryLocked; self.isRollbackDetected = isRollbackDetected; self.sandboxes = sandboxes; self.home = home; self.lockAfterSeconds = lockAfterSeconds; self.lockRule = lockRule; self.doors = doors; self.isKeychainMissing = isKeychainMissing }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(isService, driverName, driverPath, device, sensor, absence, enclavePath, keychainPath, policyPath, isPasscodeSet, passcodeDelay, eraseAfter, wrongPasscodes, fingers, matchableFingers, isLocked, isFirstUnlocked, isLockedOut, misses, isBiometricUnlockArmed, rootKey, domainState, isMemoryLocked, isRollbackDetected, sandboxes, home, lockAfterSeconds, lockRule, doors, isKeychainMissing) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (isService, driverName, driverPath, device, sensor, absence, enclavePath, keychainPath, policyPath, isPasscodeSet, passcodeDelay, eraseAfter, wrongPasscodes, fingers, matchableFingers, isLocked, isFirstUnlocked, isLockedOut, misses, isBiometricUnlockArmed, rootKey, domainState, isMemoryLocked, isRollbackDetected, sandboxes, home, lockAfterSeconds, lockRule, doors, isKeychainMissing) = try decoder.read() }
}
