/*
 * The names of the accessibility client as text, so that one table makes both the enumeration and the strings:
 *   #define X(name, text) AX_A_##name,
 *   enum { AX_ATTRIBUTES(X) … };
 * Which of them Apple's headers define, and where the others come from: docs/reference/macos-constants.md.
 */
#ifndef BS_APPLE_AX_NAMES_H
#define BS_APPLE_AX_NAMES_H

#define AX_ATTRIBUTES(X) \
    X(Role, "AXRole") X(Subrole, "AXSubrole") X(RoleDescription, "AXRoleDescription") X(Identifier, "AXIdentifier") \
    X(Title, "AXTitle") X(Description, "AXDescription") X(Help, "AXHelp") X(Value, "AXValue") \
    X(ValueDescription, "AXValueDescription") X(PlaceholderValue, "AXPlaceholderValue") \
    X(MinValue, "AXMinValue") X(MaxValue, "AXMaxValue") X(ValueIncrement, "AXValueIncrement") X(AllowedValues, "AXAllowedValues") \
    X(Parent, "AXParent") X(Children, "AXChildren") X(VisibleChildren, "AXVisibleChildren") X(SelectedChildren, "AXSelectedChildren") \
    X(Contents, "AXContents") X(ChildrenInNavigationOrder, "AXChildrenInNavigationOrder") \
    X(Window, "AXWindow") X(TopLevelUIElement, "AXTopLevelUIElement") X(TitleUIElement, "AXTitleUIElement") \
    X(ServesAsTitleForUIElements, "AXServesAsTitleForUIElements") X(LinkedUIElements, "AXLinkedUIElements") \
    X(Position, "AXPosition") X(Size, "AXSize") X(Frame, "AXFrame") X(Orientation, "AXOrientation") \
    X(Enabled, "AXEnabled") X(Focused, "AXFocused") X(Selected, "AXSelected") X(Expanded, "AXExpanded") X(ElementBusy, "AXElementBusy") \
    X(Required, "AXRequired") X(Invalid, "AXInvalid") X(Edited, "AXEdited") X(Visited, "AXVisited") X(Language, "AXLanguage") \
    X(SelectedText, "AXSelectedText") X(SelectedTextRange, "AXSelectedTextRange") X(SelectedTextRanges, "AXSelectedTextRanges") \
    X(VisibleCharacterRange, "AXVisibleCharacterRange") X(NumberOfCharacters, "AXNumberOfCharacters") \
    X(InsertionPointLineNumber, "AXInsertionPointLineNumber") X(SharedTextUIElements, "AXSharedTextUIElements") \
    X(Main, "AXMain") X(Minimized, "AXMinimized") X(Modal, "AXModal") X(FullScreen, "AXFullScreen") X(Proxy, "AXProxy") \
    X(CloseButton, "AXCloseButton") X(ZoomButton, "AXZoomButton") X(MinimizeButton, "AXMinimizeButton") \
    X(FullScreenButton, "AXFullScreenButton") X(ToolbarButton, "AXToolbarButton") X(GrowArea, "AXGrowArea") \
    X(DefaultButton, "AXDefaultButton") X(CancelButton, "AXCancelButton") \
    X(MenuBar, "AXMenuBar") X(ExtrasMenuBar, "AXExtrasMenuBar") X(Windows, "AXWindows") X(Frontmost, "AXFrontmost") X(Hidden, "AXHidden") \
    X(MainWindow, "AXMainWindow") X(FocusedWindow, "AXFocusedWindow") X(FocusedUIElement, "AXFocusedUIElement") \
    X(FocusedApplication, "AXFocusedApplication") \
    X(MenuItemCmdChar, "AXMenuItemCmdChar") X(MenuItemCmdVirtualKey, "AXMenuItemCmdVirtualKey") X(MenuItemCmdGlyph, "AXMenuItemCmdGlyph") \
    X(MenuItemCmdModifiers, "AXMenuItemCmdModifiers") X(MenuItemMarkChar, "AXMenuItemMarkChar") \
    X(MenuItemPrimaryUIElement, "AXMenuItemPrimaryUIElement") X(ShownMenuUIElement, "AXShownMenuUIElement") \
    X(Header, "AXHeader") X(Tabs, "AXTabs") X(Splitters, "AXSplitters") X(Index, "AXIndex") \
    X(Rows, "AXRows") X(VisibleRows, "AXVisibleRows") X(SelectedRows, "AXSelectedRows") X(RowCount, "AXRowCount") \
    X(Columns, "AXColumns") X(VisibleColumns, "AXVisibleColumns") X(SelectedColumns, "AXSelectedColumns") X(ColumnCount, "AXColumnCount") \
    X(VisibleCells, "AXVisibleCells") X(SelectedCells, "AXSelectedCells") X(SortDirection, "AXSortDirection") \
    X(RowHeaderUIElements, "AXRowHeaderUIElements") X(ColumnHeaderUIElements, "AXColumnHeaderUIElements") \
    X(RowIndexRange, "AXRowIndexRange") X(ColumnIndexRange, "AXColumnIndexRange") \
    X(Disclosing, "AXDisclosing") X(DisclosedRows, "AXDisclosedRows") X(DisclosedByRow, "AXDisclosedByRow") X(DisclosureLevel, "AXDisclosureLevel") \
    X(HorizontalScrollBar, "AXHorizontalScrollBar") X(VerticalScrollBar, "AXVerticalScrollBar") X(OverflowButton, "AXOverflowButton") \
    X(SearchButton, "AXSearchButton") X(ClearButton, "AXClearButton") X(IncrementButton, "AXIncrementButton") X(DecrementButton, "AXDecrementButton") \
    X(Document, "AXDocument") X(Filename, "AXFilename") X(URL, "AXURL") X(AlternateUIVisible, "AXAlternateUIVisible") \
    X(DOMIdentifier, "AXDOMIdentifier") X(DOMClassList, "AXDOMClassList") X(LoadingProgress, "AXLoadingProgress") X(Loaded, "AXLoaded") \
    X(ManualAccessibility, "AXManualAccessibility") X(EnhancedUserInterface, "AXEnhancedUserInterface")

