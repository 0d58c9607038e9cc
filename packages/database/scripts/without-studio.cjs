/**
 * Loaded before Prisma's command, which requires its studio and its local server as soon as it starts, a hundred megabytes
 * of packages that `generate` never calls. They are not installed (pnpm-workspace.yaml), and are empty here.
 */
const Module = require('node:module');

const load = Module._load;
Module._load = (request, ...rest) => (/^@prisma\/(studio-core|dev)\//.test(request) ? {} : load(request, ...rest));
