#include "roles.h"

enum { TEXT = BS_T_TEXT, FIELD = BS_T_TEXT | BS_T_EDITABLE, NUMBER = BS_T_NUMBER, CHECK = BS_T_CHECK | BS_T_PRESS, SELECTS = BS_T_SELECTS | BS_T_LISTS, PRESS = BS_T_PRESS,
    CHOICE = BS_T_CHOICE | BS_T_PRESS };

/* AtspiRole numbers, as in src/desktop/roles.ts. */
static const bs_role roles[AX_ROLE_COUNT + 1] = {
    [AX_ROLE_Application] = {75, 0}, [AX_ROLE_SystemWide] = {14, 0}, [AX_ROLE_Window] = {23, BS_T_WINDOW}, [AX_ROLE_Sheet] = {16, BS_T_WINDOW}, [AX_ROLE_Drawer] = {39, 0},
    [AX_ROLE_GrowArea] = {20, 0}, [AX_ROLE_Image] = {27, 0}, [AX_ROLE_Unknown] = {67, 0}, [AX_ROLE_Button] = {43, PRESS}, [AX_ROLE_RadioButton] = {44, CHECK},
    [AX_ROLE_CheckBox] = {7, CHECK}, [AX_ROLE_PopUpButton] = {11, CHOICE}, [AX_ROLE_MenuButton] = {129, PRESS}, [AX_ROLE_TabGroup] = {38, BS_T_SELECTS},
    [AX_ROLE_Table] = {55, SELECTS}, [AX_ROLE_Column] = {20, 0}, [AX_ROLE_Row] = {90, 0}, [AX_ROLE_Outline] = {65, SELECTS}, [AX_ROLE_Browser] = {17, SELECTS},
    [AX_ROLE_ScrollArea] = {49, BS_T_CLIPS}, [AX_ROLE_ScrollBar] = {48, NUMBER}, [AX_ROLE_RadioGroup] = {99, 0}, [AX_ROLE_List] = {31, SELECTS}, [AX_ROLE_Group] = {39, 0},
    [AX_ROLE_ValueIndicator] = {20, NUMBER}, [AX_ROLE_ComboBox] = {11, FIELD}, [AX_ROLE_Slider] = {51, NUMBER}, [AX_ROLE_Incrementor] = {52, NUMBER},
    [AX_ROLE_BusyIndicator] = {42, 0}, [AX_ROLE_ProgressIndicator] = {42, NUMBER}, [AX_ROLE_RelevanceIndicator] = {103, NUMBER}, [AX_ROLE_Toolbar] = {63, 0},
    [AX_ROLE_DisclosureTriangle] = {62, CHECK}, [AX_ROLE_TextField] = {79, FIELD}, [AX_ROLE_TextArea] = {61, FIELD | BS_T_MULTI_LINE}, [AX_ROLE_StaticText] = {29, TEXT},
    [AX_ROLE_Heading] = {83, TEXT}, [AX_ROLE_MenuBar] = {34, 0}, [AX_ROLE_MenuBarItem] = {33, PRESS}, [AX_ROLE_Menu] = {41, 0}, [AX_ROLE_MenuItem] = {35, PRESS},
    [AX_ROLE_SplitGroup] = {53, 0}, [AX_ROLE_Splitter] = {50, NUMBER}, [AX_ROLE_ColorWell] = {9, PRESS}, [AX_ROLE_TimeField] = {12, FIELD}, [AX_ROLE_DateField] = {12, FIELD},
    [AX_ROLE_HelpTag] = {64, 0}, [AX_ROLE_Matte] = {39, 0}, [AX_ROLE_DockItem] = {26, PRESS}, [AX_ROLE_Ruler] = {74, 0}, [AX_ROLE_RulerMarker] = {20, 0},
    [AX_ROLE_Grid] = {55, SELECTS}, [AX_ROLE_LevelIndicator] = {103, NUMBER}, [AX_ROLE_Cell] = {56, 0}, [AX_ROLE_LayoutArea] = {39, 0}, [AX_ROLE_LayoutItem] = {39, 0},
    [AX_ROLE_Handle] = {20, 0}, [AX_ROLE_Popover] = {69, BS_T_WINDOW}, [AX_ROLE_Link] = {88, PRESS}, [AX_ROLE_WebArea] = {95, BS_T_CLIPS}, [AX_ROLE_Page] = {84, 0},
    [AX_ROLE_ListMarker] = {29, TEXT}, [AX_ROLE_DateTimeArea] = {12, FIELD}, [AX_ROLE_COUNT] = {67, 0},
};

bs_role bs_role_of(enum bs_ax_role role, enum bs_ax_subrole subrole) {
    bs_role r = roles[role];
    switch (subrole) {
    case AX_SUB_SecureTextField: return (bs_role){40, BS_T_EDITABLE | BS_T_SECRET}; /* whatever role it has */
    case AX_SUB_Dialog:
    case AX_SUB_SystemDialog:
        if (role == AX_ROLE_Window) r.number = 16;
        break;
    case AX_SUB_TabButton: r.number = 37; break;
    case AX_SUB_OutlineRow: r.number = 91; break;
    case AX_SUB_TableRow: r.number = 90; break;
    case AX_SUB_Toggle: r.number = 62; break;
    case AX_SUB_Switch: r.number = 130; break;
    case AX_SUB_RatingIndicator: r.number = 114; break;
    case AX_SUB_ApplicationAlert:
        if (role != AX_ROLE_Window) r.number = 2;
        break;
    case AX_SUB_ApplicationDialog: r.number = 16; break;
    case AX_SUB_ApplicationStatus: r.number = 101; break;
    case AX_SUB_LandmarkMain:
    case AX_SUB_LandmarkNavigation:
    case AX_SUB_LandmarkSearch:
    case AX_SUB_LandmarkBanner:
    case AX_SUB_LandmarkComplementary:
    case AX_SUB_LandmarkContentInfo:
    case AX_SUB_LandmarkRegion: r.number = 110; break;
    case AX_SUB_SortButton: r.number = 57, r.traits |= PRESS; break;
    default: break;
    }
    return r;
}
