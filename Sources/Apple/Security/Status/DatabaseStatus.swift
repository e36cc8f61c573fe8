// What databases of Apple's older keychains fail with. Nothing here does; code that names them
// compiles.

public import CoreFoundationTypes

/// The fields hold no values.
public let errSecNoFieldValues: OSStatus = -67859
/// Fields of this form are not taken.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// Indexes of this kind are not taken.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// Locality is not taken into account.
public let errSecUnsupportedLocality: OSStatus = -67862
/// There are more attributes than are taken.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// There are more indexes than are taken.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// There are more kinds of records than are taken.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field is given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The form of a field does not fit.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The module that reads records is not valid.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67869
/// The database is open.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67871
/// Such limits of a query are not taken.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// There are more conditions than a query takes.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// There is no such operator.
public let errSecUnsupportedOperator: OSStatus = -67874
/// The place of the database is not valid.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The kind of access that is asked for is not valid.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The description of an index is not valid.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The owner to be is not valid.
public let errSecInvalidNewOwner: OSStatus = -67878
/// The way to change records is not valid.
public let errSecInvalidModifyMode: OSStatus = -67879
/// The disk is full, as an older name has it.
public let errSecDskFull: OSStatus = -34
