export { VERSION } from "../base/version.ts";