#define AX_PARAMETERIZED(X) \
    X(LineForIndex, "AXLineForIndex") X(RangeForLine, "AXRangeForLine") X(StringForRange, "AXStringForRange") \
    X(RangeForPosition, "AXRangeForPosition") X(RangeForIndex, "AXRangeForIndex") X(BoundsForRange, "AXBoundsForRange") \
    X(RTFForRange, "AXRTFForRange") X(AttributedStringForRange, "AXAttributedStringForRange") X(StyleRangeForIndex, "AXStyleRangeForIndex") \
    X(CellForColumnAndRow, "AXCellForColumnAndRow") X(UIElementsForSearchPredicate, "AXUIElementsForSearchPredicate") \
    X(ReplaceRangeWithText, "AXReplaceRangeWithText")

/* What an attributed string of AX has of its characters, and what is in the dictionary of its font. */
#define AX_TEXT_KEYS(X) \
    X(Font, "AXFont") X(FontName, "AXFontName") X(FontFamily, "AXFontFamily") X(FontSize, "AXFontSize") X(NaturalLanguageText, "AXNaturalLanguageText")

#define AX_ACTIONS(X) \
    X(Press, "AXPress") X(Increment, "AXIncrement") X(Decrement, "AXDecrement") X(Confirm, "AXConfirm") X(Cancel, "AXCancel") \
    X(Raise, "AXRaise") X(ShowMenu, "AXShowMenu") X(Pick, "AXPick") X(ShowAlternateUI, "AXShowAlternateUI") X(ShowDefaultUI, "AXShowDefaultUI") \
    X(Delete, "AXDelete") X(ScrollToVisible, "AXScrollToVisible") X(ScrollLeftByPage, "AXScrollLeftByPage") \
    X(ScrollRightByPage, "AXScrollRightByPage") X(ScrollUpByPage, "AXScrollUpByPage") X(ScrollDownByPage, "AXScrollDownByPage")

