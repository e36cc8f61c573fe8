/// A driver for a sensor that compares prints itself: extension `match-on-chip/1` of
/// `match_on_chip.h`. Its module hands it to the host with ``export(chip:host:ret:)``.
///
/// The kit keeps the order of calls: ``touch(timeout:)`` and ``commit(as:)`` come only while an
/// enrollment is under way, and a commit only at 100 percent; ``settle(isWaiting:timeout:)`` comes
/// before every other call. It checks the names of a question and of an answer. The driver talks to
/// the device.
public protocol ChipSensorDriver: SensorDriver, ~Copyable {
  /// What the open device can do. Does not talk to the device.
  var chip: ChipInfo { get }

  /// Begins an enrollment. None is under way.
  ///
  /// - Throws: ``SensorFailure/Code/full``.
  mutating func beginEnrollment(as name: ChipName) throws(SensorFailure)

  /// Has the chip forget what calls that are over have left. `isWaiting`: it may wait for a finger, or
  /// hold touches of an enrollment.
  mutating func settle(isWaiting: Bool, timeout: Duration) throws(SensorFailure)

  /// Waits for one touch of the enrollment. After a retry, a timeout or an interrupt the next call
  /// works. Any other failure ends the enrollment.
  mutating func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch

  /// Stores the template, durably when it returns.
  ///
  /// - Returns: the name that the chip stored.
  mutating func commit(as name: ChipName) throws(SensorFailure) -> ChipName

  /// Waits for a touch and says whose it is. `names` is empty only for a chip that does not filter.
  mutating func identify(among names: [ChipName], timeout: Duration) throws(SensorFailure)
    -> ChipMatch

  /// The names of all templates on the chip.
  mutating func list() throws(SensorFailure) -> [ChipName]

  /// Removes a template. Does nothing if there is none of that name.
  mutating func remove(_ name: ChipName) throws(SensorFailure)

  /// Removes every template. Called only for a chip with ``ChipInfo/Abilities/clears``; of another
  /// the host removes one after the other.
  mutating func clear() throws(SensorFailure)
}

extension SensorFailure {
  /// No finger can be enrolled before a template is removed.
  public static var chipIsFull: SensorFailure {
    SensorFailure(.full, "The reader has no room for another finger; remove one first")
  }
}

extension ChipSensorDriver where Self: ~Copyable {
  /// Such a sensor delivers no image. A host of ABI 1.1 shows this message.
  public mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    throw SensorFailure(
      .unsupported,
      "This reader compares prints itself and delivers no images; it needs a newer authcore")
  }

  public mutating func clear() throws(SensorFailure) {
    throw SensorFailure(.unsupported, "This chip cannot be cleared in one step")
  }
}

/// What a chip can do (`ac_chip_info`).
public struct ChipInfo: Equatable, Sendable {
  /// The bits of `ac_chip_info.abilities`, which `match_on_chip.h` explains.
  public struct Abilities: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let keepsName = Abilities(rawValue: 1 << 0)
    public static let lists = Abilities(rawValue: 1 << 1)
    public static let clears = Abilities(rawValue: 1 << 2)
    public static let findsDuplicates = Abilities(rawValue: 1 << 3)
    public static let filters = Abilities(rawValue: 1 << 4)
    public static let knowsLift = Abilities(rawValue: 1 << 5)
  }

  public let abilities: Abilities
  /// How many templates fit; 0 if that is unknown.
  public let capacity: Int
  /// The longest name that the chip stores, 1…64 bytes.
  public let nameBytes: Int
  /// How many good touches an enrollment takes; 0 if the chip decides on the way.
  public let touches: Int

  public init(abilities: Abilities, capacity: Int, nameBytes: Int, touches: Int) {
    self.abilities = abilities
    self.capacity = capacity
    self.nameBytes = nameBytes
    self.touches = touches
  }
}

/// The name of a template on a chip, 1…64 bytes. It opens a finger's key, so it prints as nothing.
public struct ChipName: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// `AC_CHIP_ID_MAX`
  public static let longest = 64

  public let bytes: [UInt8]

  /// - Throws: ``SensorFailure/Code/protocolViolation`` for a length that no name has.
  public init(_ bytes: some Collection<UInt8>) throws(SensorFailure) {
    guard 1...Self.longest ~= bytes.count else {
      throw SensorFailure(
        .protocolViolation,
        "The reader names a template with \(bytes.count) bytes; a name has 1 to \(Self.longest)")
    }
    self.bytes = Array(bytes)
  }

  public var description: String { "name of a template" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What came of a touch of an enrollment.
public enum ChipTouch: Equatable, Sendable {
  /// How far the enrollment is, 0…100.
  case progress(percent: Int)
  case retry(RetryReason)
}

/// What came of a touch that was compared.
public enum ChipMatch: Equatable, Sendable {
  case match(ChipName)
  case noMatch
  case retry(RetryReason)
}
