/* What each AXError means, of a question and of an act. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

/* A question: what it means for who asked; an element that answers nothing at all is none. An act: every error that an application may answer after acting is "it may have happened". */
static const struct { int code, question, act; } MEANS[] = {
    {-25200, BACKSTEP_E_APP_ERROR, BACKSTEP_E_UNSURE},        {-25201, BACKSTEP_E_APP_ERROR, BACKSTEP_E_REFUSED},
    {-25202, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_NO_ELEMENT},   {-25203, BACKSTEP_E_APP_ERROR, BACKSTEP_E_UNSURE},
    {-25204, BACKSTEP_E_APP_ERROR, BACKSTEP_E_UNSURE},  {-25205, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSURE},
    {-25206, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSURE},      {-25207, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSUPPORTED},
    {-25208, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSUPPORTED}, {-25209, BACKSTEP_E_PROTOCOL, BACKSTEP_OK},
    {-25210, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSUPPORTED}, {-25211, BACKSTEP_E_PERMISSION, BACKSTEP_E_PERMISSION},
    {-25212, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSURE},      {-25213, BACKSTEP_E_NO_ELEMENT, BACKSTEP_E_UNSUPPORTED},
    {-25214, BACKSTEP_E_APP_ERROR, BACKSTEP_E_UNSURE},
};

int main(void) {
    for (unsigned i = 0; i < sizeof MEANS / sizeof *MEANS; i++) {
        char script[600], path[64];
        snprintf(script, sizeof script, "application 300 \"Errors\"\nAXWindow Title=\"W\" at=0,0,100,100\n  AXButton Title=\"Act\" actions=\"AXPress\"\n    on AXPress: log \"acted\"; answer %d\n", MEANS[i].code);
        uint64_t s = mac_connect(script);
        const char *bus = mac_bus(s, 300);
        CHECK(mac_find(s, bus, "Act", path, sizeof path));
        int status = mac_do(s, bus, path, BACKSTEP_OP_ACTION, 2000, "s", "AXPress");
        CHECK(status == MEANS[i].act);
        if (status != MEANS[i].act) fprintf(stderr, "an act that answers %d: %d, %s\n", MEANS[i].code, status, mac_said);
        CHECK(si_logged("acted"));
        CHECK_IS(si_asked(300, "AXPress"), 1); /* an act is never repeated */
        mac_end("act", s);
        /* Every message answers it: the element is named, and the sentence says what. */
        snprintf(script, sizeof script, "application 300 \"Errors\"\non call: answer %d\nAXWindow Title=\"W\" at=0,0,100,100\n", MEANS[i].code);
        s = mac_connect(script);
        bus = mac_bus(s, 300);
        mac_rows v;
        status = mac_snapshot(s, bus, "", 0, 600, &v);
        CHECK(status == MEANS[i].question);
        if (status != MEANS[i].question) fprintf(stderr, "a question that answers %d: %d, %s\n", MEANS[i].code, status, mac_said);
        if (status == BACKSTEP_E_PERMISSION) CHECK(!strncmp(mac_said, "accessibility: ", 15));
        CHECK(status == BACKSTEP_OK || *mac_said);
        mac_free(&v);
        mac_end("question", s);
    }
    return check_report("macos errors");
}
