// The form that scripts/probe-macos.sh drives: AppKit controls, made by JavaScript for Automation, which writes down what happens to it.
// osascript -l JavaScript form.js ACCOUNT. Nobody has run it on a Mac yet.
ObjC.import("Cocoa");

// deno-lint-ignore no-unused-vars -- osascript calls it
function run(argv) {
  const account = argv[0];
  const say = (text) => {
    const file = $.NSFileHandle.fileHandleForWritingAtPath(account);
    file.seekToEndOfFile;
    file.writeData($(`${text}\n`).dataUsingEncoding($.NSUTF8StringEncoding));
    file.closeFile;
  };
  const names = new Map();
  ObjC.registerSubclass({
    name: "BackstepTarget",
    protocols: ["NSTextFieldDelegate"],
    methods: {
      "act:": {
        types: ["void", ["id"]],
        implementation(sender) {
          const title = ObjC.unwrap(sender.title !== undefined ? sender.title : sender.identifier);
          say(`${title} ${ObjC.unwrap(sender.stringValue)}`);
        },
      },
      "controlTextDidChange:": {
        types: ["void", ["id"]],
        implementation(notification) {
          say(`Name ${ObjC.unwrap(notification.object.stringValue)}`);
        },
      },
    },
  });
  const target = $.BackstepTarget.alloc.init;
  const app = $.NSApplication.sharedApplication;
  app.setActivationPolicy($.NSApplicationActivationPolicyRegular);
  const window = $.NSWindow.alloc.initWithContentRectStyleMaskBackingDefer(
    $.NSMakeRect(200, 300, 400, 300),
    $.NSTitledWindowMask | $.NSClosableWindowMask | $.NSMiniaturizableWindowMask | $.NSResizableWindowMask,
    $.NSBackingStoreBuffered,
    false,
  );
  window.title = "Backstep probe";
  const place = (view, y) => {
    view.frame = $.NSMakeRect(20, y, 300, 26);
    window.contentView.addSubview(view);
    return view;
  };
  const button = (title, kind, y) => {
    const view = place($.NSButton.alloc.init, y);
    view.title = title;
    view.setButtonType(kind);
    view.target = target;
    view.action = "act:";
    names.set(title, view);
    return view;
  };
  button("Send", $.NSMomentaryLightButton, 250).bezelStyle = $.NSRoundedBezelStyle;
  button("Bold", $.NSSwitchButton, 220);
  button("Small", $.NSRadioButton, 190).state = 1;
  button("Large", $.NSRadioButton, 160);
  const slider = place($.NSSlider.alloc.init, 130);
  slider.maxValue = 100;
  slider.identifier = "Volume";
  slider.accessibilityLabel = "Volume";
  slider.target = target;
  slider.action = "act:";
  const field = place($.NSTextField.alloc.init, 90);
  field.stringValue = "Ann";
  field.identifier = "Name";
  field.accessibilityLabel = "Name";
  field.delegate = target;
  const menu = $.NSMenu.alloc.init,
    own = $.NSMenuItem.alloc.init,
    submenu = $.NSMenu.alloc.initWithTitle("Probe");
  const item = $.NSMenuItem.alloc.initWithTitleActionKeyEquivalent("Report", "act:", "r");
  item.target = target;
  submenu.addItem(item);
  own.submenu = submenu;
  menu.addItem(own);
  app.mainMenu = menu;
  window.makeKeyAndOrderFront(null);
  app.activateIgnoringOtherApps(true);
  say("ready");
  app.run;
}
