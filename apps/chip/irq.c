/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "irq.h"

#define DATA_NONE VFIO_IRQ_SET_DATA_NONE
#define DATA_BOOL VFIO_IRQ_SET_DATA_BOOL
#define DATA_FD VFIO_IRQ_SET_DATA_EVENTFD
#define DO_MASK VFIO_IRQ_SET_ACTION_MASK
#define DO_UNMASK VFIO_IRQ_SET_ACTION_UNMASK
#define DO_TRIGGER VFIO_IRQ_SET_ACTION_TRIGGER

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
chip_irqs_init(struct chip_irqs *q, const struct pw_model_info *info, bool has_intx)
{
	unsigned int i, v;

	memset(q, 0, sizeof(*q));
	q->count[VFIO_PCI_INTX_IRQ_INDEX] = has_intx;
	q->count[VFIO_PCI_MSI_IRQ_INDEX] = info->msi_vectors;
	q->count[VFIO_PCI_MSIX_IRQ_INDEX] = info->msix_vectors;
	for (i = 0; i < VFIO_PCI_NUM_IRQS; i++) {
		if (q->count[i] > CHIP_IRQ_VECTORS)
			q->count[i] = CHIP_IRQ_VECTORS;
		for (v = 0; v < CHIP_IRQ_VECTORS; v++)
			q->fd[i][v] = -1;
	}
	q->unmask_fd = -1;
}

static void
disable(struct chip_irqs *q, unsigned int index)
{
	unsigned int v;

	for (v = 0; v < q->count[index]; v++)
		close_fd(&q->fd[index][v]);
	q->nb_fds[index] = 0;
	if (index == VFIO_PCI_INTX_IRQ_INDEX) {
		close_fd(&q->unmask_fd);
		q->intx_masked = false;
	}
}

void
chip_irqs_clear(struct chip_irqs *q)
{
	unsigned int i;

	for (i = 0; i < VFIO_PCI_NUM_IRQS; i++)
		disable(q, i);
}

/* A client may have filled its counter up so that a write would block: then it has events
 * enough, and we do not wait for it. There is nobody to tell if the write fails.
 */
static void
fire(struct chip_irqs *q, unsigned int index, unsigned int vector)
{
	static const uint64_t one = 1;
	struct pollfd p = { .fd = q->fd[index][vector], .events = POLLOUT };

	if (p.fd < 0)
		return;
	q->fired++;
	if (poll(&p, 1, 0) != 1 || (p.revents & POLLOUT) == 0)
		return;
	if (write(p.fd, &one, sizeof(one)) < 0)
		return;
}

static void
intx_update(struct chip_irqs *q)
{
	if (!q->intx_level || q->intx_masked || q->fd[VFIO_PCI_INTX_IRQ_INDEX][0] < 0)
		return;
	q->intx_masked = true;
	fire(q, VFIO_PCI_INTX_IRQ_INDEX, 0);
}

void
chip_irqs_set(struct chip_irqs *q, unsigned int vector, bool level)
{
	unsigned int index = q->nb_fds[VFIO_PCI_MSIX_IRQ_INDEX] > 0 ? VFIO_PCI_MSIX_IRQ_INDEX
								     : VFIO_PCI_MSI_IRQ_INDEX;

	if (level && q->nb_fds[index] > 0) {
		if (vector < q->count[index])
			fire(q, index, vector);
	} else if (vector == 0) {
		q->intx_level = level;
		intx_update(q);
	}
}

uint32_t
chip_irqs_flags(unsigned int index)
{
	if (index == VFIO_PCI_INTX_IRQ_INDEX)
		return VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
	return VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
}

/* A write to an eventfd does nothing but count; to other files it may block, or do harm. */
static bool
is_eventfd(int fd)
{
	char path[32], target[32];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	return strcmp(target, "anon_inode:[eventfd]") == 0;
}

static void
assign(struct chip_irqs *q, unsigned int index, unsigned int vector, int fd)
{
	int *at = &q->fd[index][vector];

	q->nb_fds[index] += (fd >= 0) - (*at >= 0);
	close_fd(at);
	*at = fd;
	if (index == VFIO_PCI_INTX_IRQ_INDEX) {
		q->intx_masked = false;
		intx_update(q);
	}
}

/* Events to be signalled, or with none given no longer to be. */
static int
set_events(struct chip_irqs *q, const struct vfio_irq_set *req, int *fds, unsigned int nb_fds)
{
	bool trigger = (req->flags & DO_TRIGGER) != 0;
	unsigned int i;

	if (nb_fds != 0 && nb_fds != req->count)
		return -EINVAL;
	for (i = 0; i < nb_fds; i++)
		if (!is_eventfd(fds[i]))
			return -EINVAL;
	/* A mask event is for who wants to know about it: nobody here does. */
	if (!trigger && ((req->flags & DO_UNMASK) == 0 || req->index != VFIO_PCI_INTX_IRQ_INDEX))
		return -EINVAL;
	for (i = 0; i < req->count; i++) {
		int fd = nb_fds == 0 ? -1 : fds[i];

		if (nb_fds != 0)
			fds[i] = -1;
		if (trigger) {
			assign(q, req->index, req->start + i, fd);
		} else {
			close_fd(&q->unmask_fd);
			q->unmask_fd = fd;
		}
	}
	return 0;
}

static int
act(struct chip_irqs *q, const struct vfio_irq_set *req, const uint8_t *chosen)
{
	unsigned int i;

	if ((req->flags & DO_TRIGGER) == 0 && req->index != VFIO_PCI_INTX_IRQ_INDEX)
		return -EINVAL;
	for (i = 0; i < req->count; i++) {
		if (chosen != NULL && chosen[i] == 0)
			continue;
		if ((req->flags & DO_TRIGGER) != 0) {
			fire(q, req->index, req->start + i);
			continue;
		}
		q->intx_masked = (req->flags & DO_MASK) != 0;
		intx_update(q);
	}
	return 0;
}

static bool
one_bit(uint32_t v)
{
	return v != 0 && (v & (v - 1)) == 0;
}

int
chip_irqs_request(struct chip_irqs *q, const struct vfio_irq_set *req, const uint8_t *data,
		  size_t len, int *fds, unsigned int nb_fds)
{
	uint32_t what = req->flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	uint32_t action = req->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;

	if (req->argsz < sizeof(*req) || req->flags != (what | action) || !one_bit(what) ||
	    !one_bit(action) || req->index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	if (req->count > q->count[req->index] || req->start > q->count[req->index] - req->count)
		return -EINVAL;
	if (what != DATA_FD && nb_fds != 0)
		return -EINVAL;
	if (req->count == 0) {
		if (what != DATA_NONE || action != DO_TRIGGER || req->start != 0)
			return -EINVAL;
		disable(q, req->index);
		return 0;
	}
	if (what == DATA_FD)
		return set_events(q, req, fds, nb_fds);
	if (what == DATA_BOOL && len < req->count)
		return -EINVAL;
	return act(q, req, what == DATA_BOOL ? data : NULL);
}

void
chip_irqs_unmask_event(struct chip_irqs *q)
{
	struct pollfd p = { .fd = q->unmask_fd, .events = POLLIN };
	uint64_t n;

	if (p.fd < 0 || poll(&p, 1, 0) != 1)
		return;
	if ((p.revents & POLLIN) == 0 || read(p.fd, &n, sizeof(n)) != sizeof(n)) {
		close_fd(&q->unmask_fd);
		return;
	}
	q->intx_masked = false;
	intx_update(q);
}
