import { enqueueBatch, jobRequest } from 'duework';
import { sendReport, sendWelcome } from './jobs.js';

await enqueueBatch(db, {
  name: 'welcome the new ones',
  jobs: [41, 42].map((userId) => jobRequest(sendWelcome, { userId })),
  onSettled: jobRequest(sendReport, { day: '2026-11-28' }),
});
