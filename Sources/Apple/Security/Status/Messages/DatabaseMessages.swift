import CoreFoundationTypes

extension StatusMessage {
  /// The sentences of DatabaseStatus.swift, as they stand there.
  static let ofDatabases: [OSStatus: String] = [
    errSecNoFieldValues: "The fields hold no values.",
    errSecUnsupportedFieldFormat: "Fields of this form are not taken.",
    errSecUnsupportedIndexInfo: "Indexes of this kind are not taken.",
    errSecUnsupportedLocality: "Locality is not taken into account.",
    errSecUnsupportedNumAttributes: "There are more attributes than are taken.",
    errSecUnsupportedNumIndexes: "There are more indexes than are taken.",
    errSecUnsupportedNumRecordTypes: "There are more kinds of records than are taken.",
    errSecFieldSpecifiedMultiple: "A field is given more than once.",
    errSecIncompatibleFieldFormat: "The form of a field does not fit.",
    errSecInvalidParsingModule: "The module that reads records is not valid.",
    errSecDatabaseLocked: "The database is locked.",
    errSecDatastoreIsOpen: "The database is open.",
    errSecMissingValue: "A value is missing.",
    errSecUnsupportedQueryLimits: "Such limits of a query are not taken.",
    errSecUnsupportedNumSelectionPreds: "There are more conditions than a query takes.",
    errSecUnsupportedOperator: "There is no such operator.",
    errSecInvalidDBLocation: "The place of the database is not valid.",
    errSecInvalidAccessRequest: "The kind of access that is asked for is not valid.",
    errSecInvalidIndexInfo: "The description of an index is not valid.",
    errSecInvalidNewOwner: "The owner to be is not valid.",
    errSecInvalidModifyMode: "The way to change records is not valid.",
  ]
}
