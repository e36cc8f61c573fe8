import DriverKit
import Foundation
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("X3: a driver to start from")
struct TemplateTests {
  private var authcore: String { Sources.products + "/authcore" }

  @Test("what is in the command is what is in the sources, all of it")
  func embeddedFiles() throws {
    for reader in DriverTemplate.Reader.allCases {
      let template = try DriverTemplate(
        name: "template", language: .c, reader: reader, device: nil)
      for file in template.files {
        if file.path.hasPrefix("include/") {
          #expect(
            try file.text == Sources.text(file.path), "\(file.path) is another one in the command")
        } else {
          // What is left out is for the other kind of reader, and no choice is left to the author.
          let lines = try Set(
            Sources.text("Drivers/Template/" + file.path)
              .replacing("../../include", with: "include")
              .replacing(
                "AUTHCORE ?= authcore",
                with: "AUTHCORE ?= $(shell command -v authcore || echo 'authcore')"
              )
              .replacing("\"Template \(reader.rawValue) sensor (imaginary)\"", with: "\"template\"")
              .split(separator: "\n"))
          #expect(file.text.split(separator: "\n").allSatisfy(lines.contains), "\(file.path)")
          #expect(!file.text.contains("#if"), "\(file.path)")
        }
      }
    }
    let kit = try DriverTemplate(name: "template", language: .swift, device: nil).files
      .filter { $0.path.hasPrefix("SensorKit/") }
    #expect(
      Set(kit.map(\.path))
        == Set(try Sources.files(below: "Sources/Kits/SensorKit").map { "SensorKit/" + $0 }),
      "Sources/C/CEmbeddedFiles/files.c lists them")
    for file in kit {
      #expect(
        try file.text == Sources.text("Sources/Kits/" + file.path),
        "\(file.path) is another one in the command")
    }
  }

  @Test(
    "a fresh folder builds with make and passes every check at once",
    arguments: [
      (["--language", "c"], "22 passed, 0 failed, 1 not run"),
      (["--language", "swift"], "22 passed, 0 failed, 1 not run"),
      (["--swipe"], "22 passed, 0 failed, 1 not run"),
      (["--swipe", "--language", "swift"], "22 passed, 0 failed, 1 not run"),
      (["--match-on-chip"], "22 passed, 0 failed, 1 not run"),
    ])
  func freshFolder(_ arguments: [String], summary: String) throws {
    let folder = try TemporaryFolder()
    let made = try Sources.run(
      [authcore, "driver", "new", "my-reader", "--usb", "05ba:000a"] + arguments, in: folder.path)
    #expect(made.status == 0, "\(made.output)")
    let built = try Sources.run(
      ["make", "test", "AUTHCORE=" + authcore], in: folder.file("my-reader"))
    #expect(built.status == 0, "\(built.output)")
    #expect(built.output.contains(summary), "\(built.output)")
    let driver = try DriverCatalog(.current(isService: false)).describe(
      folder.file("my-reader/my-reader.so"))
    #expect(driver.description.name == "my-reader")
    #expect(driver.description.usbMatches == [.init(vendor: 0x05BA, product: 0x000A)])
  }

  @Test(
    "a driver that has no bound for the stripes of a swipe fails at one that does not end",
    arguments: [
      ("", "passed   lifting"),
      (
        "count + STRIPES_IN_REPORT > MAX_STRIPES || ",
        "in capture, of a swipe that does not end"
      ),
    ])
  func boundlessSwipe(removed: String, words: String) throws {
    let folder = try TemporaryFolder()
    _ = try DriverTemplate(name: "mine", language: .c, reader: .swipe, device: nil)
      .write(in: folder.path)
    let source = folder.file("mine/mine.c")
    let text = try String(contentsOfFile: source, encoding: .utf8)
    try #require(removed.isEmpty || text.contains(removed))
    try text.replacing(removed, with: "").write(toFile: source, atomically: true, encoding: .utf8)
    let run = try Sources.run(["make", "test", "AUTHCORE=" + authcore], in: folder.file("mine"))
    #expect(run.output.contains(words), "\(run.output)")
    #expect((run.status == 0) == removed.isEmpty)
  }

  @Test(
    "a name that no driver can have is refused",
    arguments: ["", "Upper", "with space", "under_score", "1st", "../up", "x-model", "-x"])
  func badName(_ name: String) {
    #expect(throws: Failure.self) {
      _ = try DriverTemplate(name: name, language: .c, device: nil)
    }
  }

  @Test(
    "kinds of readers that exclude each other, or have no template, are usage errors",
    arguments: [["--swipe"], ["--language", "swift"]])
  func impossibleReader(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try Sources.run(
      [authcore, "driver", "new", "x", "--match-on-chip"] + arguments, in: folder.path)
    #expect(run.status == 64, "\(run.output)")
  }

  @Test("a folder that is there already is left alone")
  func existingFolder() throws {
    let folder = try TemporaryFolder()
    let template = try DriverTemplate(name: "mine", language: .c, device: nil)
    let made = try template.write(in: folder.path)
    #expect(made == folder.file("mine"))
    let failure = #expect(throws: Failure.self) { _ = try template.write(in: folder.path) }
    #expect(failure?.code == .errSecDuplicateItem)
  }

  @Test(
    "a device that is none is a usage error", arguments: ["05ba", "05ba:00", "05ba:zzzz", "::"])
  func badDevice(_ text: String) throws {
    let folder = try TemporaryFolder()
    let run = try Sources.run([authcore, "driver", "new", "x", "--usb", text], in: folder.path)
    #expect(run.status == 64)
    #expect(run.output.contains("is not a USB device"))
  }
}

@Suite("udev rules")
struct UdevRulesTests {
  private func template() throws -> DriverDescription {
    try DriverCatalog(.current(isService: false)).describe(
      Sources.products + "/libauthcore-driver-template.so"
    ).description
  }

  @Test("the template's device gets one rule, between the guards")
  func oneDevice() throws {
    let rules = try UdevRules([template()])
    let matching = rules.lines.filter { $0.contains("idVendor") }
    #expect(
      matching == [
        "ATTR{idVendor}==\"1209\", ATTR{idProduct}==\"0001\", TAG+=\"uaccess\", "
          + "GROUP=\"plugdev\", MODE=\"0660\", ATTR{power/control}=\"auto\""
      ])
    #expect(rules.lines.contains("# template: Template press sensor (imaginary)"))
    #expect(rules.lines.last == "LABEL=\"authcore_end\"")
  }

  @Test("a device that two drivers handle has one rule, the first one's")
  func twoDrivers() throws {
    let description = try template()
    let rules = UdevRules([description, description])
    #expect(rules.groups.count == 1)
    #expect(rules.groups[0].devices == [.init(vendor: 0x1209, product: 0x0001)])
  }

  @Test("without drivers there is a file that does nothing")
  func none() { #expect(UdevRules([]).lines.allSatisfy { !$0.contains("idVendor") }) }
}
