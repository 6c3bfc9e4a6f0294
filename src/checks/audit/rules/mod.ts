import type { Rule } from "../rule.ts";
import { accesskeys } from "./accesskeys.ts";
import { ariaRoles } from "./aria-roles.ts";
import { buttonAction } from "./button-action.ts";
import { buttonName } from "./button-name.ts";
import { colorContrast } from "./color-contrast.ts";
import { colorContrastEnhanced } from "./color-contrast-enhanced.ts";
import { commandName } from "./command-name.ts";
import { dialogName } from "./dialog-name.ts";
import { duplicateId } from "./duplicate-id.ts";
import { emptyHeading } from "./empty-heading.ts";
import { emptyTableHeader } from "./empty-table-header.ts";
import { focusOrderSemantics } from "./focus-order-semantics.ts";
import { formFieldMultipleLabels } from "./form-field-multiple-labels.ts";
import { frameTitle } from "./frame-title.ts";
import { frameTitleUnique } from "./frame-title-unique.ts";
import { headingOrder } from "./heading-order.ts";
import { hiddenFocus } from "./hidden-focus.ts";
import { imageAlt } from "./image-alt.ts";
import { imageRedundantAlt } from "./image-redundant-alt.ts";
import { inputFieldName } from "./input-field-name.ts";
import { keyboardReachable } from "./keyboard-reachable.ts";
import { keyboardTrap } from "./keyboard-trap.ts";
import { label } from "./label.ts";
import { labelContentNameMismatch } from "./label-content-name-mismatch.ts";
import { labelTitleOnly } from "./label-title-only.ts";
import { linkName } from "./link-name.ts";
import { list } from "./list.ts";
import { locale } from "./locale.ts";
import { meterName } from "./meter-name.ts";
import { nestedInteractive } from "./nested-interactive.ts";
import { progressbarName } from "./progressbar-name.ts";
import { requiredAttr } from "./required-attr.ts";
import { requiredChildren } from "./required-children.ts";
import { requiredParent } from "./required-parent.ts";
import { roleImgAlt } from "./role-img-alt.ts";
import { scrollableRegionFocusable } from "./scrollable-region-focusable.ts";
import { selectName } from "./select-name.ts";
import { tabName } from "./tab-name.ts";
import { targetSize } from "./target-size.ts";
import { targetSizeEnhanced } from "./target-size-enhanced.ts";
import { tdHasHeader } from "./td-has-header.ts";
import { thHasDataCells } from "./th-has-data-cells.ts";
import { toggleFieldName } from "./toggle-field-name.ts";
import { tooltipName } from "./tooltip-name.ts";
import { treeitemName } from "./treeitem-name.ts";
import { validLang } from "./valid-lang.ts";
import { windowTitle } from "./window-title.ts";

/** Every rule, in the order of the reference. */
export const rules: readonly Rule[] = [
  buttonName,
  commandName,
  linkName,
  label,
  inputFieldName,
  toggleFieldName,
  selectName,
  tabName,
  tooltipName,
  treeitemName,
  dialogName,
  progressbarName,
  meterName,
  imageAlt,
  roleImgAlt,
  imageRedundantAlt,
  windowTitle,
  frameTitle,
  frameTitleUnique,
  emptyHeading,
  headingOrder,
  emptyTableHeader,
  tdHasHeader,
  thHasDataCells,
  requiredChildren,
  requiredParent,
  requiredAttr,
  ariaRoles,
  list,
  nestedInteractive,
  hiddenFocus,
  scrollableRegionFocusable,
  focusOrderSemantics,
  accesskeys,
  formFieldMultipleLabels,
  labelTitleOnly,
  labelContentNameMismatch,
  targetSize,
  locale,
  validLang,
  colorContrast,
  colorContrastEnhanced,
  targetSizeEnhanced,
  buttonAction,
  duplicateId,
  keyboardTrap,
  keyboardReachable,
];
