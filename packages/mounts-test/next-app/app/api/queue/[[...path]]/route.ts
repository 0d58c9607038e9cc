import { createQueueHandler } from '@duework/http';
import { Pool } from 'pg';
import { catalog } from '../../../../jobs';

const db = new Pool({ connectionString: process.env.DATABASE_URL });
const handler = createQueueHandler({ db, catalog, basePath: '/api/queue' });

export const runtime = 'nodejs';
export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
