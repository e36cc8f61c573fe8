import Cryptography
import Glibc
import Protocol

/// How a secret is made up: so many of these, each as likely as any other and without regard to the
/// rest.
struct SecretRecipe: Equatable {
  /// What it is made of, each in UTF-8; no two are the same.
  let parts: [[UInt8]]
  let count: Int
  /// What stands between two of them.
  let separator: [UInt8]

  /// The most characters or words.
  static let most = 1024

  /// Characters.
  /// - Throws: `usage` where there is nothing to choose from, or one comes twice.
  static func characters(_ alphabet: String, count: Int) throws(Failure) -> SecretRecipe {
    let characters = Array(alphabet.unicodeScalars)
    guard Set(characters).count == characters.count else {
      throw Failure(.usage, "A character comes twice, which would make it more likely than others")
    }
    guard characters.count >= 2 else {
      throw Failure(.usage, "There is nothing to choose from: give at least two characters")
    }
    guard !characters.contains(where: \.isSteering) else {
      throw Failure(.usage, "A character among them cannot be shown")
    }
    return SecretRecipe(
      parts: characters.map { Array(String($0).utf8) },
      count: try checked(count, "--length"), separator: [])
  }

  /// Words of ``WordList``.
  static func words(count: Int) throws(Failure) -> SecretRecipe {
    SecretRecipe(
      parts: WordList.words, count: try checked(count, "--words"),
      separator: [UInt8(ascii: "-")])
  }

  private static func checked(_ count: Int, _ option: String) throws(Failure) -> Int {
    guard (1...most).contains(count) else {
      throw Failure(.usage, "\(option) is between 1 and \(most)")
    }
    return count
  }

  /// How many bits it takes to say which of all possible secrets was made.
  var bits: Double { Double(count) * log2(Double(parts.count)) }

  /// Makes one, from the kernel's randomness.
  func make() throws(Failure) -> SecretBytes {
    var numbers = UnbiasedNumbers()
    var made = WireEncoder(capacity: count * ((parts.map(\.count).max() ?? 1) + separator.count))
    for index in 0..<count {
      if index > 0 { made.writeRaw(separator.span) }
      let part = parts[try numbers.next(below: parts.count)]
      made.writeRaw(part.span)
    }
    return made.finish()
  }
}

/// Names of sets of characters, as `--alphabet` takes them.
enum Alphabet: String, CaseIterable {
  case lowercase, uppercase, letters, digits, symbols, hex

  var characters: String {
    switch self {
    case .lowercase: "abcdefghijklmnopqrstuvwxyz"
    case .uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    case .letters: Alphabet.uppercase.characters + Alphabet.lowercase.characters
    case .digits: "0123456789"
    // All of ASCII but white space.
    case .symbols: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    case .hex: "0123456789abcdef"
    }
  }

  /// The characters of names joined by `+`; one that is in several sets counts once.
  static func characters(named text: String) throws(Failure) -> String {
    var characters = ""
    for name in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let alphabet = Alphabet(rawValue: String(name)) else {
        throw Failure(
          .usage, "There is no alphabet \u{201C}\(name)\u{201D}",
          hint: "There are: " + allCases.map(\.rawValue).joined(separator: ", ")
            + "; several are joined by +. Characters of your own: --characters SET")
      }
      characters += alphabet.characters.filter { !characters.contains($0) }
    }
    return characters
  }
}

/// Random numbers, each as likely as any other.
struct UnbiasedNumbers: ~Copyable {
  /// Random bytes that have not been used.
  private var bytes = SecretBytes(count: 0)
  private var used = 0
  private static let supply = 256

  init() {}

  /// A number below `bound`, which is at least 1.
  mutating func next(below bound: Int) throws(Failure) -> Int {
    let bound = UInt32(bound)
    // Numbers beyond the last whole multiple would make the first ones likelier.
    let limit = UInt32.max - UInt32.max % bound
    while true {
      let number = try nextNumber()
      if number < limit { return Int(number % bound) }
    }
  }

  private mutating func nextNumber() throws(Failure) -> UInt32 {
    if used + 4 > bytes.count {
      bytes = try KeyText.cryptographic { () throws(CryptographyError) in
        try RandomBytes.secret(count: Self.supply)
      }
      used = 0
    }
    defer { used += 4 }
    return (0..<4).reduce(0) { $0 << 8 | UInt32(bytes.bytes[used + $1]) }
  }
}
