// The mailbox between the core (or a command) and one authcore-host. Core to host: 1…19, host to
// core: 20…39, and ``Failure`` (0), which ends the start of a host or refuses an OpenSensorRequest.

extension HostEnding {
  package init(_ reason: String) { self.init(reason: String(reason.prefix(1000))) }
}
