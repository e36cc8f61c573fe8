import Testing

@testable import authcore

@Suite("Options before and after the command")
struct OptionOrderTests {
  private func arranged(_ arguments: String...) -> [String] {
    OptionOrder.arranged(arguments, root: AuthcoreCommand.self).arguments
  }

  @Test("what stands before the command's name is moved behind it, in its order")
  func moved() {
    #expect(arranged("--json", "status") == ["status", "--json"])
    #expect(
      arranged("--driver", "replay:tape=a\\,b", "--json", "item", "get", "--service", "s")
        == ["item", "get", "--driver", "replay:tape=a\\,b", "--json", "--service", "s"])
    #expect(
      arranged("item", "--home=/x", "get", "--json") == ["item", "get", "--home=/x", "--json"])
  }

  @Test("what stands behind it stays")
  func kept() {
    #expect(arranged("status", "--json") == ["status", "--json"])
    #expect(
      arranged("finger", "rename", "status", "lock") == ["finger", "rename", "status", "lock"])
    #expect(arranged("help", "item") == ["help", "item"])
  }

  @Test("a value is not taken for a command, nor what follows -- for an option")
  func values() {
    #expect(arranged("--home", "status", "lock") == ["lock", "--home", "status"])
    #expect(arranged("--", "status") == ["--", "status"])
    #expect(arranged("--home") == ["--home"])
  }

  @Test("without a command the options stay what they are")
  func guided() {
    #expect(arranged("--driver", "replay", "--json") == ["--driver", "replay", "--json"])
    #expect(arranged() == [])
  }

  @Test("what run runs is told from its options, whatever it is called and given")
  func passedOn() {
    func separated(_ arguments: String...) -> [String] { OptionOrder.separatingCommand(arguments) }
    #expect(
      separated("run", "--env", "A=b", "ls", "-l") == ["run", "--env", "A=b", "--", "ls", "-l"])
    #expect(
      separated("run", "--env=A=b", "--json", "ls", "--", "x")
        == ["run", "--env=A=b", "--json", "--", "ls", "--", "x"])
    #expect(separated("run", "--env", "A=b", "--", "-x") == ["run", "--env", "A=b", "--", "-x"])
    #expect(separated("run", "--help", "ls") == ["run", "--help", "--", "ls"])
    #expect(separated("run", "--env") == ["run", "--env"])
  }

  @Test("--json is seen where the arguments cannot be understood")
  func json() {
    let arranged = OptionOrder.arranged(["--json", "nonsense"], root: AuthcoreCommand.self)
    #expect(arranged.asksFor("--json"))
    #expect(
      !OptionOrder.arranged(["x", "--", "--json"], root: AuthcoreCommand.self).asksFor("--json"))
  }
}
