import Protocol

extension ItemAttributes {
  /// Refuses attributes that no item of this class has.
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireValid() throws(Failure) {
    for name in values.names {
      guard let value = values[name] else { continue }
      try itemClass.require(name, value)
    }
  }
}

extension ItemQuery {
  /// Refuses a query by what no item of its class has.
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireAskable() throws(Failure) {
    for name in terms.names {
      guard let value = terms[name] else { continue }
      if let itemClass { try itemClass.require(name, value) } else { try name.require(value) }
    }
  }
}

extension ItemChanges {
  /// Refuses changes that items of a class cannot have.
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireApplicable(to itemClass: ItemClass) throws(Failure) {
    for name in terms.names {
      guard let value = terms[name] else { continue }
      try itemClass.require(name, value)
    }
  }
}

extension ItemClass {
  fileprivate func require(_ name: AttributeName, _ value: AttributeValue) throws(Failure) {
    guard attributes.contains(name) else {
      throw Failure(
        .errSecNoSuchAttr, "items of the class \(self.name) have no attribute \(name.name)",
        hint: "they have: \(attributes.map(\.name).sorted().joined(separator: ", "))")
    }
    try name.require(value)
  }
}

extension AttributeName {
  fileprivate func require(_ value: AttributeValue) throws(Failure) {
    // What is to hold nothing is that in every form.
    guard value.isEmpty || value.fits(form) else {
      throw Failure(
        .errSecParam,
        "the attribute \(name) holds \(formName), and something else was given for it",
        hint: "give it \(formName)")
    }
  }

  private var formName: String {
    switch form {
    case .text: "a text"
    case .data: "bytes"
    case .textOrData: "a text or bytes"
    case .number: "a number"
    case .flag: "0 or 1"
    case .time: "a time in seconds since 1970"
    }
  }
}
