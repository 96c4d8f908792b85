/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <string.h>

#include "log.h"
#include "region.h"
#include "server.h"
#include "version.h"

#define CFG_COMMAND 0x04
#define CFG_COMMAND_MASTER 0x04
#define CFG_INTERRUPT_PIN 0x3d

/* One command at hand. */
struct call {
	const uint8_t *data;	/* payload */
	size_t len;
	int *fds;
	unsigned int nb_fds;
	uint8_t *out;		/* the reply's payload */
	size_t room;
	size_t out_len;
};

int
chip_server_init(struct chip_server *s, struct pw_model *model)
{
	s->model = model;
	s->info = pw_model_info(model);
	chip_irqs_init(&s->irqs, s->info, pw_model_cfg_read(model, CFG_INTERRUPT_PIN, 1) != 0);
	return chip_dma_init(&s->dma, model);
}

void
chip_server_fini(struct chip_server *s)
{
	chip_irqs_clear(&s->irqs);
	chip_dma_clear(&s->dma);
}

void
chip_server_client_came(struct chip_server *s)
{
	s->negotiated = false;
	s->nb_clients++;
}

void
chip_server_client_left(struct chip_server *s)
{
	/* First the reset: no DMA while the memory goes. */
	pw_model_reset(s->model);
	s->mastering = false;
	s->negotiated = false;
	chip_server_fini(s);
}

/* --- commands: 0 or -errno, which goes to the client --------------------------------------- */

static int
fixed(const struct call *c, void *to, size_t len)
{
	if (c->len < len)
		return -EINVAL;
	memcpy(to, c->data, len);
	return 0;
}

static void
answer(struct call *c, const void *from, size_t len)
{
	memcpy(c->out + c->out_len, from, len);
	c->out_len += len;
}

static int
do_version(struct chip_server *s, struct call *c)
{
	int n;

	if (s->negotiated)
		return -EINVAL;
	n = chip_version(c->data, c->len, c->out, c->room);
	if (n < 0)
		return n;
	c->out_len = (size_t)n;
	s->negotiated = true;
	return 0;
}

static int
do_dma_map(struct chip_server *s, struct call *c)
{
	struct vfu_dma_map req;
	int rc = fixed(c, &req, sizeof(req));

	if (rc == 0 && c->nb_fds > 1)
		rc = -EINVAL;
	if (rc == 0)
		rc = chip_dma_map(&s->dma, &req, c->nb_fds == 1 ? c->fds[0] : -1);
	if (rc == 0 && s->mastering)
		chip_dma_check_shared(&s->dma);
	return rc;
}

static int
do_dma_unmap(struct chip_server *s, struct call *c)
{
	struct vfu_dma_unmap req;
	int rc = fixed(c, &req, sizeof(req));

	if (rc == 0)
		rc = chip_dma_unmap(&s->dma, &req);
	if (rc == 0)
		answer(c, &req, sizeof(req));
	return rc;
}

static int
do_get_info(struct chip_server *s, struct call *c)
{
	struct vfu_device_info info;
	int rc = fixed(c, &info, sizeof(info));

	(void)s;
	if (rc < 0 || info.argsz < sizeof(info))
		return -EINVAL;
	info.argsz = sizeof(info);
	info.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	info.num_regions = VFIO_PCI_NUM_REGIONS;
	info.num_irqs = VFIO_PCI_NUM_IRQS;
	answer(c, &info, sizeof(info));
	return 0;
}

