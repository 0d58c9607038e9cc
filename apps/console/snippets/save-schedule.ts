import { saveSchedule, due } from 'duework/schedules';
import { sendReport } from './jobs.js';

await saveSchedule(db, sendReport, {
  key: 'report',
  cron: '0 9 * * 1',
  timeZone: 'Europe/Berlin',
  payload: { day: due.date() },
});
