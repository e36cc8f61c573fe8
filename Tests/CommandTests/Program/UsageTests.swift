import BuildIdentity
import Glibc
import Protocol
import Testing

@testable import authcore

@Suite("The command line, without a core", .timeLimit(.minutes(60)))
struct UsageTests {
  @Test(
    "a command line that cannot be parsed ends with 64, and with --json as one object",
    arguments: [
      ["nonsense"], ["status", "--nonsense"], ["--home"], ["auth", "--policy", "x"],
      ["--timeout", "soon", "status"], ["--timeout", "0", "status"], ["--answer", "x", "auth"],
      ["--passcode-fd", "99999", "unlock"], ["--passcode-file", "/nonexistent", "unlock"],
      ["auth", "--reuse", "301"], ["finger", "enroll", "--touches", "2"],
      ["finger", "rename", "x"],
      ["item", "add"], ["item", "add", "--service", "s", "--accessible", "x"],
      ["item", "add", "--service", "s", "--access", "presence and passcode"],
      ["item", "add", "--service", "s", "--access", "biometry-any and passcode or biometry-any"],
      ["item", "update", "--service", "s"], ["item", "get", "--class", "x"],
      ["item", "add", "s", "--access", "presence", "--accessible", "when-unlocked"],
      ["item", "add", "s", "--access", "presence", "--accessible", "after-first-unlock"],
      ["item", "get"], ["item", "update", "--set-label", "x"], ["item", "remove"],
      ["item", "remove", "--all", "--yes"], ["item", "share", "--with", "/bin/true"],
      ["item", "get", ""], ["item", "get", "--service", "", "--account", ""],
      ["item", "remove", "--all", "--yes", "--service", ""], ["item", "get", "--id", ""],
      ["item", "get", "mail", "--service", "mail"], ["item", "find", "a", "b", "--account", "b"],
      ["item", "add", "mail", "ann", "secret"], ["item", "list", "mail", "--service", ""],
      ["--passcode-fd", "0", "item", "add", "--service", "s"],
      ["passcode", "change", "--passcode-fd", "0", "--new-passcode-fd", "0"],
      ["serve", "--lock-after", "0"], ["--driver", "", "status"],
    ])
  func usage(arguments: [String]) throws {
    let plain = try CommandRun(arguments)
    #expect(plain.status == 64, "\(plain)")
    #expect(plain.output == "")
    #expect(plain.errors.hasPrefix("authcore: "))
    let json = try CommandRun(["--json"] + arguments)
    #expect(json.status == 64, "\(json)")
    #expect(json.output.hasPrefix("{\"error\":{\"code\":-7010,\"name\":\"usage\","), "\(json)")
    #expect(json.output.split(separator: "\n").count == 1)
    #expect(json.errors == "")
  }

  @Test("an unknown command is named, with the known ones")
  func unknownCommand() throws {
    let root = try CommandRun("--json", "nonsense")
    #expect(root.output.contains("Unknown command “nonsense”"), "\(root)")
    #expect(root.output.contains("status, doctor, auth"), "\(root)")
    let near = try CommandRun("--json", "finngers")
    #expect(near.output.contains("Did you mean: authcore finger"), "\(near)")
    let group = try CommandRun("finger", "enrll")
    #expect(group.errors.contains("Unknown command"), "\(group)")
    #expect(group.errors.contains("finger enrll"), "\(group)")
    #expect(group.errors.contains("Did you mean: authcore finger enroll\n"), "\(group)")
  }

  @Test(
    "A9: an invalid key is refused before a core is asked",
    arguments: [
      (["create", "k", "--accessible", "when-unlocked"], "never leaves this device"),
      (["create", "k", "--accessible", "after-first-unlock"], "never leaves this device"),
      (["create", "k", "--accessible", "always"], "no accessibility class"),
      (["create", "k", "--access", "biometry"], "--access does not know"),
      (["create", "k", "--strict-match"], "guards nothing"),
      (["create", ""], "name of the key is empty"),
      (["create", String(repeating: "k", count: 1025)], "longer than 1024 bytes"),
      (["public", "k", "--format", "der"], "der"), (["sign", "k", "--digest"], "32 bytes"),
      (["sign", "k", "--reason", ""], "no visible characters"),
      (["decrypt", "k"], "nothing that was"),
      (["decrypt", ""], "name of the key is empty"), (["remove"], "<name>"), (["sign"], "<name>"),
    ])
  func keyUsage(arguments: [String], reason: String) throws {
    let run = try CommandRun(["--json", "key"] + arguments)
    #expect(run.status == 64, "\(run)")
    #expect(run.output.contains(reason), "\(run)")
  }

