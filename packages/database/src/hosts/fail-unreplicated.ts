import type pg from 'pg';

/** `pg` has the field, and its types say nothing of it. */
interface Warning {
  readonly routine?: string;
}

/**
 * Turns into an error what PostgreSQL only warns of: a commit that waited for a standby, and whose wait was cancelled, by a
 * person or a manager. It is in this server alone, and gone when a standby takes over, so nobody may count on it. The
 * warning comes before the statement counts as answered, so the statement fails, with SQLSTATE 08007: not known.
 */
export function failUnreplicated(client: pg.Client): void {
  client.on('notice', (warning) => {
    if ((warning as Warning).routine !== 'SyncRepWaitForLSN') return;
    const { connection } = client;
    const words = 'the wait for a standby was cancelled: the change may be in this server alone';
    connection.emit('error', Object.assign(new Error(words), { code: '08007' }));
    connection.stream.destroy();
  });
}
