# The core of macOS: what is compiled for it, beside src/. guard.m is Objective-C; the stand-in has a guard of its own.
MACOS_CORE := macos/acts.c macos/app.c macos/apps.c macos/ask.c macos/capture.c macos/cf.c macos/connect.c macos/handle.c macos/holders.c macos/input.c macos/io.c macos/keyboard.c macos/keys.c macos/lane.c macos/looks.c \
	macos/names.c macos/objc.c macos/observe.c macos/ops.c macos/pasteboard.c macos/point.c macos/roles.c macos/row.c macos/select.c macos/shot.c macos/text.c macos/wake_web.c macos/walk.c macos/watch.c macos/windows.c
MACOS_SHARED := $(wildcard src/*.c)
MACOS_OBJC := macos/guard.m
