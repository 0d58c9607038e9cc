export default {
  testMatch: ['**/*.jest.mjs'],
  transform: {},
  globalSetup: './databases.mjs',
  // without it the server stops with Jest, too
  ...(process.env.TEAR_DOWN ? { globalTeardown: '@duework/embedded/testing/teardown' } : {}),
  maxWorkers: 2,
};
