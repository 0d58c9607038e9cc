/** `@duework/cli`: the program as an object, for what documents it. `@duework/cli/main` runs it. */
export { createProgram } from './create-program.js';
export type { ProgramParts } from './program-parts.js';
export { PLAIN, type Look } from './output/look.js';
