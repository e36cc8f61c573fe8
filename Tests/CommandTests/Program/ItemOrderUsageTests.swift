import Testing

@Suite("The order of items, without a core", .timeLimit(.minutes(15)))
struct ItemOrderUsageTests {
  @Test(
    "an order or a number that there is not is a usage error, which says what there is",
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
