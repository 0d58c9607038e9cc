/** Jest's global teardown: undoes what the setup did. */
export { tearDownTestDatabases as default } from '@duework/embedded/testing';
