/** `@duework/cli/testing`: projects of users, for tests. */
export { installDuework } from './install-duework.js';
