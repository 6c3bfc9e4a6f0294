#define _GNU_SOURCE
#include "script.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct script script;
char script_error[200];

const char *const interface_names[INTERFACES] = {"Accessible", "Action", "Application", "Collection", "Component", "Document", "EditableText", "Hyperlink",
    "Hypertext", "Image", "Selection", "Table", "TableCell", "Text", "Value"};

static const char *const kinds[KINDS] = {"slow", "hang", "exit", "close", "half", "error", "lie", "refuse", "type", "cut", "poke", "pokehead", "serial",
    "big", "twice", "garbage", "tail"};
static const char *const caches[] = {"good", "none", "old", "empty", "partial", "wrong", "ring"};
static const char *const trees[] = {"good", "counts", "types", "others"};

// Open addressing over the ids; rebuilt as it grows. Dropped elements stay, so that a path can come back.
static int *table;
static unsigned table_size;

static unsigned hash(const char *id) {
    unsigned h = 5381;
    for (; *id; id++) h = h * 33 ^ (unsigned char)*id;
    return h;
}

static unsigned seat(const char *id) {
    unsigned at = hash(id) & (table_size - 1);
    while (table[at] && strcmp(script.nodes[table[at] - 1].id, id)) at = (at + 1) & (table_size - 1);
    return at;
}

int node_find(const char *id) { return table_size ? table[seat(id)] - 1 : -1; }

static int wrong(const char *what, const char *value) {
    snprintf(script_error, sizeof script_error, "%s: \"%s\"", what, value ? value : "");
    return -1;
}

static int new_node(const char *id, int parent) {
    int known = node_find(id);
    if (known >= 0 && !script.nodes[known].gone) return wrong("there is an element already", id);
    if (known < 0 && script.count == script.room) {
        script.room = script.room ? script.room * 2 : 256;
        script.nodes = realloc(script.nodes, (size_t)script.room * sizeof *script.nodes);
        free(table);
        table_size = (unsigned)script.room * 4;
        table = calloc(table_size, sizeof *table);
        if (!script.nodes || !table) abort();
        for (int i = 0; i < script.count; i++) table[seat(script.nodes[i].id)] = i + 1;
    }
    int at = known < 0 ? script.count : known;
    node *n = &script.nodes[at];
    if (known < 0) memset(n, 0, sizeof *n);
    snprintf(n->id, sizeof n->id, "%s", id);
    if (known < 0) table[seat(id)] = ++script.count;
    n->gone = false;
    n->parent = parent;
    n->claims = LONG_MIN;
    n->apart = false;
    n->role = 39; // panel
    n->states = 1u << 8 | 1u << 24 | 1u << 25 | 1u << 30; // enabled, sensitive, showing, visible
    n->interfaces = 1u << I_ACCESSIBLE | 1u << I_COMPONENT;
    n->rect[2] = n->rect[3] = 10;
    if (parent >= 0) {
        node *p = &script.nodes[parent];
        if ((p->kid_count & (p->kid_count - 1)) == 0) p->kids = realloc(p->kids, sizeof *p->kids * (size_t)(p->kid_count ? p->kid_count * 2 : 1));
        if (!p->kids) abort();
        n->place = p->kid_count;
        p->kids[p->kid_count++] = at;
    }
    return at;
}

void script_start(void) {
    snprintf(script.name, sizeof script.name, "peer");
    snprintf(script.toolkit, sizeof script.toolkit, "peer");
    snprintf(script.version, sizeof script.version, "1.0");
    int root = new_node("root", -1);
    script.nodes[root].role = 75; // application
    script.nodes[root].interfaces = 1u << I_ACCESSIBLE | 1u << I_APPLICATION;
}

int member_number(const char *name) {
    for (int i = 0; i < script.member_count; i++)
        if (!strcmp(script.members[i], name)) return i;
    if (script.member_count == MEMBERS) return MEMBERS - 1;
    snprintf(script.members[script.member_count], sizeof *script.members, "%s", name);
    return script.member_count++;
}

unsigned calls_of(const char *member, const char *id) {
    unsigned total = 0;
    int only = strcmp(id, "*") ? node_find(id) : ANY;
    for (int i = 0; i < script.count; i++)
        for (int m = 0; m < script.member_count && (only == ANY || only == i); m++)
            if (!strcmp(member, "*") || !strcmp(script.members[m], member)) total += script.nodes[i].calls[m];
    return total;
}

