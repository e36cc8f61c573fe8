import CoreFoundationTypes

extension StatusMessage {
  /// The sentences of TimestampStatus.swift, as they stand there.
  static let ofTimestamps: [OSStatus: String] = [
    errSecMissingRequiredExtension: "A required extension is missing.",
    errSecExtendedKeyUsageNotCritical: "What the certificate is for is not critical, and must be.",
    errSecTimestampMissing: "The time stamp is missing.",
    errSecTimestampInvalid: "The time stamp is not valid.",
    errSecTimestampNotTrusted: "The time stamp is not trusted.",
    errSecTimestampServiceNotAvailable: "The service of time stamps cannot be reached.",
    errSecTimestampBadAlg: "The service of time stamps does not know the algorithm.",
    errSecTimestampBadRequest: "The service of time stamps does not take the request.",
    errSecTimestampBadDataFormat: "The service of time stamps could not read the request.",
    errSecTimestampTimeNotAvailable: "The service of time stamps has no time.",
    errSecTimestampUnacceptedPolicy: "The service of time stamps does not take the policy.",
    errSecTimestampUnacceptedExtension: "The service of time stamps does not take an extension.",
    errSecTimestampAddInfoNotAvailable:
      "What else was asked of the service of time stamps cannot be had.",
    errSecTimestampSystemFailure: "The service of time stamps failed.",
    errSecSigningTimeMissing: "The time of signing is missing.",
    errSecTimestampRejection: "The service of time stamps rejected the request.",
    errSecTimestampWaiting: "The service of time stamps will answer later.",
    errSecTimestampRevocationWarning: "The service of time stamps warns of a revocation.",
    errSecTimestampRevocationNotification: "The service of time stamps tells of a revocation.",
    errSecCertificatePolicyNotAllowed: "A policy of the certificate is not allowed.",
    errSecCertificateNameNotAllowed: "A name of the certificate is not allowed.",
    errSecCertificateValidityPeriodTooLong: "The certificate is valid for too long.",
    errSecCertificateIsCA: "The certificate is one of an authority, and must not be.",
    errSecCertificateDuplicateExtension: "An extension of the certificate is there twice.",
    errSecMissingQualifiedCertStatement: "A statement of a qualified certificate is missing.",
  ]
}
