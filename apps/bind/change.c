/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "driver.h"
#include "iommu.h"
#include "judge.h"
#include "move.h"
#include "sysfs.h"

/* What becomes of one function. */
struct job {
	struct pb_fn *fn;
	struct pb_place before;		/* to go back to */
	struct pb_memory memory;	/* of the time before us, as it was found */
	char interface[PB_NAME_LEN];
	bool forced;			/* somebody had a use for it */
	enum { WAITING, SKIPPED, REFUSED, FAILED, MOVED } state;
};

struct task {
	const struct pb_args *args;
	const char *driver;		/* "": none; NULL: the kernel's own */
	struct pb_machine machine;
	struct job *job;
	int nb;
};

/* Preparations: nothing is changed yet. */

static void
prepare_job(struct job *job, struct pb_fn *fn)
{
	job->fn = fn;
	job->state = WAITING;
	pb_place_of(fn, &job->before);
	pb_recall(fn, &job->memory);
	if (fn->nb_netifs > 0)
		strcpy(job->interface, fn->netif[0].name);
}

static int
prepare(struct task *task)
{
	struct pb_fn **fn = calloc(task->machine.nb + 1, sizeof(*fn));
	int i, nb;

	if (fn == NULL)
		return -ENOMEM;
	nb = pb_choose(&task->machine, task->args, fn);
	task->job = nb >= 0 ? calloc(nb + 1, sizeof(*task->job)) : NULL;
	for (i = 0; task->job != NULL && i < nb; i++)
		prepare_job(&task->job[i], fn[i]);
	free(fn);
	if (task->job == NULL)
		return nb < 0 ? nb : -ENOMEM;
	task->nb = nb;
	return 0;
}

static bool
wrong_id(const struct task *task, const struct pb_fn *fn)
{
	char id[16];

	snprintf(id, sizeof(id), "%04x:%04x", fn->vendor, fn->device);
	if (task->args->id == NULL || strcasecmp(task->args->id, id) == 0)
		return false;
	pb_say("%s: not touched: it is %s, not %s", fn->addr, id, task->args->id);
	return true;
}

static void
judge_job(const struct task *task, struct job *job)
{
	struct pb_judgement j;

	if (wrong_id(task, job->fn)) {
		job->state = REFUSED;
		return;
	}
	if (task->driver != NULL)
		pb_judge(&task->machine, job->fn, task->driver, task->args->noiommu, &j);
	else
		pb_judge_restore(job->fn, &j);
	if (j.verdict == PB_DONE) {
		pb_say("%s: %s", job->fn->addr, j.why);
		job->state = SKIPPED;
	} else if (j.verdict == PB_MAY_IF_FORCED && task->args->force) {
		pb_say("%s: warning: %s", job->fn->addr, j.why);
		job->forced = true;
	} else if (j.verdict != PB_MAY) {
		pb_say("%s: not touched: %s%s%s", job->fn->addr, j.why,
		       j.cure[0] != '\0' ? "; " : "", j.cure);
		job->state = REFUSED;
	}
}

/* "-b 0000:02:00.0 vfio-pci" is a likely slip. */
static bool
driver_is_device(const char *driver)
{
	char full[PB_ADDR_LEN];

	if (!pb_address(driver, full))
		return false;
	pb_say("'%s' is a device, not a driver: name the driver first (-b vfio-pci %s)", driver,
	       driver);
	return true;
}

static enum pb_status
driver_unknown(const char *driver)
{
	char why[PB_TEXT_LEN] = "";

	if (pb_driver_known(driver, why))
		return PB_OK;
	pb_say("%s", why);
	return PB_USAGE;
}

