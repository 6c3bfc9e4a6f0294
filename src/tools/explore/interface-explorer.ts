import { defineTool } from "../tool.ts";
import { READS } from "../parts.ts";

/** Elements with what can be done with them, after section 4 of its specification. */
export const macosInterfaceExplorer = defineTool({
  name: "macos_interface_explorer",
  title: "Explore interface elements",
  description:
    "Elements with role, states, capabilities, actions and place, as a JSON array: of every application, one of them, the " +
    "focused one, what lies at a point of the screen, or below an element. With filter or elementTypes the matches, flat; " +
    "else the hierarchy. Ids work as elementId here and as query of other tools.",
  inputSchema: {
    type: "object",
    properties: {
      scope: {
        type: "string",
        description: "Where to look: system (every application), application, focused, position or element",
        enum: ["system", "application", "focused", "position", "element"],
      },
      bundleId: {
        type: "string",
        description: "Id, name or process id of the application; needed for the scope application",
      },
      elementId: {
        type: "string",
        description: "Id of an element, from an earlier answer; needed for the scope element",
      },
      x: {
        type: ["number", "integer"],
        description: "Screen pixels from the left; for the scope position",
      },
      y: { type: ["number", "integer"], description: "Screen pixels from the top; for the scope position" },
      maxDepth: { type: "number", description: "Levels of children below each element", default: 10 },
      filter: {
        type: "object",
        description: "What elements must be; texts are compared whatever their case",
        properties: {
          role: { type: "string", description: "AX role or subrole, exactly (AXButton)" },
          titleContains: { type: "string", description: "Part of the title" },
          valueContains: { type: "string", description: "Part of the value" },
          descriptionContains: { type: "string", description: "Part of the description" },
        },
      },
      elementTypes: {
        type: "array",
        description: "Kinds of interactive elements to find; any asks for no kind",
        items: {
          type: "string",
          enum: ["button", "checkbox", "radio", "textfield", "dropdown", "slider", "link", "tab", "any"],
        },
        default: ["any"],
      },
      includeHidden: {
        type: "boolean",
        description: "Elements that do not show too",
        default: false,
      },
      limit: { type: "integer", description: "Elements in all, children too", default: 100 },
    },
    required: ["scope"],
    additionalProperties: false,
  },
  annotations: READS,
  toolset: "explore",
  traits: { sandboxed: true },
});
