#!/bin/sh
# All screens once more, where signals interrupt every second call of the system that they may: nothing looks different.
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/cc}
EVTUI=$PWD/$B/evtui-interrupted
export B EVTUI
exec tests/screen/run
