/** Apart from the rest, because no part of jest is in it. */
export { renderAccess } from './render-access.js';
export { type AccessCell, type AccessRow, tryAccess } from './try-access.js';
