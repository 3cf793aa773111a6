export { installRepairs } from "./installRepairs.js";
