/* output_pane.h - the pane of what the program prints that is run under the viewer. */
#ifndef EVTUI_OUTPUT_PANE_H
#define EVTUI_OUTPUT_PANE_H

struct view_ops;

extern const struct view_ops view_output;

#endif
