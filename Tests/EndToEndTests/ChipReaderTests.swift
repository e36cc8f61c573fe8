import AuthcoreABI
import CoreClient
import Protocol
import TestSupport
import Testing

/// Drivers, simulated chips, hosts, core, enclave and keychain as they are installed. One connection is
/// one device: the chip forgets its templates when the connection ends.
@Suite("X6: a sensor that matches on the chip, from the device to the item")
struct ChipReaderTests {
  private let state: TestHome
  private let access: CoreAccess
  private let person = EndurancePerson()

  private static let options = PromptOptions(
    reason: "to test a chip", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 60_000,
    mayPrompt: true, touch: .played, canGivePasscode: true, prefersPasscode: false,
    mayUseAgent: false)

  init() throws {
    state = try TestHome()
    access = CoreAccess(to: .folder(state.home), program: Products.program("authcored"))
  }

  /// A connection whose reader is a simulated chip, with the passcode set.
  private func reader(_ driver: String, _ settings: String = "") throws -> CoreConnection {
    let connection = try access.connect()
    let _: Done = try connection.request(
      UseDriver(
        driver: driver,
        options: [
          DriverOption(name: "device", value: "simulated:" + settings, hasDescriptor: false)
        ]))
    let status: CoreStatus = try connection.request(GetStatus())
    if !status.isPasscodeSet {
      let _: Done = try connection.request(
        SetPasscode(passcode: SecretBytes(copying: Array(person.passcode.utf8).span)))
    }
    return connection
  }

  private func enroll(
    _ connection: CoreConnection, _ name: String = "thumb", opensItems: Bool = false
  ) throws(Failure) -> EnrolledFinger {
    try connection.request(
      EnrollFinger(
        name: name, touches: 0, consent: ChipConsent(opensItems: opensItems),
        options: Self.options), agent: person)
  }

  private func work(
    _ work: ChipWork, _ connection: CoreConnection
  ) throws(Failure) -> ReaderContents {
    let reply: ReaderReport = try connection.request(
      WorkOnReader(work: work, options: Self.options), agent: person)
    return reply.contents
  }

  private func add(_ name: String, _ control: String, _ connection: CoreConnection) throws {
    var attributes = ItemAttributes()
    attributes.service = name
    attributes.accessControl = try AccessControl(parsing: control)
    let _: ItemAdded = try connection.ask(
      AddItem(attributes: attributes, secret: SecretBytes(copying: Array("s3cret".utf8).span)),
      Self.options, agent: person)
  }

  private func get(_ name: String, _ connection: CoreConnection) throws(Failure) -> Bool {
    var query = ItemQuery()
    query.service = name
    let got: GotItem = try connection.ask(GetItem(query: query), Self.options, agent: person)
    return got.secret.isEqual(to: Array("s3cret".utf8).span)
  }

  @Test(
    "a finger is enrolled, opens what its owner agreed to, and leaves the chip when it is removed",
    arguments: ["elanchip", "synaptics"])
  func wholeLife(driver: String) throws {
    let connection = try reader(driver, "stored=1")
    let enrolled = try enroll(connection, opensItems: true)
    #expect(enrolled.finger.kind == .chip && enrolled.finger.opensItems)
    #expect(enrolled.touches >= 8)
    let contents = try work(.list, connection)
    #expect((contents.own, contents.leftovers, contents.others) == (1, 0, 1))
    let tested: FingerTested = try connection.request(
      TestFinger(options: Self.options), agent: person)
    #expect(tested.isMatch && tested.finger == "thumb")
    for control in ["presence", "biometry-any", "biometry-current"] {
      try add(control, control, connection)
      #expect(try get(control, connection), "\(control)")
    }
    let _: Done = try connection.ask(
      RemoveFinger(finger: "thumb"), Self.options, agent: person)
    let left = try work(.list, connection)
    #expect((left.own, left.leftovers, left.others) == (0, 1, 1))
    let tidy = try work(.tidy, connection)
    #expect((tidy.own, tidy.leftovers, tidy.others) == (0, 0, 1))
  }

  @Test(
    "E4: without the owner's word a chip's finger unlocks, and opens nothing that asks for a finger",
    arguments: ["elanchip", "synaptics"])
  func notAgreed(driver: String) throws {
    let connection = try reader(driver)
    _ = try enroll(connection)
    try add("mail", "presence", connection)
    try add("bank", "biometry-any", connection)
    #expect(try get("mail", connection))
    let failure = #expect(throws: Failure.self) { try get("bank", connection) }
    #expect(
      failure?.message.contains("its owner did not agree") == true, "\(String(describing: failure))"
    )
    let _: Done = try connection.ask(LockDevice())
    let unlocked: Evaluated = try connection.request(
      UnlockDevice(options: Self.options), agent: person)
    #expect(unlocked.evidence == .biometry)
  }

  @Test(
    "E5: a stranger's touches count, and the fifth locks fingers out",
    arguments: ["elanchip", "synaptics"])
  func stranger(driver: String) throws {
    let connection = try reader(driver, "finger=9,stored=1")
    // Finger 9 is another system's: it is refused, and its owner is not named.
    let failure = #expect(throws: Failure.self) { try enroll(connection) }
    #expect(failure?.code == .duplicateFinger)
    let cleared = try work(.clear, connection)
    #expect((cleared.own, cleared.others) == (0, 0))
    _ = try enroll(connection)
    #expect(throws: Failure.self) { try enroll(connection) }
  }

  @Test("who leaves the finger on the chip is told to lift it")
  func lift() throws {
    let connection = try reader("synaptics", "hold=200")
    _ = try enroll(connection)
    #expect(person.told.contains(.retry(reason: Int32(AC_RETRY_LIFT))))
  }

  @Test("a finger on a chip and one of images open the same item, each where it was enrolled")
  func twoKinds() throws {
    let chip = try reader("synaptics")
    let images = try access.connect()
    let _: Done = try images.request(UseDriver(driver: "replay", options: []))
    let kinds = [
      try enroll(chip, opensItems: true).finger.kind, try enroll(images, "index").finger.kind,
    ]
    #expect(kinds == [.chip, .image])
    try add("bank", "biometry-any", chip)
    for connection in [chip, images, chip] { #expect(try get("bank", connection)) }
    let _: Done = try chip.ask(RemoveFinger(finger: "thumb"), Self.options, agent: person)
    #expect(throws: Failure.self) { try get("bank", chip) }
    #expect(try get("bank", images))
  }

  @Test(
    "a reader without a driver for images cannot be looked at, and one with images holds nothing")
  func kinds() throws {
    let run = try state.authcore(
      "--driver", "elanchip:device=simulated", "sensor", "capture", "a.png", json: false)
    #expect(run.status != 0 && run.errors.contains("compares prints itself"), "\(run.account)")
    let connection = try access.connect()
    let _: Done = try connection.request(UseDriver(driver: "replay", options: []))
    let failure = #expect(throws: Failure.self) { try work(.list, connection) }
    #expect(failure?.code == .unsupported)
  }
}