static enum pb_status
noiommu_on(void)
{
	char why[PB_TEXT_LEN] = "";
	bool possible;
	int ret;

	if (pb_noiommu_mode(&possible))
		return PB_OK;
	if (pb_driver_load("vfio-pci", why) != 0) {
		pb_say("%s", why);
		return PB_FAILED;
	}
	pb_noiommu_mode(&possible);
	if (!possible && !pb_is_dry()) {
		pb_say("this kernel has no no-IOMMU mode (CONFIG_VFIO_NOIOMMU): use --driver "
		       "uio_pci_generic");
		return PB_FAILED;
	}
	ret = pb_write("Y", "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode");
	if (ret != 0) {
		pb_say("cannot switch vfio's no-IOMMU mode on: %s", strerror(-ret));
		return PB_FAILED;
	}
	pb_say("warning: unsafe no-IOMMU mode: a card may write to any memory");
	return PB_OK;
}

/* One function at a time */

static int
remember(const struct task *task, struct job *job)
{
	struct pb_memory memory = job->memory;
	bool kernels = !pb_is_userspace(job->before.driver) && job->before.driver[0] != '\0';

	if (task->driver == NULL ||
	    (task->driver[0] != '\0' && !pb_is_userspace(task->driver))) {
		pb_forget(job->fn);
		return 0;
	}
	if (!kernels)
		return 0;
	strcpy(memory.driver, job->before.driver);
	strcpy(memory.interface, job->interface);
	return pb_remember(job->fn, &memory);
}

static int
go_home(struct job *job, char *why)
{
	struct pb_place home = {"", ""};

	if (job->memory.driver[0] == '\0' || !pb_driver_present(job->memory.driver))
		return pb_move_home(job->fn, why);
	strcpy(home.driver, job->memory.driver);
	if (pb_move(job->fn, &home, why) == 0)
		return 0;
	/* What it had does not want it any more; another may. */
	why[0] = '\0';
	return pb_move_home(job->fn, why);
}

static int
move(const struct task *task, struct job *job, char *why)
{
	struct pb_place to = {"", ""};

	if (task->driver == NULL)
		return go_home(job, why);
	strcpy(to.driver, task->driver);
	return pb_move(job->fn, &to, why);
}

static bool
undo(struct job *job)
{
	char why[PB_TEXT_LEN] = "";

	if (pb_is_dry() || pb_move(job->fn, &job->before, why) == 0)
		return true;
	pb_say("%s: cannot be given back to %s: %s; it has %s now", job->fn->addr,
	       job->before.driver[0] != '\0' ? job->before.driver : "no driver", why,
	       job->fn->driver[0] != '\0' ? job->fn->driver : "no driver");
	return false;
}

static void
give_to_owner(const struct task *task, const struct pb_fn *fn)
{
	const struct pb_args *args = task->args;
	int ret;

	if ((args->uid < 0 && args->gid < 0) || fn->group < 0 || !pb_is_vfio(task->driver))
		return;
	ret = pb_chown(args->uid, args->gid, "/dev/vfio/%s%d", fn->noiommu ? "noiommu-" : "",
		       fn->group);
	if (ret != 0)
		pb_say("%s: warning: cannot give /dev/vfio/%d away: %s", fn->addr, fn->group,
		       strerror(-ret));
}

static void
do_job(const struct task *task, struct job *job)
{
	char why[PB_TEXT_LEN] = "";
	bool back;

	if (move(task, job, why) != 0) {
		job->state = FAILED;
		back = undo(job);
		pb_say("%s: failed: %s%s", job->fn->addr, why, !back ? "" : job->forced ?
		       "; its driver is back, what was set on its interface is not" :
		       "; it is as it was before");
		return;
	}
	job->state = MOVED;
	if (task->driver != NULL && task->driver[0] != '\0')
		give_to_owner(task, job->fn);
}

/* In the end */

static const char *
or_none(const char *driver)
{
	return driver[0] != '\0' ? driver : "no driver";
}

