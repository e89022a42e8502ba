/* output_pane.h - the Output pane: output of the program that runs under the viewer */
#ifndef EVTUI_OUTPUT_PANE_H
#define EVTUI_OUTPUT_PANE_H

struct pane_ops;

extern const struct pane_ops output_pane;

#endif
