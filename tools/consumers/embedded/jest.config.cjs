module.exports = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.cjs'],
  transform: {},
  globalSetup: '@duework/embedded/testing',
  globalTeardown: '@duework/embedded/testing/teardown',
};
