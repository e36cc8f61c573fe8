import ArgumentParser

/// `authcore-bench synthesize`
struct SynthesizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "synthesize",
    abstract: "Make prints that nobody has.",
    discussion:
      "Writes DIR/FINGER_IMPRESSION.pgm, counted from 1. The same seed gives the same files.")

  @Option(help: ArgumentHelp("How many fingers.", valueName: "n"))
  var fingers: Int

  @Option(help: ArgumentHelp("How many prints of each.", valueName: "m"))
  var impressions: Int

  @Option(help: ArgumentHelp("The folder to write them into.", valueName: "dir"))
  var out: String

  @Option(help: ArgumentHelp("Whose fingers.", valueName: "s"))
  var seed: UInt64 = 1

  @Option(help: "How the fingers are put on the sensor.")
  var habit = TouchHabit.everyday

  func run() throws {
    try synthesizePrints(
      fingers: fingers, impressions: impressions, directory: out, seed: seed, habit: habit)
  }
}