// A word, or key="a value with spaces": the quotes go.
char *next_word(char **line) {
    char *at = *line;
    while (*at == ' ' || *at == '\t') at++;
    if (!*at) return NULL;
    char *word = at, *into = at;
    bool quoted = false;
    for (; *at && (quoted || (*at != ' ' && *at != '\t')); at++) {
        if (*at == '"') quoted = !quoted;
        else *into++ = *at;
    }
    *line = *at ? at + 1 : at;
    *into = 0;
    return word;
}

static void replace(char **field, const char *value) {
    free(*field);
    *field = strdup(value);
    if (!*field) abort();
}

static void numbers(const char *value, int *into, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        into[i] = atoi(value);
        value = strchr(value, ',') ? strchr(value, ',') + 1 : "0";
    }
}

static uint32_t interface_bits(char *value) {
    uint32_t bits = 1u << I_ACCESSIBLE;
    for (char *save, *word = strtok_r(value, ",", &save); word; word = strtok_r(NULL, ",", &save))
        for (unsigned i = 0; i < INTERFACES; i++)
            if (!strcmp(word, interface_names[i])) bits |= 1u << i;
    return bits;
}

static bool set(node *n, char *key, char *value) {
    if (!strcmp(key, "role")) n->role = (uint32_t)atol(value);
    else if (!strcmp(key, "interfaces")) n->interfaces = interface_bits(value);
    else if (!strcmp(key, "name")) replace(&n->name, value);
    else if (!strcmp(key, "description")) replace(&n->description, value);
    else if (!strcmp(key, "text")) replace(&n->text, value);
    else if (!strcmp(key, "actions")) replace(&n->actions, value);
    else if (!strcmp(key, "id")) replace(&n->aid, value);
    else if (!strcmp(key, "attributes")) replace(&n->attributes, value);
    else if (!strcmp(key, "holds")) replace(&n->holds, value);
    else if (!strcmp(key, "in")) replace(&n->in, value);
    else if (!strcmp(key, "rect")) numbers(value, n->rect, 4);
    else if (!strcmp(key, "select")) numbers(value, n->select, 2);
    else if (!strcmp(key, "columns")) n->columns = atoi(value);
    else if (!strcmp(key, "caret")) n->caret = atoi(value);
    else if (!strcmp(key, "children")) n->claims = atol(value);
    else if (!strcmp(key, "apart")) n->apart = atoi(value) != 0;
    else if (!strcmp(key, "value")) sscanf(value, "%lf,%lf,%lf,%lf", &n->value[0], &n->value[1], &n->value[2], &n->value[3]);
    else if (!strcmp(key, "states")) {
        n->states = 0;
        for (char *save, *word = strtok_r(value, ",", &save); word; word = strtok_r(NULL, ",", &save)) n->states |= (uint64_t)1 << (atoi(word) & 63);
    } else return wrong("unknown key", key) == 0;
    return true;
}

static bool describe(int at, char *line, int number) {
    for (char *word; (word = next_word(&line));) {
        char *value = strchr(word, '='), filled[4096];
        if (!value) return wrong("not key=value", word) == 0;
        *value++ = 0;
        char *mark = strstr(value, "%d");
        if (mark) {
            snprintf(filled, sizeof filled, "%.*s%d%s", (int)(mark - value), value, number, mark + 2);
            value = filled;
        }
        if (!set(&script.nodes[at], word, value)) return false;
    }
    return true;
}

static bool several(char *line, bool deep) {
    char *id = next_word(&line), *parent = next_word(&line), *count = next_word(&line);
    int above = parent ? node_find(parent) : -1;
    if (!count || above < 0) return wrong("no such parent", parent) == 0;
    for (int i = 0; i < atoi(count); i++) {
        char name[48], rest[4096];
        snprintf(name, sizeof name, "%.36s%d", id, i);
        snprintf(rest, sizeof rest, "%s", line);
        int at = new_node(name, above);
        if (at < 0 || !describe(at, rest, i)) return false;
        if (deep) above = at;
    }
    return true;
}