static int
do_get_region_info(struct chip_server *s, struct call *c)
{
	struct vfio_region_info info;
	int rc = fixed(c, &info, sizeof(info));

	if (rc < 0 || info.argsz < sizeof(info) || info.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	info.argsz = sizeof(info);
	info.size = chip_region_size(s->info, info.index);
	info.flags = info.size == 0 ? 0 : VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	info.cap_offset = 0;
	info.offset = 0;
	answer(c, &info, sizeof(info));
	return 0;
}

static int
do_get_irq_info(struct chip_server *s, struct call *c)
{
	struct vfio_irq_info info;
	int rc = fixed(c, &info, sizeof(info));

	if (rc < 0 || info.argsz < sizeof(info) || info.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	info.argsz = sizeof(info);
	info.count = s->irqs.count[info.index];
	info.flags = chip_irqs_flags(info.index);
	answer(c, &info, sizeof(info));
	return 0;
}

/* Clients keep the MSI-X table to themselves: a vector is unmasked while it has an event. */
static void
mask_vectors(struct chip_server *s)
{
	const struct chip_irqs *q = &s->irqs;
	unsigned int v;

	for (v = 0; v < q->count[VFIO_PCI_MSIX_IRQ_INDEX]; v++)
		pw_model_msix_mask(s->model, v, q->fd[VFIO_PCI_MSIX_IRQ_INDEX][v] < 0);
}

static int
do_set_irqs(struct chip_server *s, struct call *c)
{
	struct vfio_irq_set req;
	int rc = fixed(c, &req, sizeof(req));

	if (rc < 0)
		return rc;
	rc = chip_irqs_request(&s->irqs, &req, c->data + sizeof(req), c->len - sizeof(req),
			       c->fds, c->nb_fds);
	mask_vectors(s);
	return rc;
}

static int
do_region_read(struct chip_server *s, struct call *c)
{
	struct vfu_region_access req;
	int rc = fixed(c, &req, sizeof(req));

	if (rc < 0 || req.count > VFU_MAX_XFER)
		return -EINVAL;
	rc = chip_region_read(s->model, req.region, req.offset, req.count, c->out + sizeof(req));
	if (rc < 0)
		return rc;
	answer(c, &req, sizeof(req));
	c->out_len += req.count;
	return 0;
}

/* The first moment at which the guest is known to run its driver. */
static void
watch_command(struct chip_server *s)
{
	bool on = (pw_model_cfg_read(s->model, CFG_COMMAND, 2) & CFG_COMMAND_MASTER) != 0;

	if (on && !s->mastering)
		chip_dma_check_shared(&s->dma);
	s->mastering = on;
}

static int
region_write(struct chip_server *s, const struct vfu_region_access *req, const uint8_t *data)
{
	int rc = chip_region_write(s->model, req->region, req->offset, req->count, data);

	if (rc == 0 && req->region == VFIO_PCI_CONFIG_REGION_INDEX)
		watch_command(s);
	return rc;
}

static int
do_region_write(struct chip_server *s, struct call *c)
{
	struct vfu_region_access req;
	int rc = fixed(c, &req, sizeof(req));

	if (rc < 0 || req.count > VFU_MAX_XFER || req.count > c->len - sizeof(req))
		return -EINVAL;
	rc = region_write(s, &req, c->data + sizeof(req));
	if (rc == 0)
		answer(c, &req, sizeof(req));
	return rc;
}

static int
do_region_write_multi(struct chip_server *s, struct call *c)
{
	uint64_t count, done;
	int rc = fixed(c, &count, sizeof(count));

	if (rc < 0 || count > (c->len - sizeof(count)) / sizeof(struct vfu_one_write))
		return -EINVAL;
	for (done = 0; done < count; done++) {
		struct vfu_one_write one;
		struct vfu_region_access req;

		memcpy(&one, c->data + sizeof(count) + done * sizeof(one), sizeof(one));
		req = (struct vfu_region_access){ one.offset, one.region, one.count };
		if (one.count > sizeof(one.data) || region_write(s, &req, one.data) < 0)
			return -EINVAL;
	}
	answer(c, &done, sizeof(done));
	return 0;
}

static int
do_reset(struct chip_server *s, struct call *c)
{
	(void)c;
	pw_model_reset(s->model);
	mask_vectors(s);
	s->mastering = false;
	return 0;
}

/* Migration is all there is behind it; ENOTTY is how VFIO says that a feature is absent. */
static int
do_feature(struct chip_server *s, struct call *c)
{
	(void)s;
	(void)c;
	return -ENOTTY;
}

static int (*const commands[])(struct chip_server *s, struct call *c) = {
	[VFU_VERSION] = do_version,
	[VFU_DMA_MAP] = do_dma_map,
	[VFU_DMA_UNMAP] = do_dma_unmap,
	[VFU_GET_INFO] = do_get_info,
	[VFU_GET_REGION_INFO] = do_get_region_info,
	[VFU_GET_IRQ_INFO] = do_get_irq_info,
	[VFU_SET_IRQS] = do_set_irqs,
	[VFU_REGION_READ] = do_region_read,
	[VFU_REGION_WRITE] = do_region_write,
	[VFU_RESET] = do_reset,
	[VFU_REGION_WRITE_MULTI] = do_region_write_multi,
	[VFU_DEVICE_FEATURE] = do_feature,
};

static int
command(struct chip_server *s, const struct vfu_header *h, struct call *c)
{
	if (h->command >= sizeof(commands) / sizeof(commands[0]) || commands[h->command] == NULL)
		return -EOPNOTSUPP;
	return commands[h->command](s, c);
}

/* --- framing ------------------------------------------------------------------------------- */

static void
finish(struct chip_reply *reply, const struct vfu_header *req, size_t payload, int rc)
{
	struct vfu_header h = {
		.id = req->id,
		.command = req->command,
		.size = (uint32_t)(sizeof(h) + payload),
		.flags = VFU_TYPE_REPLY,
	};

	if (rc < 0) {
		h.size = sizeof(h);
		h.flags |= VFU_ERROR;
		h.error = (uint32_t)-rc;
	}
	memcpy(reply->data, &h, sizeof(h));
	reply->len = h.size;
}

int
chip_server_message(struct chip_server *s, const uint8_t *msg, size_t len, int *fds,
		    unsigned int nb_fds, struct chip_reply *reply)
{
	struct vfu_header h;
	struct call c = {
		.data = msg + sizeof(h),
		.len = len - sizeof(h),
		.fds = fds,
		.nb_fds = nb_fds,
		.out = reply->data + sizeof(h),
		.room = sizeof(reply->data) - sizeof(h),
	};
	int rc;

	memcpy(&h, msg, sizeof(h));
	reply->len = 0;
	/* We send no commands, so there is nothing to reply to. */
	if ((h.flags & VFU_TYPE_MASK) != VFU_TYPE_COMMAND)
		return -EPROTO;
	if (!s->negotiated && h.command != VFU_VERSION)
		return -EPROTO;
	rc = command(s, &h, &c);
	if (rc < 0) {
		s->nb_refused++;
		if (h.command != VFU_DEVICE_FEATURE)
			chip_say_of_client("refused message %u (command %u, %zu bytes): %s", h.id,
					   h.command, len, strerror(-rc));
	}
	if ((h.flags & VFU_NO_REPLY) == 0)
		finish(reply, &h, c.out_len, rc);
	/* Without a common version there is no more to say. */
	return rc < 0 && !s->negotiated ? rc : 0;
}
