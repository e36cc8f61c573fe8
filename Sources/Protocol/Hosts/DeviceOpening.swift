extension DeviceOpening {
  /// How many descriptors travel with it.
  package var descriptorCount: Int { (hasDescriptor ? 1 : 0) + (recordsTraffic ? 1 : 0) }

  /// Room for the models of a driver with as many matches as there can be, "05ba:000a," each.
  static let longestText = DriverDescription.maximumMatches * 10
}
