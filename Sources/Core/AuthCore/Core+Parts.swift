package import PluginHosting
package import Protocol

extension Core {
  /// What a core is made of. Tests put closures in the places of processes and engines.
  package struct Parts: Sendable {
    package let connections: ConnectionServer
    package let enclaves: EnclaveSupervisor
    package let keychain: KeychainClient
    package let policy: PolicyAdvice
    package let findDriver: @Sendable (String) throws(Failure) -> InstalledDriver
    package let allDrivers: @Sendable () -> [InstalledDriver]
    package let startDriver:
      @Sendable (InstalledDriver, DeviceSource?) throws(Failure) -> StartedDriver
    package let watchDevices: @Sendable () throws(Failure) -> any PluginProcess
    package let installation: Installation
    package let productName: @Sendable (USBPresence) -> String?

    package init(
      connections: ConnectionServer, enclaves: EnclaveSupervisor, keychain: KeychainClient,
      policy: PolicyAdvice,
      findDriver: @escaping @Sendable (String) throws(Failure) -> InstalledDriver,
      allDrivers: @escaping @Sendable () -> [InstalledDriver],
      startDriver:
        @escaping @Sendable (InstalledDriver, DeviceSource?) throws(Failure) -> StartedDriver,
      watchDevices: @escaping @Sendable () throws(Failure) -> any PluginProcess,
      installation: Installation,
      productName: @escaping @Sendable (USBPresence) -> String? = { USBProduct.name(of: $0) }
    ) {
      self.connections = connections
      self.enclaves = enclaves
      self.keychain = keychain
      self.policy = policy
      self.findDriver = findDriver
      self.allDrivers = allDrivers
      self.startDriver = startDriver
      self.watchDevices = watchDevices
      self.installation = installation
      self.productName = productName
    }
  }
}
