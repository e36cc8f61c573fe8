import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("The value of --driver")
struct DriverOptionTests {
  @Test(
    "only the first colon splits, and a backslash keeps a comma",
    arguments: [
      ("replay", "replay", []),
      ("replay:", "replay", []),
      ("replay:tape=/a/b.tape", "replay", [("tape", "/a/b.tape")]),
      ("replay:tape=a:b,hold=1", "replay", [("tape", "a:b"), ("hold", "1")]),
      ("./x.so:text=a\\,b\\c=d", "./x.so", [("text", "a,b\\c=d")]),
      ("replay:text=", "replay", [("text", "")]),
    ])
  func parsing(text: String, name: String, options: [(String, String)]) throws {
    let argument = try DriverArgument(parsing: text)
    #expect(argument.nameOrPath == name)
    #expect(argument.options.map(\.name) == options.map(\.0))
    #expect(argument.options.map(\.value) == options.map(\.1))
  }

  @Test(
    "what is no key=value is a usage error",
    arguments: ["", ":a=1", "replay:a", "replay:=1", "replay:a=1,,b=2", "replay:a=1,a=2"])
  func refusal(text: String) throws {
    let failure = try #require(throws: Failure.self) { try DriverArgument(parsing: text) }
    #expect(failure.code == .usage)
  }

  @Test("a relative path is made absolute, a name is not")
  func resolution() throws {
    let path = try DriverArgument(parsing: "build/x.so:a=1").resolved(relativeTo: "/home/me")
    #expect(path.nameOrPath == "/home/me/build/x.so")
    #expect(path.options.count == 1)
    #expect(try DriverArgument(parsing: "replay").resolved(relativeTo: "/").nameOrPath == "replay")
  }
}

@Suite("Options for a driver")
struct SensorOptionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func check(_ name: String, _ value: String) throws -> SensorOption {
    let description = try Fixture.driver(in: folder).description
    let options = try SensorOption.check(
      [.init(name: name, value: value)], against: description, relativeTo: "/home/me")
    return try #require(options.first)
  }

  @Test("an unknown option lists the known ones")
  func unknown() throws {
    let failure = try #require(throws: Failure.self) { try check("color", "red") }
    #expect(failure.code == .usage)
    #expect(failure.message == "The driver fixture has no option color")
    #expect(failure.hint == "its options: mode, base, data")
  }

  @Test(
    "numbers are decimal or hexadecimal", arguments: [("500", 500), ("0x1f4", 500), ("-3", -3)])
  func number(text: String, value: Int64) throws {
    #expect(try check("base", text).number == value)
  }

  @Test("what is no number is refused", arguments: ["", "0x", "5 ", "1e3", "99999999999999999999"])
  func notANumber(text: String) throws {
    let failure = try #require(throws: Failure.self) { try check("base", text) }
    #expect(failure.code == .usage)
  }

  @Test("a file that cannot be opened is named")
  func missingFile() throws {
    let option = try check("data", "none")
    #expect(option.value == "/home/me/none")
    let failure = try #require(throws: Failure.self) { _ = try DescriptorList(opening: [option]) }
    #expect(failure.message == "Cannot open /home/me/none: No such file or directory")
  }
}
