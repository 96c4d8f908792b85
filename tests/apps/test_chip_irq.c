/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 *
 * pollwire-chip's interrupts for chips with messages, of which the models have none yet: MSI and
 * MSI-X beside INTx. The rules are those of VFIO (linux/vfio.h, struct vfio_irq_set).
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "irq.h"

#define EVENTS (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)
#define DISABLE (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER)

static const struct pw_model_info info = { .msi_vectors = 1, .msix_vectors = 5 };

/* @return events since the last call. */
static uint64_t
events(int fd)
{
	uint64_t n;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

/* Give vector `start` of a kind an eventfd. @return a descriptor to read it. */
static int
assign(struct chip_irqs *q, uint32_t index, uint32_t start)
{
	struct vfio_irq_set req = { sizeof(req), EVENTS, index, start, 1 };
	int fd = eventfd(0, EFD_NONBLOCK), given = dup(fd);

	assert_true(fd >= 0 && given >= 0);
	assert_int_equal(chip_irqs_request(q, &req, NULL, 0, &given, 1), 0);
	assert_int_equal(given, -1);
	return fd;
}

static int
setup(void **state)
{
	static struct chip_irqs q;

	chip_irqs_init(&q, &info, true);
	*state = &q;
	return 0;
}

static int
teardown(void **state)
{
	chip_irqs_clear(*state);
	return 0;
}

static void
test_msi_is_a_message_each_time(void **state)
{
	struct chip_irqs *q = *state;
	int msi = assign(q, VFIO_PCI_MSI_IRQ_INDEX, 0);

	chip_irqs_set(q, 0, true);
	assert_int_equal(events(msi), 1);
	chip_irqs_set(q, 0, false);
	assert_int_equal(events(msi), 0);
	/* Nobody unmasks a message. */
	chip_irqs_set(q, 0, true);
	chip_irqs_set(q, 0, true);
	assert_int_equal(events(msi), 2);
	close(msi);
}

static void
test_msix_vectors_are_told_apart(void **state)
{
	struct chip_irqs *q = *state;
	int first = assign(q, VFIO_PCI_MSIX_IRQ_INDEX, 0);
	int third = assign(q, VFIO_PCI_MSIX_IRQ_INDEX, 2);

	chip_irqs_set(q, 2, true);
	assert_int_equal(events(first), 0);
	assert_int_equal(events(third), 1);
	chip_irqs_set(q, 1, true);
	chip_irqs_set(q, 5, true);
	chip_irqs_set(q, 0xffffffff, true);
	assert_int_equal(events(first) + events(third), 0);
	close(first);
	close(third);
}

static void
test_line_that_fell_while_msi_was_on_does_not_fire_later(void **state)
{
	struct vfio_irq_set off = { sizeof(off), DISABLE, VFIO_PCI_MSI_IRQ_INDEX, 0, 0 };
	struct chip_irqs *q = *state;
	int msi, intx;

	/* The line is high when the driver turns to MSI, which makes the chip drop it. */
	chip_irqs_set(q, 0, true);
	msi = assign(q, VFIO_PCI_MSI_IRQ_INDEX, 0);
	chip_irqs_set(q, 0, false);
	assert_int_equal(chip_irqs_request(q, &off, NULL, 0, NULL, 0), 0);
	intx = assign(q, VFIO_PCI_INTX_IRQ_INDEX, 0);
	assert_int_equal(events(intx), 0);
	assert_int_equal(events(msi), 0);
	/* And a line that is high when INTx is turned on fires at once. */
	chip_irqs_set(q, 0, true);
	assert_int_equal(events(intx), 1);
	close(msi);
	close(intx);
}

static void
test_line_that_is_high_fires_when_it_gets_an_eventfd(void **state)
{
	struct chip_irqs *q = *state;
	int intx;

	chip_irqs_set(q, 0, true);
	intx = assign(q, VFIO_PCI_INTX_IRQ_INDEX, 0);
	assert_int_equal(events(intx), 1);
	close(intx);
}

static void
test_vectors_beyond_the_chips(void **state)
{
	struct vfio_irq_set req = { sizeof(req), EVENTS, VFIO_PCI_MSIX_IRQ_INDEX, 0, 6 };
	int fds[6], i;

	for (i = 0; i < 6; i++)
		fds[i] = eventfd(0, 0);
	assert_int_equal(chip_irqs_request(*state, &req, NULL, 0, fds, 6), -EINVAL);
	req.start = 1;
	req.count = 5;
	assert_int_equal(chip_irqs_request(*state, &req, NULL, 0, fds, 5), -EINVAL);
	/* Messages cannot be masked here: the client does that. */
	req = (struct vfio_irq_set){ sizeof(req), VFIO_IRQ_SET_DATA_NONE |
		VFIO_IRQ_SET_ACTION_MASK, VFIO_PCI_MSIX_IRQ_INDEX, 0, 1 };
	assert_int_equal(chip_irqs_request(*state, &req, NULL, 0, NULL, 0), -EINVAL);
	for (i = 0; i < 6; i++)
		assert_int_equal(close(fds[i]), 0);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_msi_is_a_message_each_time),
		TEST(test_msix_vectors_are_told_apart),
		TEST(test_line_that_fell_while_msi_was_on_does_not_fire_later),
		TEST(test_line_that_is_high_fires_when_it_gets_an_eventfd),
		TEST(test_vectors_beyond_the_chips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
