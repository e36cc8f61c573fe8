extension OpenSensorRequest {
  /// How many descriptors travel with it.
  package var descriptorCount: Int {
    (device?.descriptorCount ?? 0) + options.count { $0.kind == .file }
  }
}
