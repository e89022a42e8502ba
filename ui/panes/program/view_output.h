/* view_output.h - the pane of what the program prints that is run under the viewer. */
#ifndef EVTUI_VIEW_OUTPUT_H
#define EVTUI_VIEW_OUTPUT_H

struct view_ops;

extern const struct view_ops view_output;

#endif
