import { requirePg } from '../../scripts/lib/with-fresh-database.mjs';

const pg = requirePg();

/** A session of the lab's own, past every proxy. `query` opens it anew when the server has ended it. */
export function openDirect(url, applicationName = 'torture-lab') {
  let client = null;
  const open = async () => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      options: '-c TimeZone=UTC -c lock_timeout=0',
    });
    opened.on('error', () => {});
    opened.on('end', () => {
      if (client === opened) client = null;
    });
    await opened.connect();
    return opened;
  };
  return {
    /** @returns {Promise<object[]>} */
    async query(text, values = []) {
      client ??= await open();
      const { rows } = await client.query(text, values);
      return rows;
    },
    async end() {
      await client?.end().catch(() => {});
      client = null;
    },
  };
}
