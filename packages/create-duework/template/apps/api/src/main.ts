import { serve } from '@hono/node-server';
import { connect } from '@scope/db';
import { createApp } from './create-app.js';

const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('DATABASE_URL is not set.');

const prisma = connect(url);
const server = serve({ fetch: createApp(prisma).fetch, port: Number(process.env['PORT'] ?? 3000) });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => server.close(() => void prisma.$disconnect()));
