import LinuxSystem

/// Looks at every host of a driver of this process once a second.
///
/// From outside, because a plugin shares its process with whatever would look from inside; by the
/// clock, because the kernel limits the threads of a user and not of a process.
enum HostWatchdog {
  private struct Watched: Sendable {
    weak var life: HostLife?
  }

  private static let intervalNanoseconds: UInt64 = 1_000_000_000

  private static let hosts: Guarded<[Watched]> = {
    let hosts = Guarded<[Watched]>([])
    SystemThread.start(name: "watchdog") {
      while true {
        // Sleeps as long as there is no host.
        let living = hosts.wait { hosts -> [HostLife]? in
          hosts.removeAll { $0.life == nil }
          return hosts.isEmpty ? nil : hosts.compactMap(\.life)
        }
        for life in living { life.endIfCrowded() }
        SystemThread.sleep(nanoseconds: intervalNanoseconds)
      }
    }
    return hosts
  }()

  /// Watches a host until it is forgotten.
  static func watch(_ life: HostLife) { hosts.update { $0.append(Watched(life: life)) } }
}