static void
tell(const struct task *task, const struct job *job)
{
	const struct pb_fn *fn = job->fn;

	if (pb_is_dry())
		return;
	printf("%s: %s -> %s", fn->addr, or_none(job->before.driver), or_none(fn->driver));
	if (pb_is_vfio(fn->driver) && fn->group >= 0)
		printf(" (/dev/vfio/%s%d)", fn->noiommu ? "noiommu-" : "", fn->group);
	if (fn->nb_netifs > 0)
		printf(" (%s; ip link set %s up)", fn->netif[0].name, fn->netif[0].name);
	printf("\n");
	if (task->driver != NULL && pb_is_vfio(task->driver) && fn->group < 0)
		pb_say("%s: warning: it has no IOMMU group", fn->addr);
}

static unsigned int
count(const struct task *task, int state)
{
	unsigned int nb = 0;
	int i;

	for (i = 0; i < task->nb; i++)
		nb += (int)task->job[i].state == state;
	return nb;
}

static void
undo_all(struct task *task)
{
	int i;

	for (i = task->nb - 1; i >= 0; i--) {
		if (task->job[i].state != MOVED)
			continue;
		if (undo(&task->job[i]))
			pb_say("%s: given back", task->job[i].fn->addr);
		task->job[i].state = WAITING;
	}
}

static enum pb_status
conclude(struct task *task)
{
	unsigned int refused = count(task, REFUSED), failed = count(task, FAILED);
	int i, ret;

	for (i = 0; i < task->nb; i++) {
		if (task->job[i].state != MOVED)
			continue;
		ret = remember(task, &task->job[i]);
		if (ret != 0)
			pb_say("%s: warning: cannot remember that it had %s: %s",
			       task->job[i].fn->addr, task->job[i].before.driver, strerror(-ret));
		tell(task, &task->job[i]);
	}
	if (failed + refused == 0)
		return PB_OK;
	if (count(task, MOVED) + count(task, SKIPPED) > 0 && task->args->keep_going)
		return PB_NOT_ALL;
	return failed > 0 ? PB_FAILED : PB_REFUSED;
}

/* A change half made is what nobody wants: Ctrl-C waits until it is whole. */
static void
do_all(struct task *task)
{
	sigset_t all, before;
	int i;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (i = 0; i < task->nb; i++) {
		if (task->job[i].state != WAITING)
			continue;
		do_job(task, &task->job[i]);
		if (task->job[i].state == FAILED && !task->args->keep_going) {
			undo_all(task);
			break;
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static enum pb_status
carry_out(struct task *task)
{
	char why[PB_TEXT_LEN] = "";
	enum pb_status status;
	int i;

	for (i = 0; i < task->nb; i++)
		judge_job(task, &task->job[i]);
	if (count(task, REFUSED) > 0 && !task->args->keep_going) {
		if (task->nb > 1)
			pb_say("nothing is changed (--keep-going does what can be done)");
		return PB_REFUSED;
	}
	if (count(task, WAITING) == 0)
		return conclude(task);
	status = task->args->noiommu ? noiommu_on() : PB_OK;
	if (status != PB_OK)
		return status;
	if (task->driver != NULL && task->driver[0] != '\0' &&
	    pb_driver_load(task->driver, why) != 0) {
		pb_say("%s", why);
		return PB_FAILED;
	}
	do_all(task);
	return conclude(task);
}

enum pb_status
pb_change(const struct pb_args *args)
{
	struct task task = {.args = args};
	enum pb_status status;
	int ret;

	if (args->command == PB_CMD_UNBIND)
		task.driver = "";
	else if (args->command == PB_CMD_BIND)
		task.driver = args->driver != NULL ? args->driver : PB_DEFAULT_DRIVER;
	if (task.driver != NULL && driver_is_device(task.driver))
		return PB_USAGE;
	if (pb_machine_load(&task.machine) != 0)
		return PB_FAILED;
	ret = prepare(&task);
	status = ret == 0 ? PB_OK : ret == -ENODEV ? PB_USAGE : PB_FAILED;
	if (status == PB_OK && task.driver != NULL && task.driver[0] != '\0')
		status = driver_unknown(task.driver);
	if (status == PB_OK)
		status = carry_out(&task);
	free(task.job);
	pb_machine_free(&task.machine);
	return status;
}
