import ArgumentParser
import GrayImage
import SyntheticPrints

struct SynthesizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "synthesize",
    abstract: "Make prints of fingers that do not exist.",
    discussion:
      "Writes DIR/FINGER_IMPRESSION.pgm, counted from 1. The same seed gives the same files.")

  @Option(help: "How many fingers.") var fingers: Int
  @Option(help: "How many prints of each.") var impressions: Int
  @Option(help: ArgumentHelp("The folder to write them into.", valueName: "dir")) var out: String
  @Option(help: "Whose fingers.") var seed: UInt64 = 1
  @Option(help: "How the fingers are put on the sensor.") var habit = TouchHabit.everyday

  func run() throws {
    try synthesizePrints(
      fingers: fingers, impressions: impressions, directory: out, seed: seed, habit: habit)
  }
}

/// Writes prints of synthetic fingers to `<directory>/<finger>_<impression>.pgm`, both counted from
/// 1, 300x400 pixels at 500 ppi. The same seed gives the same files on every machine.
///
/// - Throws: ``BenchmarkFailure`` if a count is not in 1...100,000 or a file cannot be written.
func synthesizePrints(
  fingers: Int, impressions: Int, directory: String, seed: UInt64, habit: TouchHabit
) throws(BenchmarkFailure) {
  for (count, name) in [(fingers, "fingers"), (impressions, "impressions")] {
    guard (1...100_000).contains(count) else {
      throw BenchmarkFailure("\(count) \(name): from 1 to 100000 can be made")
    }
  }
  try BenchmarkFile(directory).makeFolder()
  for number in 1...fingers {
    // Spread so far that sets of neighboring seeds share no finger.
    let finger = SyntheticFinger(seed: seed &* 1_000_003 &+ UInt64(number))
    for impression in 1...impressions {
      let picture = finger.impression(
        seed: UInt64(impression), conditions: habit.conditions(of: impression))
      try BenchmarkFile("\(directory)/\(number)_\(impression).pgm").write(picture.encodedPGM())
    }
  }
}
