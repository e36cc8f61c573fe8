import Foundation
import TestSupport
import Testing

@Suite("Drivers and tapes, through the command", .timeLimit(.minutes(60)))
struct DriverTests {
  @Test("driver list and info tell what is there without a core")
  func list() throws {
    let list = try run("authcore", ["--json", "driver", "list"]).expectSuccess()
    let names = list.json["drivers"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(names.contains("replay"), "\(list.account)")
    let info = try run("authcore", ["--json", "driver", "info", "replay"]).expectSuccess()
    #expect(info.text.contains("tape"))
  }

  @Test("an unknown driver and an unknown option name what there is")
  func unknown() throws {
    let state = try TestHome()
    let driver = try state.authcore("--driver", "nosuch", "auth", "--reason", "x")
    #expect(driver.status != 0)
    #expect(driver.text.contains("nosuch"), "\(driver.account)")
    let option = try state.authcore("--driver", "replay:speed=3", "auth", "--reason", "x")
    #expect(option.status == 64, "\(option.account)")
    #expect(option.text.contains("tape"), "\(option.account)")
  }

  @Test("--log shows what the named driver logs while a finger is enrolled and recognized")
  func log() throws {
    let state = try TestHome()
    let driver = ["--driver", "uru4000:device=simulated"]
    let line = "debug    The reader's versions are "
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    let enroll = try state.authcore(
      driver + ["finger", "enroll", "--touches", "3", "--log"], passcode: TestHome.passcode,
      newPasscode: nil, secret: "", input: nil, json: true, environment: [:]
    ).expectSuccess()
    #expect(enroll.errors.contains(line), "\(enroll.account)")
    let auth = driver + ["auth", "--policy", "biometrics", "--reason", "x"]
    func authenticate(_ options: [String]) throws -> CommandRun {
      try state.authcore(
        auth + options, passcode: nil, newPasscode: nil, secret: "", input: nil, json: true,
        environment: [:])
    }
    #expect(try authenticate(["--log"]).expectSuccess().errors.contains(line))
    #expect(try !authenticate([]).expectSuccess().errors.contains(line))
    let unnamed = try state.authcore("auth", "--log", "--reason", "x")
    #expect(unnamed.status == 64 && unnamed.text.contains("--driver NAME"), "\(unnamed.account)")
  }

  @Test(
    "a tape that cannot be understood is an error with file, line and reason before anything is played",
    arguments: [
      ("tuoch x.pgm", 3), ("touch", 3), ("touch /nonexistent.pgm", 3), ("wait soon", 3),
      ("noise too-loud", 3), ("repeat 2", 3), ("ppi 50000", 3),
    ])
  func badTape(line: String, number: Int) throws {
    let state = try TestHome.enrolled()
    let auth = try state.authcore(
      "--driver", state.tape([line, "touch \(try Prints.owner.get()[5].path)"]), "auth", "--policy",
      "biometrics", "--reason", "x")
    #expect(auth.status == 5, "\(auth.account)")
    #expect(auth.text.contains("line \(number):"), "\(auth.account)")
  }

  @Test(
    "a picture that is none is an error that names it",
    arguments: [
      "P5\n388 374\n255\nshort", "P5\n20000 20000\n255\n", "P6\n1 1\n255\nabc", "", "GIF89a",
    ])
  func badPicture(contents: String) throws {
    let state = try TestHome.enrolled()
    let picture = try state.folder.write("bad.pgm", Data(contents.utf8))
    let auth = try state.authcore(
      "--driver", state.tape([picture]), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(auth.status == 5, "\(auth.account)")
    #expect(auth.text.contains("bad.pgm"), "\(auth.account)")
  }

  @Test("a picture of one pixel is a touch without ridges, not a miss")
  func onePixel() throws {
    let state = try TestHome.enrolled()
    let picture = try state.folder.write("one.pgm", Data("P5\n1 1\n255\n".utf8) + [0])
    try state.authcore(
      "--driver", state.tape([picture]), "auth", "--policy", "biometrics", "--reason", "x"
    ).expect(error: "timedOut")
    #expect(try state.authcore("status").json["biometry"]?["failures"]?.number == 0)
  }

  @Test("sensor capture writes the picture a touch gives")
  func capture() throws {
    let state = try TestHome()
    let source = try Prints.owner.get()[0]
    let target = state.folder.file("out.pgm")
    try run("authcore", ["--json", "--driver", state.tape([source]), "sensor", "capture", target])
      .expectSuccess()
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(contentsOf: source))
  }

  @Test("X3: a driver captures from the model of its device, and what goes wrong with it is said")
  func simulated() throws {
    let state = try TestHome()
    let target = state.folder.file("out.pgm")
    func capture(_ device: String, timeout: Int = 120) throws -> CommandRun {
      try run(
        "authcore",
        [
          "--json", "--timeout", "\(timeout)", "--driver", "template:device=\(device)", "sensor",
          "capture", target, "--force",
        ])
    }
    try capture("simulated:delay=20").expectSuccess()
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count == 96 * 112 + 14)
    let gone = try capture("simulated:fault=gone@3")
    #expect(gone.status != 0 && gone.text.contains("unplugged"), "\(gone.account)")
    try capture("simulated:touches=0", timeout: 1).expect(error: "timedOut")
    for wrong in ["simulated:nosuch", "simulated:x=1", "elsewhere"] {
      try capture(wrong).expect(status: 64)
    }
    let missing = try capture("/nonexistent.pcapng")
    #expect(missing.status == 64 && missing.text.contains("nonexistent"), "\(missing.account)")
  }

