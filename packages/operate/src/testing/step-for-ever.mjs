// Steps bulk actions until it is killed: node step-for-ever.mjs <url of the database>
import { connectPg } from '@duework/database';
import { stepBulkActions } from '@duework/operate';

const db = connectPg({ url: process.argv[2], poolSize: 1 });
for (;;) await stepBulkActions(db, [], new AbortController().signal);
