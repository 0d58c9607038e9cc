export default { test: { include: ['**/*.test.mjs'], globalSetup: '@duework/embedded/testing' } };
