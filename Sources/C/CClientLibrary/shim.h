/* The interface of libauthcore-client, for the module that implements it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../include/authcore/client.h"