#define AX_ROLES(X) \
    X(Application, "AXApplication") X(SystemWide, "AXSystemWide") X(Window, "AXWindow") X(Sheet, "AXSheet") X(Drawer, "AXDrawer") \
    X(GrowArea, "AXGrowArea") X(Image, "AXImage") X(Unknown, "AXUnknown") X(Button, "AXButton") X(RadioButton, "AXRadioButton") \
    X(CheckBox, "AXCheckBox") X(PopUpButton, "AXPopUpButton") X(MenuButton, "AXMenuButton") X(TabGroup, "AXTabGroup") X(Table, "AXTable") \
    X(Column, "AXColumn") X(Row, "AXRow") X(Outline, "AXOutline") X(Browser, "AXBrowser") X(ScrollArea, "AXScrollArea") \
    X(ScrollBar, "AXScrollBar") X(RadioGroup, "AXRadioGroup") X(List, "AXList") X(Group, "AXGroup") X(ValueIndicator, "AXValueIndicator") \
    X(ComboBox, "AXComboBox") X(Slider, "AXSlider") X(Incrementor, "AXIncrementor") X(BusyIndicator, "AXBusyIndicator") \
    X(ProgressIndicator, "AXProgressIndicator") X(RelevanceIndicator, "AXRelevanceIndicator") X(Toolbar, "AXToolbar") \
    X(DisclosureTriangle, "AXDisclosureTriangle") X(TextField, "AXTextField") X(TextArea, "AXTextArea") X(StaticText, "AXStaticText") \
    X(Heading, "AXHeading") X(MenuBar, "AXMenuBar") X(MenuBarItem, "AXMenuBarItem") X(Menu, "AXMenu") X(MenuItem, "AXMenuItem") \
    X(SplitGroup, "AXSplitGroup") X(Splitter, "AXSplitter") X(ColorWell, "AXColorWell") X(TimeField, "AXTimeField") X(DateField, "AXDateField") \
    X(HelpTag, "AXHelpTag") X(Matte, "AXMatte") X(DockItem, "AXDockItem") X(Ruler, "AXRuler") X(RulerMarker, "AXRulerMarker") X(Grid, "AXGrid") \
    X(LevelIndicator, "AXLevelIndicator") X(Cell, "AXCell") X(LayoutArea, "AXLayoutArea") X(LayoutItem, "AXLayoutItem") X(Handle, "AXHandle") \
    X(Popover, "AXPopover") X(Link, "AXLink") X(WebArea, "AXWebArea") X(Page, "AXPage") X(ListMarker, "AXListMarker") X(DateTimeArea, "AXDateTimeArea")

#define AX_SUBROLES(X) \
    X(CloseButton, "AXCloseButton") X(MinimizeButton, "AXMinimizeButton") X(ZoomButton, "AXZoomButton") X(ToolbarButton, "AXToolbarButton") \
    X(FullScreenButton, "AXFullScreenButton") X(SecureTextField, "AXSecureTextField") X(TableRow, "AXTableRow") X(OutlineRow, "AXOutlineRow") \
    X(Unknown, "AXUnknown") X(StandardWindow, "AXStandardWindow") X(Dialog, "AXDialog") X(SystemDialog, "AXSystemDialog") \
    X(FloatingWindow, "AXFloatingWindow") X(SystemFloatingWindow, "AXSystemFloatingWindow") X(Decorative, "AXDecorative") \
    X(IncrementArrow, "AXIncrementArrow") X(DecrementArrow, "AXDecrementArrow") X(IncrementPage, "AXIncrementPage") \
    X(DecrementPage, "AXDecrementPage") X(SortButton, "AXSortButton") X(SearchField, "AXSearchField") X(Timeline, "AXTimeline") \
    X(RatingIndicator, "AXRatingIndicator") X(ContentList, "AXContentList") X(DescriptionList, "AXDescriptionList") X(Toggle, "AXToggle") \
    X(Switch, "AXSwitch") X(TabButton, "AXTabButton") X(CollectionList, "AXCollectionList") X(SectionList, "AXSectionList") \
    X(TextAttachment, "AXTextAttachment") X(TextLink, "AXTextLink") X(ApplicationDockItem, "AXApplicationDockItem") \
    X(DocumentDockItem, "AXDocumentDockItem") X(FolderDockItem, "AXFolderDockItem") X(MinimizedWindowDockItem, "AXMinimizedWindowDockItem") \
    X(TrashDockItem, "AXTrashDockItem") X(SeparatorDockItem, "AXSeparatorDockItem") X(ApplicationAlert, "AXApplicationAlert") \
    X(ApplicationDialog, "AXApplicationDialog") X(ApplicationStatus, "AXApplicationStatus") X(LandmarkMain, "AXLandmarkMain") \
    X(LandmarkNavigation, "AXLandmarkNavigation") X(LandmarkSearch, "AXLandmarkSearch") X(LandmarkBanner, "AXLandmarkBanner") \
    X(LandmarkComplementary, "AXLandmarkComplementary") X(LandmarkContentInfo, "AXLandmarkContentInfo") X(LandmarkRegion, "AXLandmarkRegion")

