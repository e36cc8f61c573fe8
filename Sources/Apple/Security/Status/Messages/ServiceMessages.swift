import CoreFoundationTypes

extension StatusMessage {
  /// The sentences of ServiceStatus.swift, as they stand there.
  static let ofServices: [OSStatus: String] = [
    errSecServiceNotAvailable: "The service cannot be reached.",
    errSecInsufficientClientID: "The client does not say enough about itself.",
    errSecDeviceReset: "The device was reset.",
    errSecDeviceFailed: "The device failed.",
    errSecAppleAddAppACLSubject: "A program could not be added to an access control list.",
    errSecApplePublicKeyIncomplete: "The public key lacks a part.",
    errSecAppleSignatureMismatch: "The signature of a program is another one.",
    errSecAppleInvalidKeyStartDate: "The start date of the key is not valid.",
    errSecAppleInvalidKeyEndDate: "The end date of the key is not valid.",
    errSecConversionError: "A value could not be converted.",
    errSecAppleSSLv2Rollback: "A version of TLS was talked down.",
    errSecQuotaExceeded: "There is more than may be kept.",
    errSecFileTooBig: "The file is too long.",
    errSecInvalidDatabaseBlob: "A part of the database is not valid.",
    errSecInvalidKeyBlob: "The sealed key is not valid.",
    errSecIncompatibleDatabaseBlob: "A part of the database is of another version.",
    errSecIncompatibleKeyBlob: "The sealed key is of another version.",
  ]
}
