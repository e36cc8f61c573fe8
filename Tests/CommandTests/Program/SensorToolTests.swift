import Foundation
import TestSupport
import Testing

@Suite("X3: tools for authors of drivers")
struct SensorToolTests {
  @Test("a recorded tape plays the pictures that were recorded")
  func recordAndPlay() throws {
    let folder = try TemporaryFolder()
    let tape = folder.file("mine.tape")
    let recorded = try CommandRun("--driver", "replay", "sensor", "record", tape, "--touches", "2")
    #expect(recorded.status == 0, "\(recorded.errors)")
    let lines = try String(decoding: folder.bytes("mine.tape"), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("wait") }
    #expect(lines == ["authcore-tape 1", "touch mine-001.pgm", "touch mine-002.pgm"])
    let played = try CommandRun(
      "--driver", "replay:tape=\(tape)", "sensor", "capture", folder.file("first.pgm"))
    #expect(played.status == 0, "\(played.errors)")
    #expect(try folder.bytes("first.pgm") == folder.bytes("mine-001.pgm"))
  }

  @Test("retries and unplugging are on the tape, and what was recorded is kept")
  func recordEvents() throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.tape")
    let picture = folder.file("picture.pgm")
    #expect(try CommandRun("--driver", "replay", "sensor", "capture", picture).status == 0)
    let source = "authcore-tape 1\nppi 700\nnoise too-dry\ntouch picture.pgm\nunplug\n"
    try source.write(toFile: folder.file("source.tape"), atomically: true, encoding: .utf8)
    let run = try CommandRun(
      "--driver", "replay:tape=\(folder.file("source.tape"))", "sensor", "record", copy)
    #expect(run.status == 0, "\(run.errors)")
    let lines = try String(decoding: folder.bytes("copy.tape"), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("wait") }
    #expect(
      lines == ["authcore-tape 1", "noise too-dry", "ppi 700", "touch copy-001.pgm", "unplug"])
  }

  @Test("nothing that is there is overwritten by a recording")
  func keepExisting() throws {
    let folder = try TemporaryFolder()
    let tape = folder.file("mine.tape")
    try "mine".write(toFile: tape, atomically: true, encoding: .utf8)
    let run = try CommandRun("--driver", "replay", "sensor", "record", tape)
    #expect(run.status == 3)
    #expect(run.errors.contains("is there already"))
    #expect(try folder.bytes("mine.tape") == Array("mine".utf8))
    let picture = try CommandRun("--driver", "replay", "sensor", "record", folder.file("a.txt"))
    #expect(picture.status == 64)
  }

  @Test("a capture is PGM or PNG by its name; an overlay is in color")
  func capture() throws {
    let folder = try TemporaryFolder()
    #expect(
      try CommandRun("--driver", "replay", "sensor", "capture", folder.file("a.png")).status == 0)
    #expect(
      try CommandRun(
        "--driver", "replay", "sensor", "capture", folder.file("b.png"), "--overlay"
      ).status == 0)
    let (plain, overlaid) = (try folder.bytes("a.png"), try folder.bytes("b.png"))
    // PNG (second edition), section 11.2.2: IHDR's color type is the 26th byte; 0 is gray, 2 is
    // red, green and blue.
    #expect(plain.starts(with: [0x89, 0x50, 0x4E, 0x47]) && plain[25] == 0)
    #expect(overlaid.starts(with: [0x89, 0x50, 0x4E, 0x47]) && overlaid[25] == 2)
    let refused = try CommandRun(
      "--driver", "replay", "sensor", "capture", folder.file("c.pgm"), "--overlay")
    #expect(refused.status == 64)
    #expect(!FileManager.default.fileExists(atPath: folder.file("c.pgm")))
  }

  @Test("a file that is there is replaced only with --force, and any other ending is refused")
  func captureExisting() throws {
    let folder = try TemporaryFolder()
    func capture(_ name: String, _ others: String...) throws -> CommandRun {
      try CommandRun(["--driver", "replay", "sensor", "capture", name] + others, in: folder.path)
    }
    try "mine".write(toFile: folder.file("a.pgm"), atomically: true, encoding: .utf8)
    let kept = try capture("a.pgm")
    #expect(kept.status == 3 && kept.errors.contains("--force"), "\(kept)")
    #expect(try folder.bytes("a.pgm") == Array("mine".utf8))
    #expect(try capture("a.pgm", "--force").status == 0)
    #expect(try folder.bytes("a.pgm").starts(with: Array("P5".utf8)))
    for name in ["x.jpg", "x", "pgm", ".", "x.png/"] {
      let refused = try capture(name)
      #expect(refused.status == 64, "\(refused)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == ["a.pgm"])
  }

  @Test("a capture is written through links and into pipes and devices, never over them")
  func captureThrough() throws {
    let folder = try TemporaryFolder()
    func capture(_ name: String, _ others: String...) throws -> CommandRun {
      try CommandRun(["--driver", "replay", "sensor", "capture", name] + others, in: folder.path)
    }
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.file("new.pgm"), withDestinationPath: "far.pgm")
    #expect(try capture("new.pgm").status == 0)
    #expect(try folder.bytes("far.pgm").starts(with: Array("P5".utf8)))
    #expect(try files.destinationOfSymbolicLink(atPath: folder.file("new.pgm")) == "far.pgm")
    try "mine".write(toFile: folder.file("far.pgm"), atomically: true, encoding: .utf8)
    #expect(try capture("new.pgm").status == 3)
    #expect(try capture("new.pgm", "--force").status == 0)
    #expect(try folder.bytes("far.pgm").starts(with: Array("P5".utf8)))
    #expect(try files.destinationOfSymbolicLink(atPath: folder.file("new.pgm")) == "far.pgm")

    try files.createSymbolicLink(atPath: folder.file("null"), withDestinationPath: "/dev/null")
    #expect(try capture("null").status == 0)
    #expect(try files.destinationOfSymbolicLink(atPath: folder.file("null")) == "/dev/null")
    let full = try capture("/dev/full")
    #expect(full.status == 5 && full.errors.contains("No space left"), "\(full)")
    #expect(unsafe access("/dev/full", W_OK) == 0)
    #expect(try capture("null", "--overlay").status == 64)

    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    let reader = unsafe open(folder.file("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    // A pipe holds 64 KiB, fewer than the picture has: F_SETPIPE_SZ (fcntl(2)).
    #expect(fcntl(reader, 1031, 1 << 20) >= 1 << 20)
    #expect(try capture("pipe").status == 0)
    var start: [UInt8] = [0, 0]
    #expect(unsafe read(reader, &start, 2) == 2 && start == Array("P5".utf8))
  }

  @Test("- and /dev/stdout are standard output, which gets only a PGM")
  func captureToStandardOutput() throws {
    let folder = try TemporaryFolder()
    func capture(_ name: String, _ others: String...) throws -> CommandRun {
      try CommandRun(["--driver", "replay", "sensor", "capture", name] + others, in: folder.path)
    }
    #expect(try capture("a.pgm").status == 0)
    let size = try folder.bytes("a.pgm").count
    for name in ["-", "/dev/stdout"] {
      let run = try capture(name)
      // The text of a run replaces bytes that are none; its beginning is one.
      #expect(run.status == 0 && run.output.hasPrefix("P5\n300 "), "\(run.errors)")
      #expect(run.output.unicodeScalars.count > size / 2)
      #expect(try capture(name, "--json").status == 64)
      #expect(try capture(name, "--overlay").status == 64)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pgm"])
    let tape = try CommandRun(
      ["--driver", "replay", "sensor", "record", "-", "--touches", "1"], in: folder.path)
    #expect(tape.output.hasPrefix("authcore-tape 1\n"), "\(tape)")
    #expect(tape.output.hasSuffix("touch touch-001.pgm\n"), "\(tape)")
    #expect(try folder.bytes("touch-001.pgm") == folder.bytes("a.pgm"))
  }

  @Test("watch ends after the touches it was asked for, with minutiae in the picture")
  func watch() throws {
    let run = try CommandRun("--driver", "replay", "sensor", "watch", "--touches", "2")
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").filter { $0.contains("minutiae") }.count == 2)
    #expect(run.output.contains("o"))
    let json = try CommandRun("--driver", "replay", "sensor", "watch", "--touches", "1", "--json")
    #expect(json.output.hasPrefix("{\"touches\":[{\"width\":300,"))
  }

  @Test("the kit's findings are one object with --json, and a failure is exit code 5")
  func checkJSON() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("none.so")
    try "text".write(toFile: file, atomically: true, encoding: .utf8)
    let run = try CommandRun("driver", "check", file, "--json")
    #expect(run.status == 5)
    #expect(run.output.contains("\"passed\":false"))
    #expect(run.output.contains("\"name\":\"symbols\",\"outcome\":\"failed\""))
    let missing = try CommandRun("driver", "check", folder.file("gone.so"))
    #expect(missing.status == 2)
    #expect(missing.output.isEmpty)
  }

  @Test("the findings come one after the other, and standard error stays empty without a terminal")
  func check() throws {
    let run = try CommandRun("driver", "check", "template")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let names = run.output.split(separator: "\n").filter { $0.hasPrefix("passed") }
      .map { $0.dropFirst("passed   ".count).prefix { $0 != " " } }
    #expect(names.prefix(4) == ["symbols", "loading", "sandbox", "layout"])
    #expect(run.output.hasSuffix("\n22 passed, 0 failed, 1 not run\n"))
  }

  /// Of the template's device: opened and closed.
  private static let traffic = """
    authcore-usb-recording 1
    device 1209:0001 0100
    interface 0 ff ff ff 81 82
    control c0 02 0000 0000 4 = 60 70 01 01
    control 40 01 0000 0000 0 =

    """

  @Test("--log shows on standard error what driver and transport say, with its level")
  func log() throws {
    let folder = try TemporaryFolder()
    try Self.traffic.write(toFile: folder.file("a.usb"), atomically: true, encoding: .utf8)
    let line =
      "The recording, line 5: expected control 40 01 0000 0000 0, got control 40 01 0001 0000 0"
    let arguments = ["--driver", "template:device=a.usb", "sensor", "capture", "a.pgm"]
    let quiet = try CommandRun(arguments, in: folder.path)
    #expect(quiet.status == 5 && !quiet.errors.contains("expected"), "\(quiet.errors)")
    for command in [["watch"], ["capture", "a.pgm"], ["record", "a.tape"]] {
      let run = try CommandRun(
        ["--driver", "template:device=a.usb", "sensor"] + command + ["--log"], in: folder.path)
      #expect(run.errors.contains("error    " + line), "\(run.errors)")
      #expect(!run.output.contains("expected"))
    }
    let check = try CommandRun(
      ["driver", "check", "template", "--traffic", "a.usb", "--log"], in: folder.path)
    #expect(check.status == 5)
    #expect(check.errors.contains("recording: error    transport: " + line), "\(check.errors)")
    #expect(check.output.contains("as it should: unplug it and plug it in again. " + line))
  }

  @Test("a recording is named by its path alone, or with the device of it that is meant")
  func recordedDevice() throws {
    let folder = try TemporaryFolder()
    try Self.traffic.write(toFile: folder.file("a.usb"), atomically: true, encoding: .utf8)
    for device in ["a.usb", "./a.usb", folder.file("a.usb"), "a.usb:1209:0001"] {
      let run = try CommandRun(
        ["--driver", "template:device=\(device)", "sensor", "capture", "a.pgm"], in: folder.path)
      // It opens, and then the recording has no touch.
      #expect(run.status == 5, "\(run.errors)")
      #expect(run.errors.contains("does not answer as it should"), "\(run.errors)")
    }
    try "@DEV /dev/bus/usb/001/003\nUSBDEVFS_GET_CAPABILITIES 0 FD010000\n"
      .write(toFile: folder.file("elan.ioctl"), atomically: true, encoding: .utf8)
    let unnamed = try CommandRun(
      ["--driver", "elan:device=elan.ioctl", "sensor", "capture", "a.pgm"], in: folder.path)
    #expect(unnamed.status == 5 && unnamed.errors.contains("FILE:298d:1010; possible are 04f3:0"))
    let named = try CommandRun(
      ["--driver", "elan:device=elan.ioctl:04f3:0c26", "sensor", "capture", "a.pgm"],
      in: folder.path)
    #expect(named.status == 5 && !named.errors.contains("possible are"), "\(named.errors)")
    let missing = try CommandRun(
      ["--driver", "template:device=b.usb", "sensor", "capture", "a.pgm"], in: folder.path)
    #expect(missing.status == 64, "\(missing.errors)")
    #expect(missing.errors.contains(folder.file("b.usb")), "\(missing.errors)")
    #expect(missing.errors.contains("FILE:05ba:000a"))
  }

  @Test("udev rules name each driver and device once")
  func udevRules() throws {
    let run = try CommandRun("driver", "udev-rules")
    #expect(run.status == 0)
    let rules = run.output.split(separator: "\n").filter { $0.contains("idVendor") }
    #expect(rules.count == Set(rules).count)
    #expect(rules.contains { $0.contains("\"1209\"") && $0.contains("TAG+=\"uaccess\"") })
  }

  @Test(
    "driver list says of any reader what reads it",
    arguments: [
      ("05ba:000a", "delivers images and works with the driver uru4000"),
      ("06cb:00bd", "matches on the chip and works with the driver synaptics"),
      ("27c6:609C", "27c6:609c of Goodix matches on the chip"),
      ("138a:0050", "works through libfprint (its driver vfs0050)"),
      ("138a:0097", "No open driver exists for the reader 138a:0097"),
      ("1d6b:0002", "Nothing is known about the device 1d6b:0002"),
    ])
  func listByID(device: String, answer: String) throws {
    let run = try CommandRun("driver", "list", device)
    #expect(run.status == 0 && run.output.contains(answer), "\(run)")
    let object = try CommandRun("driver", "list", device, "--json")
    #expect(object.status == 0 && object.output.contains("\"device\":\"\(device.lowercased())\""))
    #expect(try CommandRun("driver", "list", device + "0").status == 64)
  }
}
