/* The operations: each reads what is left of the request, on its lane, and answers a status with the reply in job->reply. */
#ifndef BS_OPS_H
#define BS_OPS_H

#include "job.h"

int bs_op_connect(bs_job *job);
int bs_op_apps(bs_job *job);
int bs_op_snapshot(bs_job *job);  /* walk.c, also READ */
int bs_op_find_role(bs_job *job); /* also ROLES */
int bs_op_places(bs_job *job);
int bs_op_at_point(bs_job *job);  /* point.c */
int bs_op_act(bs_job *job);       /* acts.c: ACTION, FOCUS, SET_VALUE, SCROLL_TO */
int bs_op_text(bs_job *job);      /* text.c: SET_TEXT to SELECT_TEXT */
int bs_op_select(bs_job *job);    /* select.c */
int bs_op_type(bs_job *job);      /* keys.c: TEXT, CHORD, RELEASE */
int bs_op_pointer(bs_job *job);   /* input.c */
int bs_op_watch_input(bs_job *job);
int bs_op_capture(bs_job *job);   /* capture.c */
int bs_op_windows(bs_job *job);   /* windows.c */
int bs_op_window(bs_job *job);
int bs_op_holders(bs_job *job);   /* holders.c */
int bs_op_clipboard(bs_job *job); /* pasteboard.c */

/* The element that the request names, retained; sets job->element. */
int bs_job_element(bs_job *job);
bool bs_job_malformed(bs_job *job); /* the request is not as long as it must be */

#endif
