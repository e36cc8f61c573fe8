import Protocol

// Made-up messages between the core, the enclave, the keychain and the policy.

extension GoldenSample {
  /// The enclave's mailbox.
  static var enclave: [GoldenSample] {
    get throws {
      let protection = ItemProtection(
        accessibility: .whenUnlocked, accessControl: try guarded, identity: [7, 8, 9])
      let opening = OpenItem(protection: protection, sealed: [4, 5, 6], onlyAuthorize: true)
      let entry = AttributesEntry(
        accessibility: .afterFirstUnlock, identity: [10, 11], bytes: [12, 13, 14])
      return [
        GoldenSample(
          TightenRules(
            rules: EnclaveRules(
              missesInARow: 3, passcodeCharacters: 8, reuseSeconds: 10, allowsRelaxedRate: false))),
        GoldenSample(SeveralRequests([[2], [37, 0]])),
        GoldenSample(OpenChannel(channel: 15, source: FrameSource(.tape, mayRepeat: true))),
        GoldenSample(
          OpenChannel(
            channel: 26, source: FrameSource(.reader),
            chip: ChipDevice(
              summary: ChipSummary(abilities: 27, capacity: 28, nameBytes: 29, touches: 30),
              identity: "06cb:00bd at 1-2", instance: "1.31", pluggedIn: 7,
              isBuiltIn: true)), "of a chip"),
        GoldenSample(
          BeginChipWork(session: 32, channel: 33, context: context(34), work: .tidy)),
        GoldenSample(CloseChannel(channel: 16)),
        GoldenSample(
          BeginMatch(
            session: 17, channel: 18, context: context(19), requiresStrictMatch: true,
            tellsScore: false, opensItem: true)),
        GoldenSample(
          BeginEnrollment(
            session: 20, channel: 21, context: context(22), name: "thumb", isRelaxed: true,
            consent: ChipConsent(opensItems: true, acceptsPlug: false))),
        GoldenSample(CommitEnrollment(session: 23)),
        GoldenSample(EndSession(session: 24)),
        GoldenSample(AwaitTouch(session: 25)),
        GoldenSample(
          envelope: "SealItem",
          SealItem(
            protection: protection, names: [[60], [61, 62]], attributes: [63, 64],
            secret: Array("gold".utf8).span
          ).encoded()
        ) { (bytes) throws(DecodeError) in try SealItem(decoding: bytes.span).encoded() },
        GoldenSample(SealedItem(hashes: [[65], [66]], attributes: [67], sealedSecret: [26, 27])),
        GoldenSample(
          envelope: "SealItems",
          SealItems(
            names: [[160]],
            items: [
              .init(
                protection: protection, names: [[161], [162]], attributes: [163], secretCount: 4),
              .init(
                protection: ItemProtection(
                  accessibility: .afterFirstUnlock, accessControl: nil, identity: [164]),
                names: [], attributes: [165, 166], secretCount: 2),
            ], secrets: Array("goldti".utf8).span
          ).encoded()
        ) { (bytes) throws(DecodeError) in try SealItems(decoding: bytes.span).encoded() },
        GoldenSample(
          SealedItems(
            hashes: [[167]],
            results: [
              .sealed(SealedItem(hashes: [[168]], attributes: [169], sealedSecret: [170])),
              .failed(Failure(.passcodeNotSet, "no passcode", hint: "set one")),
            ])),
        GoldenSample(opening),
        GoldenSample(
          ResealItem(
            [68, 69], as: protection,
            under: ItemProtection(
              accessibility: .afterFirstUnlockThisDeviceOnly,
              accessControl: try AccessControl(.presence, with: .appPassword), identity: [70]),
            names: [[71], [72, 73]], attributes: [74])),
        GoldenSample(OpenedItem(secret: sampleSecret("gold"))),
        GoldenSample(SealAttributes(entries: [entry])),
        GoldenSample(OpenAttributes(entries: [entry, entry])),
        GoldenSample(SealCertificates(entries: [entry])),
        GoldenSample(OpenCertificates(entries: [entry])),
        GoldenSample(AttributeBatch(results: [.value([28, 29]), .closed, .damaged, .newer])),
        GoldenSample(HashAttributes(values: [[30], [31, 32]])),
        GoldenSample(NoteKeychain(mark: .begun)),
        GoldenSample(KeychainNoted(existed: true)),
        GoldenSample(RequirePresence()),
        GoldenSample(OpenItemWithAttributes(item: opening, attributes: entry)),
        GoldenSample(
          OpenedItemWithAttributes(
            attributes: .value([33]), itemReply: OpenedItem(secret: sampleSecret("gold")).encoded())
        ),
        GoldenSample(GenerateKey(protection: protection)),
        GoldenSample(GeneratedKey(publicKey: [72, 73], sealed: [74, 75])),
        GoldenSample(
          UseSealedKey(
            protection: protection, sealed: [76], operation: .decrypt, input: [77, 78])),
        GoldenSample(
          SealForBackup(items: [
            StoredItemEntry(
              .certificate, protection: protection, attributes: [79], content: [80, 81])
          ])),
        GoldenSample(
          OpenFromBackup(
            first: 82,
            records: [SealedRecord(.secret, [83, 84]), SealedRecord(.certificate, [85])])),
        GoldenSample(
          OpenedFromBackup(items: [
            OpenedFromBackup.Item(attributes: [203]),
            OpenedFromBackup.Item(attributes: [204, 205], certificate: [206]),
          ])),
        GoldenSample(
          SealFromBackup(entries: [
            RestoredEntry(
              number: 86, record: SealedRecord(.certificate, [87]), protection: protection,
              attributes: [88, 89])
          ])),
        GoldenSample(
          SealedFromBackup(items: [SealedFromBackup.Item(attributes: [90], content: [91, 92])])),
        GoldenSample(OpenBackupEnd(place: 93, record: [94, 95])),
        GoldenSample(
          BackupSummary(counts: BackupCounts(items: 96, leftOut: 97, unreadable: 98))),
        GoldenSample(
          VerifyPasscode(
            context: context(34), unlocksDevice: true, passcode: sampleSecret("correct horse"),
            asTyped: sampleSecret("correct hórse"))),
        GoldenSample(
          ReplacePasscode(
            current: sampleSecret("correct horse"), asTyped: sampleSecret("hórse"),
            replacement: sampleSecret("battery"), eraseAfter: 10)),
        GoldenSample(
          ErasePasscode(current: sampleSecret("staple"), asTyped: sampleSecret("stáple"))),
        GoldenSample(
          MoveRootKey(to: .tpm, passcode: sampleSecret("staple"), asTyped: sampleSecret("stáple"))),
        GoldenSample(SetStateAside()),
        GoldenSample(GetEnclaveStatus()),
        GoldenSample(status),
        GoldenSample(UnlockWithMatch(context: context(35), isReusable: false)),
        GoldenSample(LockNotice(isLocked: true, rule: .minutes(30))),
        GoldenSample(
          OpenContext(
            context: context(36), outlivesRequest: true, isDoor: true)),
        GoldenSample(CloseContext(context: context(38))),
        GoldenSample(CloseContexts(of: context(68).requester)),
        GoldenSample(ForgetEvidence(context: context(69))),
        GoldenSample(GetContextEvidence(context: context(39), reuseSeconds: 37)),
        GoldenSample(
          ContextEvidence(
            evidence: .relaxedBiometry, finger: "thumb", matchAge: 70, passcodeAge: 71)),
        GoldenSample(RemovePasscodeBoundItems()),
        GoldenSample(CopyDatabase()),
        GoldenSample(
          envelope: "KeychainRequest", keychainRequest(context(40), opening.encoded().bytes)
        ) { (bytes) throws(DecodeError) in
          let request = try KeychainRequest(decoding: bytes.span)
          return keychainRequest(request.context, request.message)
        },
      ] + touches
    }
  }