#define AX_NOTIFICATIONS(X) \
    X(MainWindowChanged, "AXMainWindowChanged") X(FocusedWindowChanged, "AXFocusedWindowChanged") \
    X(FocusedUIElementChanged, "AXFocusedUIElementChanged") X(ApplicationActivated, "AXApplicationActivated") \
    X(ApplicationDeactivated, "AXApplicationDeactivated") X(ApplicationHidden, "AXApplicationHidden") X(ApplicationShown, "AXApplicationShown") \
    X(WindowCreated, "AXWindowCreated") X(WindowMoved, "AXWindowMoved") X(WindowResized, "AXWindowResized") \
    X(WindowMiniaturized, "AXWindowMiniaturized") X(WindowDeminiaturized, "AXWindowDeminiaturized") X(DrawerCreated, "AXDrawerCreated") \
    X(SheetCreated, "AXSheetCreated") X(HelpTagCreated, "AXHelpTagCreated") X(ValueChanged, "AXValueChanged") \
    X(UIElementDestroyed, "AXUIElementDestroyed") X(ElementBusyChanged, "AXElementBusyChanged") X(MenuOpened, "AXMenuOpened") \
    X(MenuClosed, "AXMenuClosed") X(MenuItemSelected, "AXMenuItemSelected") X(RowCountChanged, "AXRowCountChanged") \
    X(RowExpanded, "AXRowExpanded") X(RowCollapsed, "AXRowCollapsed") X(SelectedCellsChanged, "AXSelectedCellsChanged") \
    X(UnitsChanged, "AXUnitsChanged") X(SelectedChildrenMoved, "AXSelectedChildrenMoved") X(SelectedChildrenChanged, "AXSelectedChildrenChanged") \
    X(Resized, "AXResized") X(Moved, "AXMoved") X(Created, "AXCreated") X(SelectedRowsChanged, "AXSelectedRowsChanged") \
    X(SelectedColumnsChanged, "AXSelectedColumnsChanged") X(SelectedTextChanged, "AXSelectedTextChanged") X(TitleChanged, "AXTitleChanged") \
    X(LayoutChanged, "AXLayoutChanged") X(AnnouncementRequested, "AXAnnouncementRequested") X(LoadComplete, "AXLoadComplete") \
    X(LiveRegionChanged, "AXLiveRegionChanged") X(LiveRegionCreated, "AXLiveRegionCreated") X(ExpandedChanged, "AXExpandedChanged") \
    X(InvalidStatusChanged, "AXInvalidStatusChanged")

/* What AXMenuItemCmdModifiers says: Command is down unless the last one is set. */
enum { BS_MENU_SHIFT = 1, BS_MENU_OPTION = 2, BS_MENU_CONTROL = 4, BS_MENU_NO_COMMAND = 8 };
#endif
