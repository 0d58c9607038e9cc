export { catalog } from './contracts.js';
export { handlers } from './handlers.js';
