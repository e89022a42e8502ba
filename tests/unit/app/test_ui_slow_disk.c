/* A disk that takes its time never stops the keys: every page of the log is handed out late by a thread of ours
 * (userfaultfd), who also sees which thread asked for it. */
#include "app/panes.h"
#include "logs.h"
#include "panes/timeline/timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROWS = 50, COLS = 160, LATE_MS = 2, PATIENCE_MS = 20000 };

/* --- the disk --- */

static struct disk {
	int file, faults;
	size_t len, page;
	uint8_t *bytes; /* what is in the file */
	uint8_t *map;   /* where the program sees it */
	pthread_t thread;
	pid_t owner;               /* who must never wait */
	atomic_int served, waited; /* pages; those that the owner waited for */
	atomic_bool stop;
} disk;

static void hand_out(uint64_t address)
{
	uint64_t at = (address & ~(uint64_t)(disk.page - 1)) - (uint64_t)(uintptr_t)disk.map;
	struct uffdio_copy copy = {.dst = (uint64_t)(uintptr_t)disk.map + at,
		.src = (uint64_t)(uintptr_t)(disk.bytes + at),
		.len = disk.page};
	ioctl(disk.faults, UFFDIO_COPY, &copy); /* EEXIST: it is there by now */
	atomic_fetch_add(&disk.served, 1);
}

static void *serve(void *ctx)
{
	(void)ctx;
	while (!atomic_load(&disk.stop)) {
		struct pollfd p = {disk.faults, POLLIN, 0};
		struct uffd_msg msg;
		if (poll(&p, 1, 20) <= 0 || read(disk.faults, &msg, sizeof msg) != sizeof msg
			|| msg.event != UFFD_EVENT_PAGEFAULT)
			continue;
		if ((pid_t)msg.arg.pagefault.feat.ptid == disk.owner)
			atomic_fetch_add(&disk.waited, 1);
		usleep(1000 * LATE_MS);
		hand_out(msg.arg.pagefault.address);
	}
	return NULL;
}

/* The log in memory that the kernel takes for a file. */
static void put_file(const char *from, char *path)
{
	FILE *f = fopen(from, "r");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	disk = (struct disk){
		.len = (size_t)ftell(f), .page = (size_t)sysconf(_SC_PAGESIZE), .owner = (pid_t)syscall(SYS_gettid)};
	size_t room = (disk.len + disk.page - 1) / disk.page * disk.page;
	disk.bytes = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(disk.bytes, MAP_FAILED);
	rewind(f);
	assert_int_equal(fread(disk.bytes, 1, disk.len, f), disk.len);
	fclose(f);
	disk.file = memfd_create("log", MFD_CLOEXEC);
	assert_true(disk.file >= 0 && write(disk.file, disk.bytes, disk.len) == (ssize_t)disk.len);
	sprintf(path, "/proc/self/fd/%d", disk.file);
}

/* Make the disk slow. Return false if the system does not permit it. */
static bool become_slow(const struct source *src)
{
	struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_MISSING_SHMEM | UFFD_FEATURE_THREAD_ID};
	disk.map = (uint8_t *)(uintptr_t)src->data;
	disk.faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	if (disk.faults < 0 || ioctl(disk.faults, UFFDIO_API, &api))
		return false;
	size_t room = (disk.len + disk.page - 1) / disk.page * disk.page;
	/* the same map of the same file, but one that could be written to: others may not be handed out */
	if (mmap(disk.map, room, PROT_READ, MAP_SHARED | MAP_FIXED, disk.file, 0) != disk.map)
		return false;
	struct uffdio_register all = {
		.range = {(uint64_t)(uintptr_t)disk.map, room}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	if (ioctl(disk.faults, UFFDIO_REGISTER, &all))
		return false;
	if (fallocate(disk.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)room))
		return false;
	return pthread_create(&disk.thread, NULL, serve, NULL) == 0;
}

static void become_fast(void)
{
	atomic_store(&disk.stop, true);
	pthread_join(disk.thread, NULL);
}

/* --- the program --- */

static atomic_int news;
static struct pane_host host;
static struct canvas canvas;

static void wake(void *ctx)
{
	(void)ctx;
	atomic_fetch_add(&news, 1);
}

static void draw(void)
{
	model_refresh(&host.model);
	selection_move(&host.model.selection, host.model.at.cursor);
	panes_draw(&host, &canvas);
	panes_news(&host);
}

