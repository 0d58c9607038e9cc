import { PgBoss } from 'pg-boss';
import { tell } from './tell.mjs';

const boss = new PgBoss(process.env.DATABASE_URL);
boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
await boss.start();
await boss.work('greet', async () => tell());
process.on('SIGTERM', () => void boss.stop({ graceful: false }).then(() => process.exit()));
