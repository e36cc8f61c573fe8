import Protocol

/// Opens sealed secrets against the evidence of a context. Items and keys are opened by
/// ``authorize(_:in:)`` alone, so that wrong application passwords are counted in one place.
extension Enclave {
  /// Checks if the evidence in a context opens a secret. Counts a wrong application password, and
  /// has the context forget it.
  /// - Throws: as ``KeyRing/authorize(_:by:)``; `invalidContext`; `errSecAuthFailed` for a wrong
  ///   application password, and `appPasswordDelayed` after many.
  func authorize(
    _ secret: SealedSecret, in context: ContextName
  ) throws(Failure) -> Authorization {
    let isGuarded = secret.protection.accessControl != nil
    if isGuarded, context.number != noContext {
      try evidence.require(context)
      evidence.forgetProof(usedBefore: secret.use, in: context)
    }
    let proved = evidence.proved(in: context)
    let tried = proved.appPassword == nil ? nil : try keys.appPassword(of: secret)
    if let tried { try appPasswords.refuseDelayed(tried) }
    do throws(Failure) {
      let authorization = try keys.authorize(secret, by: proved)
      if authorization.isGranted {
        if isGuarded { evidence.noteUse(secret.use, in: context) }
        if let tried { appPasswords.noteRight(tried) }
      }
      return authorization
    } catch  where error == .wrongAppPassword {
      evidence.forgetAppPassword(in: context)
      if let tried { appPasswords.noteWrong(tried) }
      throw error
    }
  }

  func openItem(_ request: OpenItem, in context: ContextName) throws(Failure) -> ItemAnswer {
    let secret = SealedSecret(
      purpose: .item, protection: request.protection, sealed: request.sealed)
    switch try authorize(secret, in: context) {
    case .granted(let secret):
      return request.onlyAuthorize ? .authorized : .opened(try secret.open())
    case .needed(let needed): return .needed(needed)
    }
  }

  /// Opens the secret and the attributes of an item. Either can succeed without the other.
  func openItemWithAttributes(
    _ request: OpenItemWithAttributes, in context: ContextName
  ) -> SecretBytes {
    let attributes = keys.openAttributes([request.attributes]).results.first ?? .damaged
    let itemReply: SecretBytes
    do throws(Failure) {
      let answer = try openItem(request.item, in: context)
      switch consume answer {
      case .opened(let secret): return OpenedItemWithAttributes.encoded(attributes, opened: secret)
      case let other: itemReply = other.encoded()
      }
    } catch {
      itemReply = error.encoded()
    }
    return OpenedItemWithAttributes(attributes: attributes, itemReply: itemReply)
      .encoded(capacity: 1024)
  }

  /// Seals an item, with the application password of the context if it asks for one.
  func sealItem(_ item: SealItem, in context: ContextName) throws(Failure) -> SealedItem {
    try keys.sealItem(
      item, with: evidence.appPassword(toSealUnder: item.protection, in: context))
  }

  /// Seals several items, each on its own: one can fail alone.
  func sealItems(_ request: SealItems, in context: ContextName) throws(Failure) -> SealedItems {
    var results: [SealedItems.Result] = []
    var secrets = request.secrets
    for item in request.items {
      let count = Int(item.secretCount)
      let toSeal = SealItem(
        protection: item.protection, names: item.names, attributes: item.attributes,
        secret: secrets.extracting(first: count))
      secrets = secrets.extracting(droppingFirst: count)
      do throws(Failure) {
        results.append(.sealed(try sealItem(toSeal, in: context)))
      } catch {
        results.append(.failed(error))
      }
    }
    return SealedItems(hashes: try keys.hashes(of: request.names), results: results)
  }

  /// Seals an item under another protection, if its present one permits that.
  /// - Returns: a ``Protocol/SealedItem``, or the evidence that is missing.
  func resealItem(_ request: ResealItem, in context: ContextName) throws(Failure) -> SecretBytes {
    let current = SealedSecret(
      purpose: .item, protection: request.protection, sealed: request.sealed)
    switch try authorize(current, in: context) {
    case .needed(let needed): return needed.encoded()
    case .granted(let authorized):
      let secret = try authorized.open()
      let item = SealItem(
        protection: request.replacement, names: request.names, attributes: request.attributes,
        secret: secret.bytes)
      return try sealItem(item, in: context).encoded(capacity: request.sealed.count + 1024)
    }
  }

  /// The evidence missing to prove that the owner is present for this request; nil also if no
  /// passcode is set.
  /// - Throws: as ``EvidenceContexts/requireProofForThisAlone(_:)``.
  func requirePresence(in context: ContextName) throws(Failure) -> EvidenceNeeded? {
    try evidence.requireProofForThisAlone(context)
    guard state.isPasscodeSet, let presence = try? AccessControl(.presence) else { return nil }
    return try missing(for: presence, in: context)
  }

  /// The evidence missing for what an access control asks of the owner, or nil.
  func require(
    _ request: RequireAccess, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    guard let control = request.accessControl.presenceAlone else { return nil }
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    let needed = try missing(for: control, in: context)
    let unlock = evidence.unlock(within: request.reuseSeconds)?.proof ?? []
    return control.isSatisfied(by: unlock) ? nil : needed
  }

  private func missing(
    for control: AccessControl, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    if context.number != noContext { try evidence.require(context) }
    let held = evidence.proved(in: context).set
    return control.isSatisfied(by: held)
      ? nil : EvidenceNeeded(accessControl: control, held: held)
  }

  func takeAppPassword(
    _ message: consuming GiveAppPassword, in context: ContextName
  ) throws(Failure) {
    try evidence.require(context)
    let use = message.use
    let password = message.takePassword()
    guard password.count > 0 else { throw .emptyAppPassword }
    evidence.give(HeldSecret(password), to: use, in: context)
  }
}

enum ItemAnswer: ~Copyable {
  case opened(SecretBytes)
  /// The evidence suffices; the secret was not asked for.
  case authorized
  case needed(EvidenceNeeded)

  consuming func encoded() -> SecretBytes {
    switch consume self {
    case .opened(let secret):
      let capacity = secret.count + 16
      return OpenedItem(secret: secret).encoded(capacity: capacity)
    case .authorized: return Done().encoded()
    case .needed(let needed): return needed.encoded()
    }
  }
}
