/* Where an element's text lies and how it looks: a message each, of what has a text that is no password's. */
#ifndef BS_LOOKS_H
#define BS_LOOKS_H

#include "../src/tree.h"
#include "job.h"
#include "row.h"

/* A status where that ends the whole operation; what the application does not tell stays unknown. units: of the whole text, UTF-16. */
int bs_looks_rect(bs_job *job, const bs_wish *wish, bs_tree *t, uint32_t node, AXUIElementRef element, CFIndex units);
int bs_looks_style(bs_job *job, bs_tree *t, uint32_t node, AXUIElementRef element);

#endif
