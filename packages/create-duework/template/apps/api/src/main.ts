import { serve } from '@hono/node-server';
import { connect } from '@scope/db';
import { createApp } from './create-app.js';

const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('DATABASE_URL is not set.');

const prisma = connect(url);
const app = createApp(prisma, { isDevelopment: process.env['NODE_ENV'] === 'development' });
const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, ({ port }) =>
  console.log(`API: http://127.0.0.1:${port}, console: http://127.0.0.1:${port}/console`),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close(() => void prisma.$disconnect());
    // a console that is open follows the queue, and would not let go by itself
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
