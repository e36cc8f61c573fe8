import CoreClient
import Protocol
import Synchronization

/// What there is to prove the owner's presence with, for an application that shows it: which
/// mechanisms there are, and whether they can be used at this moment.
///
/// Any thread. Whatever asks for the state waits for the core.
public final class LAEnvironment: NSObject, Sendable {
  /// The environment of the user who runs this program.
  public class var currentUser: LAEnvironment { shared }

  private static let shared = LAEnvironment(.shared)

  private let client: ApplicationClient
  private let observers: ObserverList

  /// That of the core which a client reaches.
  init(_ client: ApplicationClient) {
    self.client = client
    observers = ObserverList(client)
  }

  /// What there is at this moment. Where the core cannot be reached there is nothing.
  public var state: State { State.current(client) }

  /// Has an observer told of changes, until it is removed or released. Told on a thread of the
  /// environment's, some seconds after the change.
  public func addObserver(_ observer: any Observer) { observers.add(observer, of: self) }

  /// An observer that hears of no more changes.
  public func removeObserver(_ observer: any Observer) { observers.remove(observer) }

  /// Who wants to hear of changes.
  public protocol Observer: AnyObject, Sendable {
    /// The state is another one than before.
    /// - Parameters:
    ///   - environment: whose ``LAEnvironment/state`` it is.
    ///   - oldState: the one before.
    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State)
  }
}

extension LAEnvironment.Observer {
  /// Does nothing.
  public func environment(
    _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}

/// Those who want to hear of changes of an environment, and the thread that looks for changes while
/// there are any: a core tells nobody of its own accord.
final class ObserverList: Sendable {
  private struct Entry: Sendable {
    weak var observer: (any LAEnvironment.Observer)?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// Whether somebody looks.
    var isWatched = false
  }

  private let client: ApplicationClient
  private let state = Mutex(State())

  /// How often is looked, in seconds.
  static let interval = 2.0

  init(_ client: ApplicationClient) { self.client = client }

  /// Has somebody told.
  func add(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    let begins = state.withLock { state in
      state.entries.removeAll { $0.observer == nil || $0.observer === observer }
      state.entries.append(Entry(observer: observer))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if begins { look(at: environment, since: environment.state) }
  }

  /// Has somebody told no more.
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
  /// What there was at one moment. It never changes; any thread.
  public final class State: NSObject, Sendable {
    /// Fingers; nil if no reader is connected.
    public let biometry: MechanismBiometry?
    /// The passcode; nil if the core cannot be reached.
    public let userPassword: MechanismUserPassword?
    /// Companion devices, of which this system knows none.
    public var companions: [MechanismCompanion] { [] }

    /// All that there are.
    public var allMechanisms: [Mechanism] {
      ([biometry, userPassword] as [Mechanism?]).compactMap(\.self)
    }

    init(_ status: consuming CoreStatus?) {
      biometry = status.flatMap { $0.sensor == nil ? nil : MechanismBiometry($0) }
      userPassword = status.map { MechanismUserPassword(isSet: $0.isPasscodeSet) }
    }

    static func current(_ client: ApplicationClient) -> State {
      do throws(Failure) {
        return State(try client.request(GetStatus()))
      } catch {
        return State(nil)
      }
    }

    /// Two are equal that say the same.
    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? State else { return false }
      return biometry?.facts == other.biometry?.facts
        && userPassword?.isSet == other.userPassword?.isSet
    }

    /// The same for equal ones.
    public override var hash: Int {
      var hasher = Hasher()
      hasher.combine(biometry?.facts)
      hasher.combine(userPassword?.isSet)
      return hasher.finalize()
    }
  }

  /// Something to prove the owner's presence with. It never changes; any thread.
  public class Mechanism: NSObject, @unchecked Sendable {
    // Unchecked, since a class that others inherit from cannot be checked: all of its fields and
    // theirs are constants of Sendable types.
    /// Whether it could prove something at this moment.
    public let isUsable: Bool
    /// What people call it, in English.
    public let localizedName: String
    /// The name of a picture for it (freedesktop.org, Icon Naming Specification).
    public let iconSystemName: String

    fileprivate init(isUsable: Bool, name: String, icon: String) {
      self.isUsable = isUsable
      localizedName = name
      iconSystemName = icon
    }
  }

  /// Fingers.
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
    /// Whether fingers are not believed until the passcode is given.
    public var isLockedOut: Bool { facts.isLockedOut }
    /// Stands for the set of enrolled fingers: compared for equality only. Empty if none is.
    public var stateHash: Data { facts.stateHash }
    /// Whether a sensor is built in that the machine's present form hides. Always false here: nobody
    /// tells this system of lids.
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

  /// The passcode.
  public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
    /// Whether one is set.
    public let isSet: Bool

    fileprivate init(isSet: Bool) {
      self.isSet = isSet
      super.init(isUsable: isSet, name: "Passcode", icon: "dialog-password")
    }
  }

  /// A companion device. There are none here.
  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    /// What it is.
    public let type: LACompanionType
    /// Nil: there are none.
    public var stateHash: Data? { nil }

    private init(_ type: LACompanionType) {
      self.type = type
      super.init(isUsable: false, name: "", icon: "")
    }
  }
}
