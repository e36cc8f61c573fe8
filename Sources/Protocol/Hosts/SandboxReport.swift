extension SandboxReport {
  /// Whether there is a sandbox.
  package var isOn: Bool { confinement != .off }

  /// A sandbox that has not been entered.
  package init(_ confinement: Confinement) { self.init(confinement: confinement) }
}
