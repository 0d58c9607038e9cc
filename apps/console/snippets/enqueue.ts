import { enqueue } from 'duework';
import { sendWelcome } from './jobs.js';

await enqueue(db, sendWelcome, { userId: 42 });
