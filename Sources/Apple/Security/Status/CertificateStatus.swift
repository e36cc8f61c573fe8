// What judging certificates fails with.

public import CoreFoundationTypes

/// The certificate is for another host.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate has a critical extension that is not understood.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The certificate lacks basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604
/// The basic constraints do not say that the certificate may sign others.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The identifier of the issuer's key is not valid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The identifier of the subject's key is not valid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The key must not be used for this.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The certificate must not be used for this.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The identifiers of issuer and subject do not fit.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The chain of certificates is longer than one of them allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The root certificate is not valid.
public let errSecInvalidRoot: OSStatus = -67612
/// The revocation list has expired.
public let errSecCRLExpired: OSStatus = -67613
/// The revocation list is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614
/// There is no revocation list.
public let errSecCRLNotFound: OSStatus = -67615
/// The server of the revocation list does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The address of the revocation list is not valid.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an extension that is not understood.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The revocation list has an extension that is not understood.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The revocation list is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The revocation list does not satisfy its policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The issuing distribution point does not fit.
public let errSecIDPFailure: OSStatus = -67622
/// The certificate does not hold the address of mail.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The certificate must not be used for mail.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The key must not be used for mail.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// The key usage is not critical, and must be for mail.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate holds no address of mail.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The alternative names are not critical, and must be for mail.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The certificate must not be used for TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The answer about revocation cannot be read.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The question about revocation cannot be read.
public let errSecOCSPBadRequest: OSStatus = -67631
/// Nobody answers questions about revocation.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The answer about revocation has a status that is not known.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// There is no more data.
public let errSecEndOfData: OSStatus = -67634
/// Not all certificates could be asked about.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The answer about revocation leads to no trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// The record was changed meanwhile.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the answer about revocation is wrong.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The answer about revocation has no signer.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The responder could not read the question about revocation.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The responder failed.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The responder is busy.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The responder wants questions that are signed.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The responder does not answer this question.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The answer about revocation is to another question.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The chain of a program's signature is too long or too short.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// A certificate of a program's signature lacks basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// A certificate of a program's signature allows another length of the chain.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// A certificate of a program's signature does not say what it is for.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The program is signed for development.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The chain of a resource's signature is too long or too short.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// A certificate of a resource's signature must not be used for this.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// A trust setting denies this.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The name of the subject is empty or not valid.
public let errSecInvalidSubjectName: OSStatus = -67655
/// A statement of a qualified certificate is not understood.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
