/* output_pane.h - the pane of what the program prints that is run under the viewer. */
#ifndef EVTUI_OUTPUT_PANE_H
#define EVTUI_OUTPUT_PANE_H

struct pane_ops;

extern const struct pane_ops output_pane;

#endif
