/* tpm2-tss: ESYS, marshaling, and names of return codes, with constants in place of what Swift does not import. */
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>

/* A TCTI context: the common part (tss2_tcti.h) and its owner. */
typedef struct ac_tcti {
  TSS2_TCTI_CONTEXT_COMMON_V1 common;
  void *owner;
} ac_tcti_t;

/* Sums with casts, which Swift does not import. */
static const TPM2_RC ac_tpm_lockout = TPM2_RC_LOCKOUT;
static const TPM2_RC ac_tpm_retry = TPM2_RC_RETRY;
static const TPM2_RC ac_tpm_yielded = TPM2_RC_YIELDED;
static const TPM2_RC ac_tpm_testing = TPM2_RC_TESTING;
static const TPM2_RC ac_tpm_nv_rate = TPM2_RC_NV_RATE;
static const TPM2_RC ac_tpm_nv_unavailable = TPM2_RC_NV_UNAVAILABLE;
static const TPM2_RC ac_tpm_nv_defined = TPM2_RC_NV_DEFINED;
static const TPM2_RC ac_tpm_nv_uninitialized = TPM2_RC_NV_UNINITIALIZED;
static const TPM2_RC ac_tpm_object_memory = TPM2_RC_OBJECT_MEMORY;
static const TPM2_RC ac_tpm_session_memory = TPM2_RC_SESSION_MEMORY;
static const TPM2_RC ac_tpm_auth_fail = TPM2_RC_AUTH_FAIL;
static const TPM2_RC ac_tpm_bad_auth = TPM2_RC_BAD_AUTH;
static const TPM2_RC ac_tpm_integrity = TPM2_RC_INTEGRITY;
static const TPM2_RC ac_tpm_handle = TPM2_RC_HANDLE;
static const TPM2_RC ac_tpm_format_1 = TPM2_RC_FMT1;
static const TPM2_HC ac_tpm_first_object = TPM2_TRANSIENT_FIRST;
static const TPM2_HC ac_tpm_first_session = TPM2_LOADED_SESSION_FIRST;
static const TPM2_PT ac_tpm_permanent = TPM2_PT_PERMANENT;
static const TPM2_PT ac_tpm_max_auth_fail = TPM2_PT_MAX_AUTH_FAIL;
static const TPM2_PT ac_tpm_lockout_interval = TPM2_PT_LOCKOUT_INTERVAL;
static const TPM2_PT ac_tpm_lockout_recovery = TPM2_PT_LOCKOUT_RECOVERY;
static const TSS2_RC ac_tcti_failed = TSS2_TCTI_RC_IO_ERROR;
static const TSS2_RC ac_tcti_too_short = TSS2_TCTI_RC_INSUFFICIENT_BUFFER;
static const TSS2_RC ac_tcti_refused = TSS2_TCTI_RC_BAD_VALUE;
static const TSS2_RC ac_tcti_no_such = TSS2_TCTI_RC_NOT_IMPLEMENTED;
