import CoreFoundationTypes

extension StatusMessage {
  /// The sentences of CertificateStatus.swift, as they stand there.
  static let ofCertificates: [OSStatus: String] = [
    errSecHostNameMismatch: "The certificate is for another host.",
    errSecUnknownCriticalExtensionFlag:
      "The certificate has a critical extension that is not understood.",
    errSecNoBasicConstraints: "The certificate lacks basic constraints.",
    errSecNoBasicConstraintsCA:
      "The basic constraints do not say that the certificate may sign others.",
    errSecInvalidAuthorityKeyID: "The identifier of the issuer's key is not valid.",
    errSecInvalidSubjectKeyID: "The identifier of the subject's key is not valid.",
    errSecInvalidKeyUsageForPolicy: "The key must not be used for this.",
    errSecInvalidExtendedKeyUsage: "The certificate must not be used for this.",
    errSecInvalidIDLinkage: "The identifiers of issuer and subject do not fit.",
    errSecPathLengthConstraintExceeded:
      "The chain of certificates is longer than one of them allows.",
    errSecInvalidRoot: "The root certificate is not valid.",
    errSecCRLExpired: "The revocation list has expired.",
    errSecCRLNotValidYet: "The revocation list is not valid yet.",
    errSecCRLNotFound: "There is no revocation list.",
    errSecCRLServerDown: "The server of the revocation list does not answer.",
    errSecCRLBadURI: "The address of the revocation list is not valid.",
    errSecUnknownCertExtension: "The certificate has an extension that is not understood.",
    errSecUnknownCRLExtension: "The revocation list has an extension that is not understood.",
    errSecCRLNotTrusted: "The revocation list is not trusted.",
    errSecCRLPolicyFailed: "The revocation list does not satisfy its policy.",
    errSecIDPFailure: "The issuing distribution point does not fit.",
    errSecSMIMEEmailAddressesNotFound: "The certificate does not hold the address of mail.",
    errSecSMIMEBadExtendedKeyUsage: "The certificate must not be used for mail.",
    errSecSMIMEBadKeyUsage: "The key must not be used for mail.",
    errSecSMIMEKeyUsageNotCritical: "The key usage is not critical, and must be for mail.",
    errSecSMIMENoEmailAddress: "The certificate holds no address of mail.",
    errSecSMIMESubjAltNameNotCritical:
      "The alternative names are not critical, and must be for mail.",
    errSecSSLBadExtendedKeyUsage: "The certificate must not be used for TLS.",
    errSecOCSPBadResponse: "The answer about revocation cannot be read.",
    errSecOCSPBadRequest: "The question about revocation cannot be read.",
    errSecOCSPUnavailable: "Nobody answers questions about revocation.",
    errSecOCSPStatusUnrecognized: "The answer about revocation has a status that is not known.",
    errSecEndOfData: "There is no more data.",
    errSecIncompleteCertRevocationCheck: "Not all certificates could be asked about.",
    errSecNetworkFailure: "The network failed.",
    errSecOCSPNotTrustedToAnchor: "The answer about revocation leads to no trusted root.",
    errSecRecordModified: "The record was changed meanwhile.",
    errSecOCSPSignatureError: "The signature of the answer about revocation is wrong.",
    errSecOCSPNoSigner: "The answer about revocation has no signer.",
    errSecOCSPResponderMalformedReq: "The responder could not read the question about revocation.",
    errSecOCSPResponderInternalError: "The responder failed.",
    errSecOCSPResponderTryLater: "The responder is busy.",
    errSecOCSPResponderSignatureRequired: "The responder wants questions that are signed.",
    errSecOCSPResponderUnauthorized: "The responder does not answer this question.",
    errSecOCSPResponseNonceMismatch: "The answer about revocation is to another question.",
    errSecCodeSigningBadCertChainLength:
      "The chain of a program's signature is too long or too short.",
    errSecCodeSigningNoBasicConstraints:
      "A certificate of a program's signature lacks basic constraints.",
    errSecCodeSigningBadPathLengthConstraint:
      "A certificate of a program's signature allows another length of the chain.",
    errSecCodeSigningNoExtendedKeyUsage:
      "A certificate of a program's signature does not say what it is for.",
    errSecCodeSigningDevelopment: "The program is signed for development.",
    errSecResourceSignBadCertChainLength:
      "The chain of a resource's signature is too long or too short.",
    errSecResourceSignBadExtKeyUsage:
      "A certificate of a resource's signature must not be used for this.",
    errSecTrustSettingDeny: "A trust setting denies this.",
    errSecInvalidSubjectName: "The name of the subject is empty or not valid.",
    errSecUnknownQualifiedCertStatement:
      "A statement of a qualified certificate is not understood.",
  ]
}
