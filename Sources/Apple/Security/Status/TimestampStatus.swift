// What time stamps and rules for certificates of programs fail with.

public import CoreFoundationTypes

/// A required extension is missing.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// What the certificate is for is not critical, and must be.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// The time stamp is missing.
public let errSecTimestampMissing: OSStatus = -67882
/// The time stamp is not valid.
public let errSecTimestampInvalid: OSStatus = -67883
/// The time stamp is not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// The service of time stamps cannot be reached.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The service of time stamps does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The service of time stamps does not take the request.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The service of time stamps could not read the request.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The service of time stamps has no time.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The service of time stamps does not take the policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The service of time stamps does not take an extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// What else was asked of the service of time stamps cannot be had.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The service of time stamps failed.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// The time of signing is missing.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The service of time stamps rejected the request.
public let errSecTimestampRejection: OSStatus = -67895
/// The service of time stamps will answer later.
public let errSecTimestampWaiting: OSStatus = -67896
/// The service of time stamps warns of a revocation.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The service of time stamps tells of a revocation.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// A policy of the certificate is not allowed.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// A name of the certificate is not allowed.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// The certificate is one of an authority, and must not be.
public let errSecCertificateIsCA: OSStatus = -67902
/// An extension of the certificate is there twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// A statement of a qualified certificate is missing.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