  @Test(
    "a touch of a simulated device is none of a finger: it opens nothing that a reader's touch opens"
  )
  func simulatedIsSynthetic() throws {
    let state = try TestHome()
    let status = try state.succeed("--driver", "template:device=simulated", "status")
    #expect(status.json["driver"]?["device"]?.string == "simulated", "\(status.account)")
  }

  @Test("FINDINGS B11: doctor ends with 0 even if there is no core and no place for one")
  func doctorEnd() throws {
    let state = try TestHome()
    let none = try state.succeed("doctor", environment: ["AUTHCORE_CORE": "/nonexistent/authcored"])
    #expect(none.json["findings"] != nil, "\(none.account)")
    try FileManager.default.removeItem(atPath: state.home)
    try Data().write(to: URL(fileURLWithPath: state.home))
    let occupied = try state.succeed("doctor")
    #expect(occupied.json["findings"] != nil, "\(occupied.account)")
    #expect(try state.authcore("status").status != 0)
  }

  @Test("X3: doctor says whether the driver that is named is found, and opens its device")
  func doctor() throws {
    let state = try TestHome()
    func findings(_ driver: String) throws -> CommandRun {
      let run = try state.succeed("--driver", driver, "doctor")
      return run
    }
    let good = try findings("template:device=simulated")
    #expect(good.text.contains("template, version 1 (/"), "\(good.account)")
    #expect(good.text.contains("simulated: it opens"), "\(good.account)")
    // The chip that is open, if the driver knows several.
    let pressed = try findings("upek:device=simulated:sensor=1")
    #expect(pressed.text.contains("it opens, press, 192 × 270 px at 381 ppi"), "\(pressed.account)")
    let gone = try findings("template:device=simulated:fault=gone@1")
    #expect(gone.text.contains("plug it in again"), "\(gone.account)")
    #expect(!gone.text.contains("it opens"), "\(gone.account)")
    let missing = try findings("/nonexistent/acme.so")
    #expect(missing.text.components(separatedBy: "/nonexistent/acme.so").count == 2)
    let option = try findings("template:nosuch=1")
    #expect(option.text.contains("has no option nosuch"), "\(option.account)")
    let unplugged = try findings("template")
    #expect(unplugged.text.contains("No reader of the driver template is connected"))
  }

  @Test("AUTHCORE_DRIVER is used where --driver is not given, and counts as unset while empty")
  func environment() throws {
    let state = try TestHome()
    func driver(_ arguments: [String], _ value: String) throws -> String? {
      let status = try state.authcore(
        ["status"] + arguments, environment: ["AUTHCORE_DRIVER": value])
      return status.json["driver"]?["name"]?.string ?? status.errorName
    }
    #expect(try driver([], "replay") == "replay")
    #expect(try driver([], "") != "replay")
    #expect(try driver(["--driver", "replay"], "no-such-driver") == "replay")
    #expect(try driver([], "no-such-driver") != "replay")
    #expect(try driver([], "replay:nonsense=1") == "usage")
  }
}

