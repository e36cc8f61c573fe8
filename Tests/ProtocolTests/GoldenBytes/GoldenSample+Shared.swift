import Protocol

// Made-up messages in which no two fields are equal.

extension GoldenSample {
  /// Messages of every protocol, and of a driver's host to the enclave's.
  static var shared: [GoldenSample] {
    [
      GoldenSample(Done()),
      GoldenSample(Failure(.passcodeDelayed, "not yet", hint: "wait"), "with a hint"),
      GoldenSample(Failure(.biometryLockout, "too many misses"), "without a hint"),
      GoldenSample(SensorRetry(channel: 3, session: 0x0102_0304_0506_0708, reason: 9)),
      GoldenSample(SensorEnd(channel: 4, session: 5, status: 105, message: "gone")),
      GoldenSample(
        ChipReport(
          channel: 8, session: 9, result: .progress, percent: 66, name: sampleSecret("\u{3}one"),
          listed: sampleSecret("\u{3}one\u{3}two"))),
      GoldenSample(
        ChipOrder(channel: 10, session: 11, work: .touch, names: sampleSecret("\u{5}three"))),
      GoldenSample(
        SensorOpened(
          SensorIdentity(scanType: .swipe, width: 1, height: 2, pixelsPerInch: 363),
          chip: ChipSummary(abilities: 7, capacity: 10, nameBytes: 64, touches: 9))),
      GoldenSample(
        SensorFrame(
          channel: 6, session: 7, width: 3, height: 2, pixelsPerInch: 508, extents: [0..<3, 1..<2],
          pixels: [10, 20, 30, 40, 50, 60]), "with extents"),
      GoldenSample(
        SensorFrame(
          channel: 6, session: 7, width: 1, height: 2, pixelsPerInch: 363, pixels: [255, 0]),
        "without extents"),
    ]
  }

  /// Messages about items and fingers between applications and engines.
  static var items: [GoldenSample] {
    get throws {
      let item = try itemAttributes
      return [
        GoldenSample(SetPasscode(passcode: sampleSecret("correct horse"), eraseAfter: 10)),
        GoldenSample(LockDevice()),
        GoldenSample(
          EvidenceNeeded(
            accessControl: try guarded, held: [.passcode, .relaxedBiometry], item: "Bank",
            identity: [7, 8, 9])),
        GoldenSample(ListFingers()),
        GoldenSample(FingerList(fingers: [finger, otherFinger])),
        GoldenSample(RenameFinger(finger: "0badcafe", name: "thumb")),
        GoldenSample(ChangeSettings(lockRule: .minutes(45), eraseAfter: 20)),
        GoldenSample(RemoveFinger(finger: "right-index")),
        GoldenSample(RequirePasscode()),
        GoldenSample(RequireAccess(accessControl: try guarded, reuseSeconds: 38)),
        GoldenSample(
          GiveAppPassword(use: .sealing, password: sampleSecret("the application's own"))),
        GoldenSample(EnrolledFinger(finger: finger, touches: 5, coverage: 0.75)),
        GoldenSample(AddItem(attributes: item, secret: sampleSecret("s3cret"))),
        GoldenSample(ItemAdded(attributes: item)),
        GoldenSample(
          AddItems(
            items: [
              .init(attributes: item, secretCount: 4),
              .init(attributes: ItemAttributes(), secretCount: 3),
            ], secrets: sampleSecret("goldtin"))),
        GoldenSample(
          ItemsAdded(results: [
            .added("ffeeddccbbaa99887766554433221100"), .duplicate,
            .failed(Failure(.errSecParam, "too long", hint: "shorten it")),
          ])),
        GoldenSample(FindItems(query: query, onlyOpenable: true, limit: 151, after: 152)),
        GoldenSample(FindItems(query: ItemQuery()), "every item"),
        GoldenSample(FoundItems(items: [item, ItemAttributes()], next: 153)),
        GoldenSample(GetItem(query: query)),
        GoldenSample(GotItem(attributes: item, secret: sampleSecret("gold"), revision: 154)),
        GoldenSample(
          UpdateItems(
            query: query, changes: try changes, allowsSeveral: true, replacesSecret: false,
            secret: sampleSecret("lion"), revision: 155)),
        GoldenSample(RemoveItems(query: query, allowsSeveral: true, revision: 156)),
        GoldenSample(ShareItem(query: query, application: "/usr/bin/news", isShared: true)),
        GoldenSample(ItemsChanged(count: 12)),
        GoldenSample(FindApplications()),
        GoldenSample(
          FoundApplications(applications: [
            ApplicationHoldings(application: "/usr/bin/news", items: 7, keys: 8, shared: 9),
            ApplicationHoldings(application: "authcore"),
          ])),
        GoldenSample(FindGuarded()),
        GoldenSample(
          FoundGuarded(entries: [
            GuardedEntry(
              identifier: "00ff", name: "Bank", isKey: false, accessControl: try guarded,
              isLost: true),
            GuardedEntry(
              identifier: "ff00", name: "", isKey: true,
              accessControl: try AccessControl(.biometryCurrent), isLost: false),
          ])),
        GoldenSample(FindItemsOfApplication(application: "/usr/bin/news")),
        GoldenSample(ForgetApplication(application: "/usr/bin/news")),
        GoldenSample(
          envelope: "ApplicationRequest",
          ApplicationRequest.encoded(
            context: context(0x1122_3344_5566_7788), message: ListFingers().encoded())
        ) { (bytes) throws(DecodeError) in
          let request = try ApplicationRequest(decoding: bytes.span)
          return ApplicationRequest.encoded(
            context: request.context, message: SecretBytes(copying: request.message))
        },
      ]
    }
  }

