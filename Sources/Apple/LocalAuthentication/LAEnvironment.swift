import CoreClient
import Protocol
import Synchronization

/// The mechanisms that can prove the owner's presence, and whether they can be used at this moment,
/// for applications that show them.
///
/// Any thread. Reading the state waits for the core.
public final class LAEnvironment: NSObject, Sendable {
  public class var currentUser: LAEnvironment { shared }

  private static let shared = LAEnvironment(.shared)

  private let client: ApplicationClient
  private let observers: ObserverList

  init(_ client: ApplicationClient) {
    self.client = client
    observers = ObserverList(client)
  }

  /// The state at this moment. It is empty if the core cannot be reached.
  public var state: State { State(try? client.request(GetStatus())) }

  /// Notifies an observer of changes until it is removed or released, on a thread of the
  /// environment, some seconds after the change.
  public func addObserver(_ observer: any Observer) { observers.add(observer, of: self) }

  public func removeObserver(_ observer: any Observer) { observers.remove(observer) }

  public protocol Observer: AnyObject, Sendable {
    /// The state has changed.
    /// - Parameters:
    ///   - environment: has the new ``LAEnvironment/state``.
    ///   - oldState: the previous one.
    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State)
  }
}

extension LAEnvironment.Observer {
  public func environment(
    _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}

/// The observers of an environment, and the thread that checks for changes while there are any: a
/// core does not report changes on its own.
final class ObserverList: Sendable {
  private struct Entry: Sendable {
    weak var observer: (any LAEnvironment.Observer)?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// Whether changes are being checked for.
    var isWatched = false
  }

  private let client: ApplicationClient
  private let state = Mutex(State())

  /// How often changes are checked for, in seconds.
  static let interval = 2.0

  init(_ client: ApplicationClient) { self.client = client }

  func add(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    let begins = state.withLock { state in
      state.entries.removeAll { $0.observer == nil || $0.observer === observer }
      state.entries.append(Entry(observer: observer))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if begins { look(at: environment, since: environment.state) }
  }

  func remove(_ observer: any LAEnvironment.Observer) {
    state.withLock { state in
      state.entries.removeAll { $0.observer == nil || $0.observer === observer }
    }
  }

  private func look(at environment: LAEnvironment, since former: LAEnvironment.State) {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [self] in
      let observers = state.withLock { state in
        let observers = state.entries.compactMap(\.observer)
        state.isWatched = !observers.isEmpty
        return observers
      }
      guard !observers.isEmpty else { return }
      let current = environment.state
      if current != former {
        for observer in observers {
          observer.environment(environment, stateDidChangeFromOldState: former)
        }
      }
      look(at: environment, since: current)
    }
  }
}

extension LAEnvironment {
  /// The mechanisms at one moment. Immutable; any thread.
  public final class State: NSObject, Sendable {
    /// Nil if no reader is connected.
    public let biometry: MechanismBiometry?
    /// Nil if the core cannot be reached.
    public let userPassword: MechanismUserPassword?
    /// Always empty: this system knows no companion devices.
    public var companions: [MechanismCompanion] { [] }

    public var allMechanisms: [Mechanism] {
      ([biometry, userPassword] as [Mechanism?]).compactMap(\.self)
    }

    init(_ status: consuming CoreStatus?) {
      biometry = status.flatMap { $0.sensor == nil ? nil : MechanismBiometry($0) }
      userPassword = status.map { MechanismUserPassword(isSet: $0.isPasscodeSet) }
    }

    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? State else { return false }
      return biometry?.facts == other.biometry?.facts
        && userPassword?.isSet == other.userPassword?.isSet
    }

    public override var hash: Int {
      var hasher = Hasher()
      hasher.combine(biometry?.facts)
      hasher.combine(userPassword?.isSet)
      return hasher.finalize()
    }
  }

  /// A mechanism that can prove the owner's presence. Immutable; any thread.
  public class Mechanism: NSObject, @unchecked Sendable {
    // Unchecked, since a class with subclasses cannot be checked: all fields are constants of
    // Sendable types.
    public let isUsable: Bool
    /// The name for people, in English.
    public let localizedName: String
    /// The name of its icon (freedesktop.org, Icon Naming Specification).
    public let iconSystemName: String

    fileprivate init(isUsable: Bool, name: String, icon: String) {
      self.isUsable = isUsable
      localizedName = name
      iconSystemName = icon
    }
  }

  public final class MechanismBiometry: Mechanism, @unchecked Sendable {
    fileprivate struct Facts: Hashable {
      let isUsable: Bool
      let isEnrolled: Bool
      let isLockedOut: Bool
      let stateHash: Data
    }

    fileprivate let facts: Facts

    /// Always ``LABiometryType/touchID``.
    public var biometryType: LABiometryType { .touchID }
    /// Whether a finger is enrolled that the reader could match.
    public var isEnrolled: Bool { facts.isEnrolled }
    /// Whether fingers do not count until the passcode is given.
    public var isLockedOut: Bool { facts.isLockedOut }
    /// Identifies the set of enrolled fingers: only compared for equality. Empty if none is
    /// enrolled.
    public var stateHash: Data { facts.stateHash }
    /// Whether the machine's present form hides a built-in sensor. Always false: this system does
    /// not know about lids.
    public var builtInSensorInaccessible: Bool { false }

    fileprivate init(_ status: CoreStatus) {
      let isEnrolled = status.matchableFingers > 0 && status.isPasscodeSet
      let isLockedOut = status.isLockedOut || !status.isFirstUnlocked
      let isUsable = isEnrolled && !isLockedOut
      facts = Facts(
        isUsable: isUsable, isEnrolled: isEnrolled, isLockedOut: isLockedOut,
        stateHash: Data(status.domainState))
      super.init(isUsable: isUsable, name: "Fingerprint", icon: "auth-fingerprint")
    }
  }

  public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
    public let isSet: Bool

    fileprivate init(isSet: Bool) {
      self.isSet = isSet
      super.init(isUsable: isSet, name: "Passcode", icon: "dialog-password")
    }
  }

  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    public let type: LACompanionType
    /// Always nil.
    public var stateHash: Data? { nil }

    private init(_ type: LACompanionType) {
      self.type = type
      super.init(isUsable: false, name: "", icon: "")
    }
  }
}
