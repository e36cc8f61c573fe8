// What devices, files and keys fail with.

public import CoreFoundationTypes

/// The service cannot be reached.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client does not say enough about itself.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset.
public let errSecDeviceReset: OSStatus = -67587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588
/// A program could not be added to an access control list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key lacks a part.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature of a program is another one.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The start date of the key is not valid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The end date of the key is not valid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// A value could not be converted.
public let errSecConversionError: OSStatus = -67594
/// A version of TLS was talked down.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// There is more than may be kept.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is too long.
public let errSecFileTooBig: OSStatus = -67597
/// A part of the database is not valid.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// The sealed key is not valid.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// A part of the database is of another version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// The sealed key is of another version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