static int word_in(const char *word, const char *const *list, int n) {
    for (int i = 0; word && i < n; i++)
        if (!strcmp(word, list[i])) return i;
    return -1;
}

static bool add_fault(char *line) {
    if (script.fault_count == 64) return wrong("too many faults", line) == 0;
    fault f = {.node = ANY, .member = ANY, .via = ANY, .from = 1};
    char *word = next_word(&line);
    if (!word) return wrong("which member", "") == 0;
    if (strcmp(word, "*")) f.member = member_number(word);
    for (;;) {
        word = next_word(&line);
        if (word && !strncmp(word, "on=", 3)) f.node = node_find(word + 3);
        else if (word && !strncmp(word, "from=", 5)) f.from = (unsigned)atoi(word + 5);
        else if (word && !strncmp(word, "times=", 6)) f.times = (unsigned)atoi(word + 6);
        else if (word && !strncmp(word, "via=", 4)) f.via = !strcmp(word + 4, "straight");
        else break;
    }
    int kind = word_in(word, kinds, KINDS);
    if (kind < 0) return wrong("unknown kind of fault", word) == 0;
    f.kind = (enum kind)kind;
    if ((word = next_word(&line))) {
        snprintf(f.text, sizeof f.text, "%s", word);
        f.number = strtol(word, NULL, 0);
    }
    if ((word = next_word(&line))) f.second = strtol(word, NULL, 0);
    script.faults[script.fault_count++] = f;
    return true;
}

bool script_line(char *line) {
    char *word = next_word(&line);
    *script_error = 0;
    if (!word || *word == '#') return true;
    if (!strcmp(word, "heal")) return script.fault_count = 0, true;
    if (!strcmp(word, "fault")) return add_fault(line);
    if (!strcmp(word, "many") || !strcmp(word, "deep")) return several(line, *word == 'd');
    char *first = next_word(&line), *second = !strcmp(word, "drop") || !strcmp(word, "cache") || !strcmp(word, "tree") || !strcmp(word, "big") ? NULL : next_word(&line);
    if (!first) return wrong("too short", word) == 0;
    if (!strcmp(word, "app")) {
        char *third = next_word(&line);
        snprintf(script.name, sizeof script.name, "%s", first);
        if (second) snprintf(script.toolkit, sizeof script.toolkit, "%s", second);
        if (third) snprintf(script.version, sizeof script.version, "%s", third);
        return true;
    }
    if (!strcmp(word, "address")) return snprintf(script.address, sizeof script.address, "%s", first) >= 0;
    if (!strcmp(word, "cache")) {
        int mode = word_in(first, caches, 7);
        if (mode < 0) return wrong("unknown cache", first) == 0;
        return script.cache = (enum cache)mode, true;
    }
    if (!strcmp(word, "tree")) {
        int mode = word_in(first, trees, 4);
        if (mode < 0) return wrong("unknown tree", first) == 0;
        return script.tree = (enum tree)mode, true;
    }
    if (!strcmp(word, "big")) return script.big = !strcmp(first, "on"), true;
    int at = node_find(first), other = second ? node_find(second) : -1;
    if (!strcmp(word, "node")) {
        bool change = second && !strcmp(second, "-");
        if (!change && other < 0) return wrong("no such parent", second) == 0;
        if (!change) at = new_node(first, other);
        return at >= 0 && describe(at, line, at);
    }
    if (at < 0 || (!strcmp(word, "ref") && other < 0)) return wrong("no such element", first) == 0;
    if (!strcmp(word, "drop")) {
        node *n = &script.nodes[at], *p = n->parent < 0 ? NULL : &script.nodes[n->parent];
        n->gone = true;
        n->kid_count = 0;
        for (int i = 0; p && i < p->kid_count; i++)
            if (p->kids[i] == at) memmove(p->kids + i, p->kids + i + 1, (size_t)(--p->kid_count - i) * sizeof *p->kids);
        return true;
    }
    if (!strcmp(word, "ref")) {
        node *p = &script.nodes[at];
        p->kids = realloc(p->kids, sizeof *p->kids * (size_t)(p->kid_count + 1) * 2);
        if (!p->kids) abort();
        p->kids[p->kid_count++] = other;
        return true;
    }
    return wrong("unknown directive", word) == 0;
}
