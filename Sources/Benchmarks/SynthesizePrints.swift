import Glibc
import GreyImage
import SyntheticPrints

/// Why prints could not be written.
struct SynthesisError: Error, CustomStringConvertible {
  let description: String
}

/// Writes `impressions` prints of each of `fingers` synthetic fingers to
/// `<directory>/<finger>_<impression>.pgm`, both counted from 1, 300x400 pixels at 500 ppi.
///
/// The same seed gives the same files on every machine. The folder is made if it is not there.
///
/// - Throws: ``SynthesisError`` when a count is not in 1...100,000 or a file cannot be written.
func synthesizePrints(
  fingers: Int, impressions: Int, directory: String, seed: UInt64
) throws(SynthesisError) {
  for (count, name) in [(fingers, "fingers"), (impressions, "impressions")] {
    guard (1...100_000).contains(count) else {
      throw SynthesisError(description: "\(count) \(name): from 1 to 100000 can be made")
    }
  }
  if unsafe mkdir(directory, 0o777) != 0 && errno != EEXIST {
    throw SynthesisError(description: "cannot make the folder \(directory): \(reason(of: errno))")
  }
  for number in 1...fingers {
    // Spread so far that sets made from neighbouring seeds share no finger.
    let finger = SyntheticFinger(seed: seed &* 1_000_003 &+ UInt64(number))
    for impression in 1...impressions {
      let picture = finger.impression(seed: UInt64(impression))
      try write(picture.encodedPGM(), to: "\(directory)/\(number)_\(impression).pgm")
    }
  }
}

private func write(_ bytes: [UInt8], to path: String) throws(SynthesisError) {
  guard let file = unsafe fopen(path, "w") else {
    throw SynthesisError(description: "cannot create \(path): \(reason(of: errno))")
  }
  let written = unsafe fwrite(bytes, 1, bytes.count, file)
  let closed = unsafe fclose(file)
  guard written == bytes.count, closed == 0 else {
    throw SynthesisError(description: "cannot write \(path): \(reason(of: errno))")
  }
}

private func reason(of code: Int32) -> String {
  unsafe String(cString: strerror(code))
}