  /// Messages about backups between the owner's command and engines.
  static var backups: [GoldenSample] {
    [
      GoldenSample(
        GiveBackupKey(
          use: .restore, includesGuarded: true,
          header: [UInt8](repeating: 103, count: backupKeySize),
          key: sampleSecret("the key of a backup's 32 letters"))),
      GoldenSample(BackUpItems(after: 104, proofs: [.biometry, .passcode])),
      GoldenSample(
        ItemsBackedUp(
          records: [SealedRecord(.secret, [105, 106]), SealedRecord(.certificate, [107])],
          leftOut: 108, unreadable: 109, next: 110, remaining: 111)),
      GoldenSample(EndBackup(leftOut: 112, unreadable: 113)),
      GoldenSample(BackupEnded(record: [114, 115])),
      GoldenSample(
        RestoreItems(
          mode: .dryRun, first: 116,
          records: [SealedRecord(.certificate, [117]), SealedRecord(.secret, [118, 119])])),
      GoldenSample(FinishRestore(record: [120, 121])),
      GoldenSample(
        ItemsRestored(counts: RestoreCounts(added: 122, replaced: 123, kept: 124))),
    ]
  }

  /// Messages about keys between applications and keychain.
  static var keys: [GoldenSample] {
    get throws {
      var key = EnclaveKey(
        identifier: "ffeeddccbbaa99887766554433221100", name: "deploy",
        accessibility: .afterFirstUnlockThisDeviceOnly, accessControl: try guarded,
        createdAt: 1_700_000_002, publicKey: [4, 101, 102])
      (key.applicationTag, key.applicationLabel) = ([106, 107], [108, 109])
      (key.label, key.group) = ("Einsatz", "/usr/bin/deploy")
      let open = EnclaveKey(
        identifier: "0123456789abcdef0123456789abcdef", name: "Schlüssel",
        accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: nil, createdAt: -2,
        publicKey: [])
      var create = CreateKey(
        name: "deploy", accessibility: .whenUnlockedThisDeviceOnly, accessControl: try guarded)
      (create.applicationTag, create.label, create.group) = ([110], "Post", "/usr/bin/post")
      return [
        GoldenSample(create),
        GoldenSample(KeyCreated(key: key)),
        GoldenSample(FindKeys(query: keyQuery), "by all there is"),
        GoldenSample(FindKeys(query: KeyQuery()), "every key"),
        GoldenSample(FoundKeys(keys: [key, open])),
        GoldenSample(
          UseKey(query: KeyQuery(name: "deploy"), operation: .sign, input: [103, 104]), "sign"),
        GoldenSample(
          UseKey(query: KeyQuery(name: "mail"), operation: .decrypt, input: [105]), "decrypt"),
        GoldenSample(
          UseKey(query: KeyQuery(name: "chat"), operation: .exchange, input: []), "exchange"),
        GoldenSample(KeyUsed(output: sampleSecret("signature"))),
        GoldenSample(RemoveKey(query: KeyQuery(name: "deploy"))),
        GoldenSample(CheckKeychain()),
        GoldenSample(KeychainChecked(findings: findings)),
        GoldenSample(RepairKeychain(beginsAnew: true)),
        GoldenSample(KeychainRepaired(findings: findings, setAside: "/tmp/keychain.damaged-1")),
        GoldenSample(
          AddCertificate(attributes: try itemAttributes, certificate: [0x30, 1, 111])),
        GoldenSample(GetCertificate(query: ItemQuery())),
        GoldenSample(
          GotCertificate(attributes: try itemAttributes, certificate: [0x30, 1, 112])),
        GoldenSample(FindIdentities(certificate: ItemQuery(), key: keyQuery)),
        GoldenSample(
          FoundIdentities(identities: [
            KeychainIdentity(certificate: try itemAttributes, key: key)
          ])),
      ]
    }
  }