  /// The envelope as both of its parts cross the wall.
  private static func keychainRequest(
    _ context: ContextName, _ message: Span<UInt8>
  ) -> SecretBytes {
    let head = KeychainRequest.head(context: context, count: message.count)
    var bytes = [UInt8](head)
    for index in message.indices { bytes.append(message[index]) }
    return SecretBytes(copying: bytes.span)
  }

  private static var touches: [GoldenSample] {
    let taken = TakenTouch(touches: 2, coverage: 0.125, isComplete: false, advice: nil)
    let outcomes: [(String, TouchEvent.Outcome)] = [
      ("matched", .matched(finger: "thumb", score: nil, threshold: 14)),
      ("missed", .missed(score: 3.5, threshold: 14, misses: 4, isLockedOut: true, addsUp: false)),
      ("retry", .retry(reason: 2)), ("taken", .taken(taken)), ("refused", .refused(.lift)),
      ("duplicate", .duplicate(finger: "thumb")),
      ("ended", .ended(status: 105, message: "gone")),
      ("failed", .failed(Failure(.biometryLockout, "too many misses"))),
    ]
    var status = EnclaveStatus()
    (status.isPasscodeSet, status.misses, status.domainState) = (true, 4, [9])
    return outcomes.enumerated().map { index, outcome in
      GoldenSample(
        TouchEvent(
          session: UInt64(50 + index), outcome: outcome.1, status: index < 2 ? status : nil),
        outcome.0)
    }
  }

  /// The policy's mailbox.
  static var policy: [GoldenSample] {
    get throws {
      var device = DeviceState()
      (device.hasSensor, device.isLockedOut, device.isLocked) = (true, true, true)
      device.fingers = 41
      var client = ClientSituation()
      (client.canGivePasscode, client.hidesFallback) = (false, true)
      var progress = CallProgress()
      (progress.lastEvent, progress.misses, progress.refusedPasscodes) = (.fallbackChosen, 42, 43)
      progress.refusedAppPasswords = 44
      let requests: [(String, PolicyRequest)] = [
        ("biometrics", .biometrics), ("owner", .owner),
        ("unlock", .unlock(prefersPasscode: true)), ("passcode only", .passcodeOnly),
        ("access", .access(try guarded, held: .passcode)),
      ]
      let steps: [(String, PolicyStep.Action)] = [
        ("succeed", .succeed), ("fail", .fail(Failure(.notInteractive, "nobody is there"))),
        ("await a touch", .awaitTouch(fallback: .application)),
        ("await the passcode", .awaitPasscode),
        ("await an application password", .awaitAppPassword),
      ]
      return requests.map { name, request in
        GoldenSample(
          PolicyQuestion(request: request, device: device, client: client, progress: progress),
          name)
      } + steps.map { name, step in GoldenSample(PolicyStep(step), name) }
    }
  }

  private static var status: EnclaveStatus {
    var status = EnclaveStatus()
    (status.isPasscodeSet, status.isLockedOut, status.isMemoryLocked) = (true, true, true)
    (status.realFingers, status.syntheticFingers) = (44, 45)
    (status.tapeFingers, status.earlierFingers) = (50, 51)
    (status.misses, status.passcodeDelay) = (46, 47)
    (status.eraseAfter, status.wrongPasscodes) = (70, 71)
    status.domainState = [48, 49]
    status.hasKeychain = true
    return status
  }
}
