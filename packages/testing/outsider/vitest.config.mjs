export default {
  test: {
    include: ['**/*.vitest.mjs'],
    globalSetup: './databases.mjs',
    maxWorkers: 2,
    // as if it had been installed
    server: { deps: { external: [/\/dist\//] } },
  },
};