  @Test(
    "a command without what it needs says what is missing",
    arguments: [
      (["driver", "check"], "<path[:key=value,…]>"), (["driver", "new"], "<name>"),
      (["sensor", "record"], "<file>"), (["finger", "rename"], "<finger>"),
    ])
  func missing(arguments: [String], operand: String) throws {
    let run = try CommandRun(["--json"] + arguments)
    #expect(run.status == 64, "\(run)")
    #expect(run.output.contains("Missing expected argument '\(operand)'"), "\(run)")
  }

  @Test(
    "L6, FINDINGS A14: a reason without visible characters is an error before anybody is asked",
    arguments: ["", "  ", "\n", "\u{200B}"])
  func unreadableReason(reason: String) throws {
    for command in [["auth"], ["item", "get", "x"], ["item", "copy", "x"], ["key", "sign", "k"]] {
      let run = try CommandRun(command + ["--reason", reason, "--json"])
      #expect(run.status == 64)
      #expect(run.output.contains("\"name\":\"invalidReason\""), "\(run)")
    }
  }

  @Test("quit starts no core")
  func quit() throws {
    let run = try CommandRun("quit", "--json")
    #expect(run.status == 0, "\(run)")
    #expect(run.output == "{}\n")
  }

  @Test(
    "every command has help with an overview, its usage, and a text for every option",
    arguments: [
      ["status"], ["doctor"], ["auth"], ["passcode", "set"], ["passcode", "change"],
      ["passcode", "remove"], ["finger", "enroll"], ["finger", "list"], ["finger", "rename"],
      ["finger", "remove"], ["finger", "test"], ["lock"], ["unlock"], ["item", "add"],
      ["item", "get"], ["item", "find"], ["item", "list"], ["item", "update"], ["item", "remove"],
      ["driver", "list"], ["driver", "info"], ["sensor", "watch"], ["sensor", "capture"],
      ["serve"], ["quit"],
    ])
  func help(arguments: [String]) throws {
    let run = try CommandRun(arguments + ["--help"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("OVERVIEW: "))
    #expect(run.output.contains("USAGE: authcore " + arguments.joined(separator: " ")))
    #expect(run.output.contains("\nEXIT CODES:\n  0    done"))
    for option in ["--driver", "--home", "--json", "--passcode-file", "--answer"] {
      #expect(run.output.contains("  \(option)"), "\(option)")
    }
    // An option whose explanation is missing stands alone on its line and is not followed by a
    // deeper one.
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  --") {
      #expect(line.dropFirst(26).contains { $0 != " " } || next.hasPrefix("      "), "\(line)")
    }
  }

  @Test("the version and completions for three shells are there")
  func completions() throws {
    #expect(try CommandRun("--version").output.hasPrefix("authcore \(BuildIdentity.version)"))
    for shell in ["bash", "zsh", "fish"] {
      let run = try CommandRun("--generate-completion-script", shell)
      #expect(run.status == 0)
      #expect(run.output.contains("biometrics"))
    }
  }
}

@Suite("The order of items, without a core", .timeLimit(.minutes(60)))
struct ItemOrderUsageTests {
  @Test(
    "an invalid order or number is a usage error that names the valid ones",
    arguments: [
      (["--sort", "size"], "service"), (["--sort", "size"], "modified"),
      (["--sort", ""], "created"), (["--sort"], "--sort"), (["--limit"], "--limit"),
      (["--limit", "0"], "1 or more"), (["--limit=-1"], "1 or more"),
      (["--limit", "-1"], "--limit"), (["--limit", "ten"], "ten"), (["--limit", "1.5"], "1.5"),
      (["--limit", "9223372036854775808"], "9223372036854775808"),
    ])
  func usage(arguments: [String], reason: String) throws {
    for command in ["list", "find"] {
      let run = try CommandRun(["--json", "item", command] + arguments)
      #expect(run.status == 64, "\(run)")
      #expect(run.output.contains("\"usage\"") && run.output.contains(reason), "\(run)")
    }
  }
}

@Suite("Attributes on the command line")
struct AttributeArgumentsTests {
  @Test(
    "an attribute is a known name with a valid value",
    arguments: [
      "comment", "color=red", "port=http", "port=", "isInvisible=yes", "generic=AQ",
      "generic=AR==", "comment=" + String(repeating: "x", count: 1025),
    ])
  func attributes(argument: String) throws {
    let isTakenAway = argument == "port="
    do throws(Failure) {
      let terms = try AttributeArguments.terms([argument], option: "--attribute")
      #expect(isTakenAway && terms[.port] == .text(""))
    } catch {
      #expect(error.code == .usage && !isTakenAway, "\(error)")
    }
  }

  @Test("each form of attribute is parsed")
  func attributeForms() throws {
    let terms = try AttributeArguments.terms(
      ["comment=a=b", "port=993", "isInvisible=true", "generic=AP8=", "account=ann"],
      option: "--attribute")
    #expect(
      terms == [
        .comment: .text("a=b"), .port: .number(993), .isInvisible: .number(1),
        .generic: .data([0, 255]), .account: .text("ann"),
      ])
  }
}
