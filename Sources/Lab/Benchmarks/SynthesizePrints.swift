import GrayImage
import SyntheticPrints

/// Writes `impressions` prints of each of `fingers` synthetic fingers to
/// `<directory>/<finger>_<impression>.pgm`, both counted from 1, 300x400 pixels at 500 ppi.
///
/// `habit` is how the fingers are put on the sensor. The same seed gives the same files on every
/// machine. The folder is made if it is not there.
///
/// - Throws: ``BenchmarkFailure`` when a count is not in 1...100,000 or a file cannot be written.
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
    // Spread so far that sets made from neighboring seeds share no finger.
    let finger = SyntheticFinger(seed: seed &* 1_000_003 &+ UInt64(number))
    for impression in 1...impressions {
      let picture = finger.impression(
        seed: UInt64(impression), conditions: habit.conditions(of: impression))
      try BenchmarkFile("\(directory)/\(number)_\(impression).pgm").write(picture.encodedPGM())
    }
  }
}
