import { createQueueHandler } from '@duework/http';
import { Pool } from 'pg';
import { catalog } from '../../../../jobs';
import { env } from '../../../../env';

const handler = createQueueHandler({
  db: new Pool({ connectionString: env.databaseUrl }),
  catalog,
  basePath: '/admin/queue',
});

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT };
