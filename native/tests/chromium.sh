#!/bin/sh
# Chromium on a page of its own, for live.c: a list, fields, buttons and a table.
page="$HOME/page.html"
{
    echo '<!doctype html><meta charset=utf-8><title>Elements</title>'
    for i in 1 2 3 4 5 6 7 8 9 10; do
        echo "<section><h2>Part $i</h2><p>Words of part $i.</p><button title='Press $i'>Button $i</button>"
        echo "<label><input type=checkbox> Check $i</label><input aria-label='Field $i' value='$i'><ul><li>One</li><li>Two</li></ul></section>"
    done
    echo '<table><tr><td>a</td><td>b</td></tr></table>'
} > "$page"
exec chromium --force-renderer-accessibility --no-sandbox --disable-gpu --disable-quic --no-first-run --no-default-browser-check --disable-sync \
    --disable-background-networking --disable-component-update --password-store=basic --user-data-dir="$HOME/chromium" "file://$page" >/dev/null 2>&1