@Suite("Frames that a driver delivers again, through the command", .timeLimit(.minutes(60)))
struct RepeatedFrameTests {
  /// A device whose owner enrolled with a foreign driver: the replay driver's file in another folder,
  /// which may not repeat frames, and is a reader as any other.
  private struct Attack {
    let state: TestHome
    private let copy: String

    init() throws {
      state = try TestHome()
      copy = state.folder.file("libauthcore-driver-replay.so")
      try FileManager.default.copyItem(
        atPath: Products.program("libauthcore-driver-replay.so"), toPath: copy)
      try state.succeed("passcode", "set", passcode: TestHome.passcode)
      try state.succeed(
        "--driver", driver(Array(0..<5)), "--unattended", "finger", "enroll",
        passcode: TestHome.passcode)
      try state.succeed(
        "item", "add", "bank", "me", "--access", "biometry-current", secret: "s3cret")
    }

    /// The driver with these impressions of the owner's finger, each repeated `again` times.
    func driver(_ impressions: [Int], again: Int = 0) throws -> String {
      let lines = try impressions.flatMap { number in
        ["touch \(try Prints.owner.get()[number].path)"] + (again > 0 ? ["repeat \(again)"] : [])
      }
      // A finger that is on a reader at the beginning has to be lifted.
      let tape = try state.tape(["wait 2s"] + lines)
      return tape.replacingOccurrences(of: "replay:", with: copy + ":")
    }

    func open(_ driver: String) throws -> CommandRun {
      try state.authcore("--driver", driver, "--unattended", "item", "get", "bank")
    }
  }

  @Test("FINDINGS A2: a driver that hands out its last frame again opens an item once, not thrice")
  func opensOnce() throws {
    let attack = try Attack()
    try attack.open(attack.driver([5], again: 3)).expectSuccess()
    for _ in 0..<2 {
      let again = try attack.open(attack.driver([5], again: 3))
      #expect(again.status == 1 && again.errorName == "timedOut", "\(again.account)")
    }
    try attack.open(attack.driver([0, 1, 2, 3, 4])).expect(status: 1)
    #expect(try attack.state.authcore("status").json["biometry"]?["failures"]?.number == 0)
    // A request that gets nothing but repeated frames ends.
    try attack.open(attack.driver([5], again: 9_000)).expect(error: "biometryDisconnected")
    try attack.state.succeed("quit")
    try attack.state.succeed("unlock", passcode: TestHome.passcode)
    #expect(try attack.open(attack.driver([5])).status == 1)
    try attack.open(attack.driver([6])).expectSuccess()
  }

  @Test("FINDINGS A3: the replay driver's file elsewhere awaits no touch where nobody is asked")
  func foreign() throws {
    let attack = try Attack()
    let (state, driver) = (attack.state, try attack.driver([5]))
    try state.authcore("--driver", driver, "auth", "--policy", "biometrics", "--reason", "x")
      .expect(error: "notInteractive")
    try attack.open(driver).expectSuccess()
  }

  @Test("FINDINGS A2: the replay driver beside the core may repeat, by its path; status says so")
  func exempt() throws {
    let attack = try Attack()
    let elsewhere = try attack.state.authcore("--driver", attack.driver([5]), "status")
    #expect(elsewhere.json["driver"]?["framesMayRepeat"]?.bool == false, "\(elsewhere.account)")
    // A reader's finger never matches a tape.
    let tape = try attack.state.tape(["touch \(try Prints.owner.get()[5].path)", "repeat 3"])
    try attack.open(tape).expect(error: "biometryNotEnrolled")

    let state = try TestHome.enrolled()
    let own = try state.authcore("--driver", tape, "status")
    #expect(own.json["driver"]?["framesMayRepeat"]?.bool == true, "\(own.account)")
    let text = try state.authcore("--driver", tape, "status", json: false)
    #expect(text.text.contains("frames may repeat"), "\(text.account)")
    for _ in 0..<2 {
      try state.succeed("--driver", tape, "auth", "--policy", "biometrics", "--reason", "x")
    }
  }
}