/* Panes that are not seen may have something to tell on their tabs. */
static bool any_busy(void)
{
	bool busy = panes_busy(&host);
	for (enum pane_kind i = 0; i < PANE_KINDS; i++)
		busy = busy || (host.kinds[i]->busy && host.kinds[i]->busy(host.views[i]));
	return busy;
}

/* Until nothing has come and nothing is in progress for some frames in a row. */
static void settle(void)
{
	enum { FRAMES = 20 };
	int calm = 0;
	for (int ms = 0; ms < PATIENCE_MS; ms++) {
		uint64_t fetched = evl_progress(host.log).fetched;
		int announced = atomic_load(&news);
		draw();
		struct evl_progress now = evl_progress(host.log);
		bool quiet = !now.fetching && now.fetched == fetched && announced == atomic_load(&news) && !any_busy();
		calm = quiet ? calm + 1 : 0;
		if (calm == FRAMES)
			return;
		usleep(1000);
	}
	fail_msg("it never comes to rest");
}

static void open_panes(struct evl_log *log)
{
	host = (struct pane_host){.log = log, .theme = THEME_DARK, .wake = wake};
	model_init(&host.model, log);
	assert_true(panes_open(&host));
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
}

static void close_panes(void)
{
	panes_close(&host);
	canvas_free(&canvas);
}

static const enum action keys[] = {ACT_NEXT_GC, ACT_NEXT_GC, ACT_ZOOM_IN, ACT_ZOOM_IN, ACT_ZOOM_IN, ACT_PAN_RIGHT,
	ACT_RIGHT, ACT_DOWN, ACT_NEXT_CHANGE, ACT_NEXT_RUN, ACT_WAKER, ACT_NEXT_MARKER, ACT_NEXT_MESSAGE, ACT_NEXT_IDLE,
	ACT_NEXT_PHASE, ACT_SELECT_SPAN, ACT_FIT, ACT_PANE_EVENTS, ACT_DOWN, ACT_PAGE_DOWN, ACT_END, ACT_START,
	ACT_SAME_TIME, ACT_PANE_TIMELINE, ACT_UNDO, ACT_UNDO, ACT_WHOLE, ACT_NEXT_PANE, ACT_SPLIT, ACT_PANE_TIMELINE,
	ACT_NEXT_LONGEST, ACT_ZOOM_IN};

static char *last_screen(struct evl_log *log)
{
	open_panes(log);
	settle();
	model_goto(&host.model, (host.model.first + host.model.last) / 3, 0);
	for (int i = 0; i < 5; i++)
		model_zoom(&host.model, 1, 2, 5000 * i);
	settle();
	char *text = canvas_dump(&canvas);
	close_panes();
	return text;
}

static void never_stops_the_keys(void **state)
{
	(void)state;
	struct evl_log *log;
	struct evl_err err;
	char path[64];
	put_file("assets/bazaar.eventlog", path);
	assert_int_equal(evl_open(&log, path, &err), 0);
	evl_never_wait(log, wake, NULL);
	assert_int_equal(evl_start(log, wake, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
#ifdef PORTABLE
	print_message("skipped: without mincore all pages count as present\n");
	evl_close(log);
	skip();
#endif
	char *fast = last_screen(log);
	if (!become_slow(&log->source)) {
		print_message("skipped: no userfaultfd here: %s\n", strerror(errno));
		free(fast);
		evl_close(log);
		skip();
	}
	usleep(3 * FETCH_TRUSTED_MS * 1000); /* what it saw of the fast disk is not believed any more */
	open_panes(log);
	draw();
	for (size_t i = 0; i < countof(keys); i++) {
		panes_act(&host, keys[i]);
		draw();
		usleep(500); /* some of it arrives in between */
		draw();
	}
	for (enum pane_kind pane = 0; pane < PANE_KINDS; pane++) {
		static const enum action some[] = {
			ACT_DOWN, ACT_RIGHT, ACT_NEXT_GC, ACT_ZOOM_IN, ACT_EXPAND, ACT_WHOLE};
		host.shown = pane;
		for (size_t i = 0; i < countof(some); i++) {
			panes_act(&host, some[i]);
			draw();
		}
	}
	assert_int_equal(atomic_load(&disk.waited), 0);
	assert_true(atomic_load(&disk.served) > 0);
	close_panes();
	char *slow = last_screen(log); /* when all has come, it is as ever */
	assert_string_equal(slow, fast);
	assert_int_equal(atomic_load(&disk.waited), 0);
	free(slow);
	free(fast);
	become_fast();
	close(disk.faults);
	evl_close(log);
	close(disk.file);
	munmap(disk.bytes, (disk.len + disk.page - 1) / disk.page * disk.page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(never_stops_the_keys)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
