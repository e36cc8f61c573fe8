import Protocol

/// What a prompt is about, by the word of the core and of the keychain: nobody who asks has a say in it.
struct PromptSubject: Equatable, Sendable {
  let matter: PromptMatter
  /// How the item or the key is called that is meant, where that is known.
  var item: String?
  /// Whether what is proved unlocks the device for the request.
  var unlocks = false

  /// A subject that is no item.
  init(_ matter: PromptMatter) { self.matter = matter }

  /// What a message to an engine is about.
  init(_ engine: AddressedEngine, _ message: UInt8) {
    self.init(Self.matters[engine]?[message] ?? .access)
  }

  private static let matters: [AddressedEngine: [UInt8: PromptMatter]] = {
    var matters: [AddressedEngine: [UInt8: PromptMatter]] = [:]
    func add<Message: EngineMessage & ~Copyable>(_ type: Message.Type, _ matter: PromptMatter) {
      matters[Message.engine, default: [:]][Message.number] = matter
    }
    add(GetItem.self, .secret)
    add(UpdateItems.self, .change)
    add(ShareItem.self, .change)
    add(UseKey.self, .key)
    add(GiveBackupKey.self, .backup)
    add(BackUpItems.self, .backup)
    add(FindItemsOfApplication.self, .application)
    add(ForgetApplication.self, .application)
    add(RenameFinger.self, .fingers)
    add(RemoveFinger.self, .fingers)
    add(ChangeSettings.self, .settings)
    return matters
  }()
}

extension Prompt {
  /// A prompt of this content, for what a client asks.
  init(
    prompt: UInt32, _ content: PromptContent, _ options: PromptOptions, _ subject: PromptSubject,
    for client: ClientLink
  ) {
    self.init(
      prompt: prompt, awaitsTouch: content.awaitsTouch, fallback: content.fallback,
      fallbackTitle: options.fallbackTitle, cancelTitle: options.cancelTitle,
      reason: options.reason, refusedPasscodes: content.refusedPasscodes, secret: content.secret,
      matter: subject.matter, item: subject.item, unlocks: subject.unlocks,
      application: client.application, nameProtects: client.program?.nameProtects ?? false,
      claimedName: options.applicationName)
  }
}
