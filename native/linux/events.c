/* What applications broadcast becomes EVENT records. */
#include <string.h>

#include "mirror.h"
#include "op.h"

#define MAX_TEXT (64u << 10) /* bytes of an event's text: a new name, or the path of a child */

// "StateChanged" becomes "state-changed".
static void put_dashed(bs_buf *b, bs_str name) {
    for (uint32_t i = 0; i < name.length; i++) {
        char c = name.text[i];
        bool upper = c >= 'A' && c <= 'Z';
        if (upper && i) bs_put_u8(b, '-');
        bs_put_u8(b, (uint8_t)(upper ? c - 'A' + 'a' : c == '_' ? '-' : c));
    }
}

static void put_kind(bs_buf *out, bs_str class, bs_str member, bs_str minor) {
    size_t mark = out->length;
    bs_put_u32(out, 0);
    put_dashed(out, class);
    bs_put_u8(out, ':');
    // "focus:" has no second part of its own.
    if (!bs_str_is(class, "Focus")) put_dashed(out, member);
    if (minor.length) {
        bs_put_u8(out, ':');
        bs_put(out, minor.text, minor.length);
    }
    if (out->failed) return;
    uint32_t n = (uint32_t)(out->length - mark - 4);
    bs_buf length = {.data = out->data + mark, .capacity = 4};
    bs_put_u32(&length, n);
}

static bs_str cut(bs_str text) {
    while (text.length > MAX_TEXT || (text.length == MAX_TEXT && !bs_utf8_valid(text.text, text.length))) {
        text.length = text.length > MAX_TEXT ? MAX_TEXT : text.length - 1;
        while (text.length && !bs_utf8_valid(text.text, text.length)) text.length--;
    }
    return text;
}

/*
 * What was typed is in no record: fields of GTK 4 and Qt tell passwords in clear, and not every role is known before. Whoever
 * needs a text reads the field.
 */
static bool tells_content(bs_str member, bs_str minor) {
    static const char value[] = "accessible-value";
    if (member.length >= 4 && !memcmp(member.text, "Text", 4)) return true;
    return bs_str_is(member, "PropertyChange") && minor.length >= sizeof value - 1 && !memcmp(minor.text, value, sizeof value - 1);
}

void bs_event_signal(void *context, const bs_msg *m) {
    bs_link *link = context;
    bs_in body = m->body;
    if (bs_str_is(m->head.sender, "org.freedesktop.DBus")) {
        if (!bs_str_is(m->head.member, "NameOwnerChanged") || !bs_signature_is(m, "sss")) return;
        bs_str name = bs_in_str(&body);
        bs_in_str(&body);
        bs_str owner = bs_in_str(&body);
        if (body.failed) return;
        if (owner.length) {
            if (bs_str_is(name, BS_REGISTRY)) bs_registry_came(link, owner);
            return;
        }
        if (bs_str_is(name, BS_REGISTRY) || bs_str_is(name, link->registry)) bs_registry_left(link);
        bs_bus_peer_gone(link->bus, name);
        bs_peer_left(link, name);
        return;
    }
    if (!bs_unique_name_valid(m->head.sender)) return; // a bus that vouches for nobody
    static const char prefix[] = "org.a11y.atspi.Event.";
    bs_str interface = m->head.interface;
    size_t skip = sizeof prefix - 1;
    if (interface.length <= skip || memcmp(interface.text, prefix, skip)) return;
    if (m->head.signature.length < 4 || memcmp(m->head.signature.text, "siiv", 4)) return;
    bs_str minor = bs_in_str(&body);
    int32_t detail1 = bs_in_i32(&body), detail2 = bs_in_i32(&body);
    bs_str held = bs_in_signature(&body), text = {"", 0};
    if (bs_str_is(held, "s")) {
        text = cut(bs_in_str(&body));
        if (tells_content(m->head.member, minor) || bs_secret(&link->secrets, m->head.sender, m->head.path)) text = (bs_str){"", 0};
    } else if (bs_str_is(held, "(so)")) {
        bs_in_struct(&body);
        bs_in_str(&body);
        text = bs_in_path(&body);
    }
    if (body.failed || m->head.path.length > 4096 || minor.length > 1024) return;
    if (detail1 && bs_str_is(minor, "defunct") && bs_str_is(m->head.member, "StateChanged")) bs_secret_gone(&link->secrets, m->head.sender, m->head.path);
    bs_mirror_event(link, m, minor, detail1, bs_str_is(held, "(so)") ? text : (bs_str){"", 0});
    bs_buf out = {0};
    bs_put_u64(&out, bs_now_us());
    bs_put_str(&out, m->head.sender.text, m->head.sender.length);
    bs_put_str(&out, m->head.path.text, m->head.path.length);
    put_kind(&out, (bs_str){interface.text + skip, interface.length - (uint32_t)skip}, m->head.member, minor);
    bs_put_i32(&out, detail1);
    bs_put_i32(&out, detail2);
    bs_put_str(&out, text.text, text.length);
    bs_core_event(link->session, BACKSTEP_R_EVENT, &out);
}
