// Without the global setup, to see what is said then.
export default { test: { include: ['orders.vitest.mjs'], server: { deps: { external: [/\/dist\//] } } } };
