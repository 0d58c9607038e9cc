/** What `Copy as TypeScript` makes of a job: its test compares the two. No page shows it as it is. */
import { enqueue } from 'duework';
import { sendReminder } from './jobs.js';

// oxfmt-ignore
// a number of more digits than JavaScript keeps is written as text
await enqueue(db, sendReminder, {
  "accountId": "12345678901234567890",
  "userId": 42,
  "tags": [
    "a",
    1.10
  ]
});
