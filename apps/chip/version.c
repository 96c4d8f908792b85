/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "proto.h"
#include "version.h"

/* What we can do. The reply's list must be a subset of the proposal's. */
static json_t *
our_capabilities(void)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:b}", "max_msg_fds", (int)VFU_MAX_FDS,
			 "max_data_xfer_size", (int)VFU_MAX_XFER, "max_dma_maps",
			 (int)VFU_MAX_MAPS, "pgsizes", (int)VFU_PAGE, "write_multiple", 1);
}

static int
write_json(json_t *proposal, char *out, size_t room)
{
	json_t *ours = our_capabilities(), *caps = json_object(), *all = NULL;
	const char *key;
	json_t *value;
	size_t n = 0;

	json_object_foreach(ours, key, value)
		if (json_object_get(proposal, key) != NULL)
			json_object_set(caps, key, value);
	all = json_pack("{s:O?}", "capabilities", caps);
	if (all != NULL)
		n = json_dumpb(all, out, room - 1, JSON_COMPACT);
	json_decref(all);
	json_decref(caps);
	json_decref(ours);
	if (n == 0 || n > room - 1)
		return -ENOMEM;
	out[n] = '\0';
	return (int)n + 1;
}

int
chip_version(const uint8_t *req, size_t len, uint8_t *reply, size_t room)
{
	const char *text = (const char *)req + sizeof(struct vfu_version);
	json_t *root = NULL, *caps;
	struct vfu_version v;
	int n;

	if (len < sizeof(v))
		return -EINVAL;
	memcpy(&v, req, sizeof(v));
	if (v.major != VFU_MAJOR)
		return -EPROTONOSUPPORT;
	if (len > sizeof(v)) {
		if (req[len - 1] != '\0')
			return -EINVAL;
		root = json_loads(text, 0, NULL);
		if (!json_is_object(root)) {
			json_decref(root);
			return -EINVAL;
		}
	}
	caps = json_object_get(root, "capabilities");
	if (v.minor > VFU_MINOR)
		v.minor = VFU_MINOR;
	memcpy(reply, &v, sizeof(v));
	n = write_json(caps, (char *)reply + sizeof(v), room - sizeof(v));
	json_decref(root);
	return n < 0 ? n : (int)sizeof(v) + n;
}
