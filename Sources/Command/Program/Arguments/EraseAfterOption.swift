import ArgumentParser
import Protocol

/// `--erase-after N`: after how many wrong passcodes the device destroys what it holds.
struct EraseAfterOption: ParsableArguments {
  @Option(
    name: .customLong("erase-after"),
    help: ArgumentHelp(
      """
      Destroy everything stored here after so many different wrong passcodes in a row \
      (\(eraseAfterRange.lowerBound)…\(eraseAfterRange.upperBound); 0: never).
      """, valueName: "n"))
  var number: UInt32?

  func validate() throws {
    guard let number, number != 0, !eraseAfterRange.contains(number) else { return }
    throw ValidationError(
      """
      --erase-after takes \(eraseAfterRange.lowerBound) to \(eraseAfterRange.upperBound), or 0 for \
      never
      """)
  }
}
