// What authorities of certificates and their revocation lists fail with.

public import CoreFoundationTypes

/// The group of revocation lists is not valid.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate cannot be used for this.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials do not suffice.
public let errSecInsufficientCredentials: OSStatus = -67822
/// The action is not valid.
public let errSecInvalidAction: OSStatus = -67823
/// The authority is not valid.
public let errSecInvalidAuthority: OSStatus = -67824
/// The action could not be verified.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The authority that made the certificate is not valid.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The authority that made the revocation list is not valid.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// The same as `errSecInvalidCRLAuthority`, as it was misspelled.
public let errSecInvaldCRLAuthority: OSStatus = -67827
/// The form of the revocation list is not valid.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// The kind of the revocation list is not valid.
public let errSecInvalidCRLType: OSStatus = -67829
/// The revocation list is not valid.
public let errSecInvalidCRL: OSStatus = -67830
/// The kind of the form is not valid.
public let errSecInvalidFormType: OSStatus = -67831
/// The identifier is not valid.
public let errSecInvalidID: OSStatus = -67832
/// What identifies it is not valid.
public let errSecInvalidIdentifier: OSStatus = -67833
/// The index is not valid.
public let errSecInvalidIndex: OSStatus = -67834
/// The identifiers of policies are not valid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The text is no time.
public let errSecInvalidTimeString: OSStatus = -67836
/// The reason is not valid.
public let errSecInvalidReason: OSStatus = -67837
/// The inputs of the request are not valid.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// The pieces of the response are not valid.
public let errSecInvalidResponseVector: OSStatus = -67839
/// The policy of when to stop is not valid.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// The tuple is not valid.
public let errSecInvalidTuple: OSStatus = -67841
/// Several values are not taken.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// The certificate or what it signed is not trusted.
public let errSecNotTrusted: OSStatus = -67843
/// No authority is the default one.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request was lost.
public let errSecRequestLost: OSStatus = -67846
/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67847
/// Addresses of this kind are not taken.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// There is no such service.
public let errSecUnsupportedService: OSStatus = -67849
/// The group of tuples is not valid.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The basic access control lists are not valid.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The credentials of the tuple are not valid.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// The same as `errSecInvalidTupleCredentials`, as it was misspelled.
public let errSecInvalidTupleCredendtials: OSStatus = -67852
/// The encoding is not valid.
public let errSecInvalidEncoding: OSStatus = -67853
/// The period of validity is not valid.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// Who asks is not valid.
public let errSecInvalidRequestor: OSStatus = -67855
/// The description of the request is not valid.
public let errSecRequestDescriptor: OSStatus = -67856
/// What the bundle says of itself is not valid.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The index into the revocation list is not valid.
public let errSecInvalidCRLIndex: OSStatus = -67858