  private static var keyQuery: KeyQuery {
    var query = KeyQuery(name: "deploy")
    query.identifier = "0123456789abcdef0123456789abcdef"
    (query.applicationTag, query.applicationLabel) = ([113], [114, 115])
    (query.label, query.group) = ("Signatur", "/usr/bin/sign")
    return query
  }

  /// A context of one application's connection.
  static func context(_ number: UInt64) -> ContextName {
    ContextName(number, of: Requester(application: "user:1000", connection: 99))
  }

  /// A finger or, where it must be strict, the passcode.
  static var guarded: AccessControl {
    get throws {
      try AccessControl(
        [.biometryCurrent, .passcode], joinedBy: .or, with: .strictMatch)
    }
  }

  private static let finger = Finger(
    identifier: "0badcafe", name: "right-index", enrolledAt: 1_700_000_000, isSynthetic: true,
    isRelaxed: false, wantsEnrollment: true)

  private static let otherFinger = Finger(
    identifier: "00000001", name: "", enrolledAt: 0, isSynthetic: false, isRelaxed: true)

  private static var itemAttributes: ItemAttributes {
    get throws {
      var item = ItemAttributes()
      item.identifier = "00112233445566778899aabbccddeeff"
      item.itemClass = .note
      item.values = [
        .service: .text("mail"), .account: .data([0, 255]), .label: .text("Größe"),
        .creator: .number(-2),
      ]
      item.group = "/usr/bin/post"
      item.isSynchronizable = true
      item.accessibility = .afterFirstUnlockThisDeviceOnly
      item.accessControl = try guarded
      item.createdAt = -1
      item.modifiedAt = 1_700_000_001
      item.sharedWith = ["/usr/bin/news", "authcore"]
      return item
    }
  }

  private static var query: ItemQuery {
    var query = ItemQuery()
    query.names = ["mail", "post"]
    query.identifier = "ffeeddccbbaa99887766554433221100"
    query.itemClass = .internet
    query.terms = [.server: .text("mail"), .port: .number(993), .label: .text("")]
    query.group = "shared"
    query.isSynchronizable = nil
    query.accessibility = .whenUnlocked
    return query
  }

  private static var changes: ItemChanges {
    get throws {
      var changes = ItemChanges()
      changes.terms = [.service: .text("post"), .account: .text("bob"), .comment: .data([])]
      changes.group = "shared"
      changes.accessibility = .whenUnlockedThisDeviceOnly
      changes.guarding = .by(try guarded)
      return changes
    }
  }

  private static var findings: KeychainFindings {
    var findings = KeychainFindings()
    findings.problems = ["page 7 is torn"]
    findings.items = 70
    findings.keys = 71
    findings.unopened = 72
    findings.note(DamagedEntry(identifier: "73", name: "mail", isKey: true))
    findings.lost = 74
    findings.mayHaveLostMore = true
    findings.isGone = true
    return findings
  }
}
