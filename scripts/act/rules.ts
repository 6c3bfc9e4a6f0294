/**
 * The W3C's ACT rules that ours match: by the id of the ACT rule (https://www.w3.org/WAI/standards-guidelines/act/rules/) the
 * rules of ours, any of which may find what it asks for.
 */
export const MATCHING: Readonly<Record<string, readonly string[]>> = {
  "97a4e1": ["button-name", "command-name"],
  c487ae: ["link-name"],
  "23a2a8": ["image-alt", "role-img-alt"],
  e086e5: ["label", "input-field-name", "toggle-field-name", "select-name"],
  m6b1q3: ["command-name"],
  ffd0e9: ["empty-heading"],
  cae760: ["frame-title"],
  "2779a5": ["window-title"],
  afw4f7: ["color-contrast"],
  "09o5cg": ["color-contrast-enhanced"],
  "2ee8b8": ["label-content-name-mismatch"],
  "307n5z": ["nested-interactive"],
  "0ssw9k": ["scrollable-region-focusable", "keyboard-reachable"],
  "4e8ab6": ["required-attr"],
  ff89c9: ["required-parent"],
  bc4a75: ["required-children"],
  "6cfa84": ["hidden-focus"],
  "7d6734": ["role-img-alt", "image-alt"],
  "59796f": ["button-name", "image-alt", "command-name"],
  d0f69e: ["th-has-data-cells", "td-has-header"],
  "2t702h": ["button-name", "command-name"],
  b5c3f8: ["locale"],
};
